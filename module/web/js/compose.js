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
});
// Reloading, closing, being sent to the login: what stands in the box then is the draft.
addEventListener("pagehide", () => {
  const field = document.querySelector("#box textarea");
  if (!field || leaving) return;
  if (field.value) sessionStorage.setItem(DRAFT, field.value);
  else sessionStorage.removeItem(DRAFT);
});
let leaving = false;
document.addEventListener("submit", event => {
  if (!event.target.closest("#logout")) return;
  leaving = true;
  sessionStorage.clear();
}, true);

// An expired login leads to the login page, and back to the draft.
const ask = window.fetch;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (answer.status === 401) location.assign("/login");
  return answer;
};
