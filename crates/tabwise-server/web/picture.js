// A small picture of the cells behind an answer, for screens on which the table is out of sight: the rows and columns that
// matter, with the marks of the table.

import { el, number } from "./dom.js";

const ROWS = 4;
const COLUMNS = 4;

/** The picture of an interpretation; its rows are filled in as they arrive. */
export function picture(meaning, grid) {
  const cells = meaning.cells.concat(meaning.used);
  const all = [...new Set(cells.map(([row]) => row))];
  const rows = all.slice(0, ROWS).sort((a, b) => a - b);
  const left = all.length - rows.length;
  if (!rows.length || !grid.table) return null;
  const named = [...new Set([...cells.map(([, column]) => column), ...meaning.columns])].slice(0, COLUMNS);
  const columns = (named.includes(0) || named.length >= COLUMNS ? named : [0, ...named]).sort((a, b) => a - b);
  const head = el("tr", {}, el("th", { scope: "col" }, "#"), ...columns.map((column) => el("th", { scope: "col" }, grid.table.header[column] || "—")));
  const body = el("tbody");
  fill(body, rows, columns, grid);
  return el("div", { class: "picture", tabindex: "0", role: "region", "aria-label": "Cells behind the answer" },
    el("table", {}, el("thead", {}, head), body),
    left > 0 && el("p", { class: "hint" }, `and ${number(left)} more ${left === 1 ? "row" : "rows"} in the table below`));
}

async function fill(body, rows, columns, grid) {
  for (const row of rows) {
    const texts = await grid.texts(row);
    const cell = (column) => el("td", { class: grid.shade(row, column) }, texts?.[column] ?? "");
    body.append(el("tr", {}, el("th", { scope: "row" }, String(row + 1)), ...columns.map(cell)));
  }
}
