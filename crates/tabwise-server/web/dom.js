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
