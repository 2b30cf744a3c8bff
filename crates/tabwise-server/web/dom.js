// Small tools for the page. Text from tables, questions and answers only ever becomes text: nothing here or elsewhere
// reads a string as HTML.

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/**
 * A new element. Properties are set as they are; `class`, `aria-…`, `role` and the like become attributes, `on…`
 * functions become listeners. Children are elements or texts; null, undefined and false are left out.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Shows or hides an element. */
export function show(element, visible) {
  element.hidden = !visible;
}

/** A number with thousands separators. */
export const number = (n) => n.toLocaleString("en");

/** A value as people read it: a number that a division left with many decimals is rounded, as the program does. */
export function readable(value) {
  if (!/^-?\d+\.\d{7,}$/.test(value)) return value;
  const n = Number(value);
  const digits = Math.min(15, Math.max(2, 3 - Math.floor(Math.log10(Math.abs(n)))));
  return String(Number(n.toFixed(digits)));
}

/** Lets the browser save a file. */
export function download(name, file) {
  const address = URL.createObjectURL(file);
  const link = el("a", { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
