// How the scripts reach the page: Gradio draws it, so parts come, go and are drawn again.

// Calls `seen(part)` for every element that matches now or later.
export function each(selector, seen) {
  const known = new WeakSet();
  const look = () => document.querySelectorAll(selector).forEach(part => {
    if (!known.has(part)) { known.add(part); seen(part); }
  });
  new MutationObserver(look).observe(document.documentElement, {childList: true, subtree: true});
  look();
}

// Sets a text field as typing does.
export function fill(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
}

// Passes a wish on to the server: {edit: {field: value}} or {say: {text}}.
export function act(wish) {
  fill(document.querySelector("#values textarea, #values input"), JSON.stringify(wish));
  setTimeout(() => document.querySelector("#act").click());
}

// A fragment of our own server as nodes; null when it says no.
export async function fetched(address) {
  const answer = await fetch(address, {headers: {"x-requested-with": "page"}});
  if (!answer.ok && answer.status !== 503) return null;
  const kind = answer.headers.get("content-type").startsWith("image/svg") ? "image/svg+xml" : "text/html";
  const read = new DOMParser().parseFromString(await answer.text(), kind);
  const nodes = document.createDocumentFragment();
  nodes.append(...(kind === "text/html" ? read.body.childNodes : [read.documentElement]));
  return nodes;
}
