// Dark or light: as the system says, unless the employee chose otherwise. And how long something has been going on.
import {each} from "./wire.js";

const LOOK = "look";

export const isDark = () => document.body.classList.contains("dark");

export function setDark(dark) {
  localStorage.setItem(LOOK, dark ? "dark" : "light");
  chosen();
}

function chosen() {
  const look = localStorage.getItem(LOOK);
  if (look && isDark() !== (look === "dark")) document.body.classList.toggle("dark", look === "dark");
}

new MutationObserver(chosen).observe(document.body, {attributes: true, attributeFilter: ["class"]});
chosen();

// Said aloud by screen readers when it changes.
each("#state", part => part.setAttribute("role", "status"));
each("#reset", button => button.setAttribute("aria-describedby", "forgets"));

let began = 0;
const running = () => document.querySelectorAll(".chip-busy, .chip-pending, #chat .working");
setInterval(() => {
  const parts = running();
  began = parts.length ? began || Date.now() : 0;
  const seconds = Math.floor((Date.now() - began) / 1000);
  parts.forEach(part => { if (seconds > 0) part.dataset.seconds = seconds; });
}, 500);
