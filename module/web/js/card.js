// The card: its picture is fetched beside it, and its fields can be set by the browser's own controls.
import {act, each, fetched} from "./wire.js";

each("#preview .drawn", async place => {
  const name = [...place.classList].find(one => one.startsWith("drawn-"));
  const picture = name && await fetched(`/drawn/${name.slice(6)}`);
  if (picture) place.replaceChildren(picture);
});

each("#edit", button => button.addEventListener("click", () => open()));
document.addEventListener("click", event => {
  const field = event.target.closest?.("#preview .card-preview .field, #preview .card-preview .cell");
  if (field) open(field.querySelector("dt").firstChild.textContent);
});

async function open(label = "") {
  const card = document.querySelector("#preview .card-preview");
  if (!card || document.querySelector("form.edit")) return;
  const nodes = await fetched("/form");
  if (!nodes) return;
  const form = nodes.querySelector("form");
  const first = Object.fromEntries(new FormData(form));
  const shut = () => { form.remove(); document.querySelector("#side")?.classList.remove("editing"); };
  form.querySelector(".back").addEventListener("click", () => { shut(); document.querySelector("#edit").focus(); });
  form.addEventListener("keydown", event => { if (event.key === "Escape") form.querySelector(".back").click(); });
  form.addEventListener("submit", event => {
    event.preventDefault();
    const now = Object.entries(Object.fromEntries(new FormData(form)));
    const edit = Object.fromEntries(now.filter(([name, value]) => value !== first[name]));
    if (Object.keys(edit).length) act({edit});
    shut();
  });
  form.elements.start.addEventListener("change", () => keepLength(form, first));
  document.querySelector("#preview").after(form);
  document.querySelector("#side").classList.add("editing");
  const wanted = [...form.querySelectorAll("label")].find(one => label && one.innerText.startsWith(label));
  (wanted ?? form).querySelector("select, input, textarea").focus();
}

// A start moved behind its end takes the end along, as calendars do.
function keepLength(form, first) {
  const {start, end} = form.elements;
  if (!start.value || !end.value || end.value > start.value) return;
  const local = text => new Date(`${text}Z`);
  const length = local(first.end) - local(first.start);
  end.value = new Date(+local(start.value) + length).toISOString().slice(0, 16);
}

// The receipt: its number copied, the calendar file where there is one, and the way to cancel.
each(".card-receipt .copy", button => button.addEventListener("click", () => {
  const number = document.querySelector(".card-receipt .number");
  const done = () => { button.textContent = button.title; };
  if (navigator.clipboard) navigator.clipboard.writeText(number.innerText).then(done);
  else getSelection().selectAllChildren(number);  // without https there is no clipboard: selected, ready to be copied
}));
each(".card-receipt .cancel_leave", button => button.addEventListener("click", () => act({say: {text: button.title}})));
