// Typing: Enter of an input method sends nothing, and a draft outlives a reload or an expired login.
import {each, fill} from "./wire.js";

const DRAFT = "draft";
let composed = 0;

document.addEventListener("compositionend", event => { composed = event.timeStamp; }, true);
for (const kind of ["keydown", "keypress"]) {
  document.addEventListener(kind, event => {
    // Safari ends the composition before it reports the Enter that ended it.
    const choosing = event.isComposing || event.keyCode === 229 || event.timeStamp - composed < 20;
    if (event.key === "Enter" && choosing && event.target.closest?.("#box")) event.stopImmediatePropagation();
  }, true);
}

each("#box textarea", field => {
  const kept = sessionStorage.getItem(DRAFT);
  if (kept && !field.value) fill(field, kept);
  field.addEventListener("input", () => sessionStorage.setItem(DRAFT, field.value));
});
// Gradio empties the field without an event when the message is on its way.
each("#chat .message", () => {
  const field = document.querySelector("#box textarea");
  if (field && !field.value) sessionStorage.removeItem(DRAFT);
});
document.addEventListener("submit", event => { if (event.target.closest("#logout")) sessionStorage.clear(); }, true);
