// Teaching: saying under an answer that it is right or wrong. The right one may be one of the other interpretations, or
// typed in. What was said can be taken back.

import { el } from "./dom.js";

/**
 * What can be said about the interpretation that is shown. `teach` has functions that learn a formula (`formula`) or values
 * (`values`) as right, and one that takes a correction back (`undo`); each shows the answer that follows from it.
 */
export function teaching(answer, meaning, teach) {
  if (answer.correction) {
    return el("div", { class: "teach" }, el("p", { class: "hint" }, "This is what you said is right."),
      el("button", { type: "button", class: "button", id: "undo", onclick: () => teach.undo(answer.correction) }, "Take it back"));
  }
  const form = typed(teach);
  const wrong = el("button", { type: "button", class: "button", id: "wrong", "aria-expanded": "false", "aria-controls": "typed", onclick: () => {
    form.hidden = !form.hidden;
    wrong.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) form.querySelector("input").focus();
  } }, "Wrong");
  const right = meaning && el("button", { type: "button", class: "button", id: "right", onclick: () => teach.formula(meaning.formula) }, "Right");
  return el("div", { class: "teach" }, el("div", { class: "row" }, right, wrong), form);
}

/** A form for the right answer. */
function typed(teach) {
  const input = el("input", { id: "right-answer", autocomplete: "off", "aria-describedby": "right-hint" });
  const send = (event) => {
    event.preventDefault();
    const values = input.value.split(";").map((value) => value.trim()).filter(Boolean);
    if (values.length) teach.values(values);
    else input.focus();
  };
  return el("form", { id: "typed", class: "typed", hidden: true, onsubmit: send },
    el("label", { for: "right-answer" }, "The right answer"),
    el("div", { class: "row" }, input, el("button", { type: "submit", class: "button", id: "teach" }, "Learn it")),
    el("p", { class: "hint", id: "right-hint" }, "Several values are separated by semicolons. If one of the interpretations below is right, choose it there. What you say stays on the machine of this server."));
}

/** A button beside another interpretation: that one is right. */
export function chosen(meaning, teach) {
  return el("button", { type: "button", class: "button this-one", "aria-label": `Right: ${meaning.english}`, onclick: () => teach.formula(meaning.formula) }, "Right");
}
