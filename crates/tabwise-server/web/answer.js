// The answer on the page: its values, confidence, explanation, and other interpretations of the question.

import { chart } from "./chart.js";
import { download, el, number, readable } from "./dom.js";
import { isNumeric } from "./grid.js";
import { picture } from "./picture.js";
import { png } from "./png.js";
import { chosen, teaching } from "./teach.js";

/**
 * Shows an answer and marks its cells in `grid`. The interpretation that is shown can be switched, and a long list of
 * values be shown in full; `whole` asks the server for an answer that is not shortened. `teach` learns what the right answer
 * is, and is missing where nothing can be learned.
 */
export function showAnswer(panel, grid, answer, whole, teach) {
  const showing = { at: 0, all: false };
  const draw = () => panel.replaceChildren(...parts(answer, showing, grid, { choose, unfold, teach }));
  const choose = (at) => {
    Object.assign(showing, { at, all: false });
    grid.mark(answer.meanings[at] ?? null);
    draw();
  };
  const unfold = async () => {
    if (answer.shortened) answer = (await whole()) ?? answer;
    showing.all = true;
    draw();
  };
  choose(0);
}

/** Shows that a request is running. */
export function showWaiting(panel) {
  panel.replaceChildren(el("div", { class: "card waiting", "aria-label": "Working" }, el("span"), el("span"), el("span")));
}

/** Shows a hint before the first question. */
export function showInvitation(panel) {
  panel.replaceChildren(el("div", { class: "card invitation" },
    el("p", {}, "Ask in plain English. The answer comes with the cells that it was read from and the steps that led to it."),
    el("p", { class: "hint no-touch" }, "Press ", el("kbd", {}, "/"), " to get to the question from anywhere.")));
}

function parts(answer, { at, all }, grid, { choose, unfold, teach }) {
  const meaning = answer.meanings[at];
  const card = el("div", { class: `card result ${doubt(answer, at)}` }, asked(answer, at));
  if (!meaning) {
    card.append(el("p", { class: "value" }, "I don’t know."), hint(answer));
    if (teach) card.append(teaching(answer, null, teach));
    return [card, foot(answer)];
  }
  const small = pictures(meaning, grid);
  card.append(...verdict(answer, meaning, at, all ? null : unfold), why(meaning, grid, small.look));
  if (at === 0 && !answer.abstains) card.append(unused(answer));
  if (at === 0) card.append(...notes(answer, grid));
  card.append(small.frame);
  if (teach) card.append(teaching(answer, meaning, teach));
  return [card, meanings(answer, at, choose, teach), foot(answer, meaning)].filter(Boolean);
}

/** A frame with the small picture of an interpretation; `look` shows the cells of a step in it, or with null those of the answer. */
function pictures(meaning, grid) {
  const frame = el("div");
  let shown;
  const look = (cells) => {
    if (cells === shown) return;
    shown = cells;
    frame.replaceChildren(picture(cells ? { ...meaning, cells, used: [] } : meaning, grid) ?? "");
  };
  look(null);
  return { frame, look };
}

/** How an interpretation looks: like an answer, like one to be checked, or like a guess. */
function doubt(answer, at) {
  if (answer.abstains && at === 0) return "unsure";
  const sure = answer.meanings[at]?.confidence ?? 0;
  return sure >= 0.6 ? "" : sure >= 0.4 ? "maybe" : "doubtful";
}

/** The question, with unused words struck out. */
function asked(answer, at) {
  const line = el("p", { class: "asked" });
  const bytes = new TextEncoder().encode(answer.question);
  const text = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  let done = 0;
  const strike = at === 0 ? (answer.unused ?? []) : [];
  for (const { start, end } of strike) {
    line.append(text(done, start), el("span", { class: "unused", title: "not used" }, text(start, end)));
    done = end;
  }
  line.append(text(done, bytes.length));
  return line;
}

/** The values of an interpretation; `unfold` shows those that a long list leaves out, and is null if it is shown in full. */
function verdict(answer, meaning, at, unfold) {
  const value = meaning.table ? groups(meaning.table, unfold) : el("p", { class: "value" }, ...values(meaning.answer, unfold));
  if (answer.abstains && at === 0) {
    return [el("p", { class: "doubt" }, "I don’t know, but my guess would be"), value, sureness(meaning.confidence), hint(answer)];
  }
  const other = at > 0 && el("p", { class: "doubt" }, "It might also mean");
  return [other, value, sureness(meaning.confidence)].filter(Boolean);
}

