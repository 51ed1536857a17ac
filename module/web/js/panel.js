// The side panel, a drawer: fetched when it is opened, never before.
import {act, each, fetched} from "./wire.js";
import {isDark, setDark} from "./look.js";

const drawer = document.createElement("dialog");
drawer.className = "panel";
drawer.addEventListener("click", event => { if (event.target === drawer) drawer.close(); });

each("#panel-open", button => button.addEventListener("click", async () => {
  const nodes = await fetched("/panel");
  if (!nodes) return;
  drawer.setAttribute("aria-label", button.innerText);
  drawer.replaceChildren(nodes);
  wire();
  if (!drawer.isConnected) document.querySelector(".gradio-container").append(drawer);
  drawer.showModal();
}));

function wire() {
  drawer.querySelector(".close")?.addEventListener("click", () => drawer.close());
  for (const button of drawer.querySelectorAll("[data-say]")) {
    button.addEventListener("click", () => { drawer.close(); act({say: {text: button.dataset.say}}); });
  }
  const dark = drawer.querySelector(".switch input");
  if (dark) {
    dark.checked = isDark();
    dark.addEventListener("change", () => setDark(dark.checked));
  }
  const search = drawer.querySelector("form.handbook");
  search?.addEventListener("submit", async event => {
    event.preventDefault();
    const found = await fetched(`/panel/handbook?q=${encodeURIComponent(search.elements.q.value)}`);
    if (found) drawer.querySelector(".found").replaceChildren(found);
  });
}