/** The values; long lists are cut, with a button for the rest. */
function values(list, unfold) {
  if (!list.length) return ["nothing"];
  const most = unfold ? 30 : Infinity;
  const shown = list.slice(0, most).flatMap((value, at) => [at ? el("span", { class: "comma" }, ", ") : null, el("span", {}, readable(value) || "(empty)")]);
  if (list.length > most) shown.push(el("span", { class: "comma" }, ` and ${number(list.length - most)} more `), rest(unfold));
  return shown.filter(Boolean);
}

/** A button that shows the rest of a long list. */
function rest(unfold) {
  return el("button", { type: "button", class: "button", id: "all", onclick: unfold }, "Show all");
}

/** A table of groups; a long one is cut, with a button for the rest. */
function groups({ header, rows }, unfold) {
  const most = unfold ? 100 : Infinity;
  const kinds = header.map((_, column) => (isNumeric(rows.map((row) => row[column] ?? "")) ? "is-number" : null));
  const cell = (tag) => (text, column) => el(tag, { scope: tag === "th" ? "col" : null, class: kinds[column] }, text || "(empty)");
  const line = (cells, tag) => el("tr", {}, ...cells.map(cell(tag)));
  const table = el("table", {}, el("thead", {}, line(header, "th")), el("tbody", {}, ...rows.slice(0, most).map((row) => line(row, "td"))));
  const more = rows.length > most && el("p", { class: "more" }, `and ${number(rows.length - most)} more `, rest(unfold));
  const groups = el("div", { class: "groups", tabindex: "0", role: "region", "aria-label": "Groups" }, table, more);
  const drawn = chart({ header, rows });
  return drawn ? el("div", {}, groups, drawn) : groups;
}

/** The confidence as words, a number and a bar. */
function sureness(confidence) {
  const percent = Math.round(confidence * 100);
  const words = confidence >= 0.8 ? "Very likely" : confidence >= 0.6 ? "Likely" : confidence >= 0.4 ? "Maybe" : confidence >= 0.2 ? "Unsure" : "A guess";
  const bar = el("span", { class: "bar", "aria-hidden": "true" }, el("span"));
  bar.firstChild.style.width = `${Math.max(percent, 2)}%`;
  const level = confidence >= 0.6 ? "high" : confidence >= 0.3 ? "middle" : "low";
  return el("p", { class: `sureness ${level}` }, bar, `${words} · ${percentage(confidence)}`);
}

function percentage(share) {
  return share < 0.005 ? "under 1 %" : `${Math.round(share * 100)} %`;
}

function hint(answer) {
  return answer.hint ? el("p", { class: "hint" }, answer.hint) : "";
}

/** The sentence and the steps; pointing at a step marks its cells, and choosing it shows them. */
function why(meaning, grid, look) {
  const box = el("div", { class: "why" }, el("p", { class: "english" }, meaning.english));
  // The last step is the sentence itself, and its result the answer.
  const steps = meaning.steps.length > 1 && meaning.steps.at(-1).english === meaning.english ? meaning.steps.slice(0, -1) : meaning.steps;
  if (steps.length) box.append(el("ol", { class: "steps", "aria-label": "Steps" }, ...steps.map((one) => step(one, grid, look))));
  return box;
}

/** Notes on the answer, without those on the table, which stand beside it, and that on a correction, which has its own sentence. */
function notes(answer, grid) {
  const known = grid.table?.notes ?? [];
  const own = answer.correction ? [] : (answer.notes ?? []).filter((note) => !known.includes(note));
  return own.map((note) => el("p", { class: "hint note" }, note));
}

/** The words of the question that the formula does not use. */
function unused(answer) {
  const words = (answer.unused ?? []).map((one) => `“${one.text}”`);
  return words.length ? el("p", { class: "hint" }, `Not used: ${words.join(", ")}`) : "";
}

function step(one, grid, look) {
  const on = () => grid.point(one.cells);
  const off = () => {
    grid.point([]);
    look(null);
  };
  const go = () => {
    grid.reveal(one.cells);
    on();
    look(one.cells);
  };
  const result = Array.isArray(one.result) ? one.result.join(", ") : String(one.result);
  return el("li", {},
    el("button", { type: "button", class: "step", onmouseenter: on, onmouseleave: off, onfocus: on, onblur: off, onclick: go },
      el("span", { class: "step-text" }, one.english, " ", el("span", { class: "step-result" }, `→ ${cut(result)}`))));
}

function cut(text) {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

/** Other interpretations that are worth a look; null if there are none. */
function meanings(answer, at, choose, teach) {
  const worth = answer.meanings.map((meaning, index) => ({ meaning, index }))
    .filter(({ meaning, index }) => index !== at && (index === 0 || meaning.confidence >= 0.01));
  if (!worth.length) return null;
  const options = worth.map(({ meaning, index }) =>
    el("li", { class: "row" }, el("button", {
      type: "button", class: "meaning",
      onclick: () => {
        choose(index);
        document.querySelector(".meaning")?.focus();
      },
    },
    el("span", { class: "meaning-value" }, cut(meaning.answer.map(readable).join(", ") || "nothing")),
    el("span", { class: "meaning-share" }, percentage(meaning.confidence)),
    el("span", { class: "meaning-text" }, meaning.english)), teach && !answer.correction && chosen(meaning, teach)));
  return el("section", { class: "card meanings", "aria-label": "Other interpretations" },
    el("h2", { class: "small-title" }, "It may also mean"), el("ul", {}, ...options));
}

/** A button that copies a text, made when it is pressed, and says so; where nothing can be copied, `otherwise` is said. */
function copier(id, label, text, said, otherwise = text) {
  return el("button", { type: "button", class: "button", id, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      said.textContent = "Copied";
    } catch {
      said.textContent = otherwise();
    }
  } }, label);
}

/** The query, with a button that copies it; or why there is none. */
function sql(meaning) {
  const said = el("span", { role: "status" });
  const note = meaning.sql_note ? el("p", { class: "hint" }, meaning.sql_note) : "";
  const copy = copier("copy-sql", "Copy SQL", () => meaning.sql, said, () => "Select the query to copy it");
  const query = meaning.sql ? [el("code", { class: "query" }, meaning.sql), el("div", { class: "row" }, copy, said)] : [];
  return el("details", { class: "formula", id: "sql" }, el("summary", {}, "SQL"), ...query, note);
}

/** What can be done with the answer, the formula, the query and the time taken. */
function foot(answer, meaning) {
  const said = el("span", { role: "status" });
  const cost = `${number(answer.candidate_count)} formulas ranked in ${answer.milliseconds.toFixed(answer.milliseconds < 10 ? 1 : 0)} ms`;
  const buttons = [
    meaning && copier("copy-answer", "Copy answer", () => lines(meaning).map((line) => line.join("\t")).join("\n"), said),
    meaning && el("button", { type: "button", class: "button", id: "csv", onclick: () => download("answer.csv", new Blob([csv(meaning)], { type: "text/csv" })) }, "CSV"),
    meaning && el("button", { type: "button", class: "button", id: "png", onclick: () => png(answer, meaning, (file) => download("answer.png", file)) }, "PNG"),
    copier("copy", "Copy link", () => location.href, said),
  ];
  const formula = meaning?.formula && el("details", { class: "formula" }, el("summary", {}, "Formula"),
    el("code", {}, meaning.formula), el("code", { class: "paper" }, meaning.paper));
  return el("div", { class: "foot" }, el("div", { class: "row" }, ...buttons.filter(Boolean), said), answer.candidate_count ? el("p", { class: "hint" }, cost) : "",
    formula || "", meaning?.formula ? sql(meaning) : "");
}

/** The rows of an answer: its values, or its groups. */
function lines(meaning) {
  return meaning.table ? meaning.table.rows : meaning.answer.map((value) => [value]);
}

function csv(meaning) {
  const header = meaning.table ? meaning.table.header : ["answer"];
  const cell = (text) => `"${text.replaceAll('"', '""')}"`;
  return [header, ...lines(meaning)].map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}
