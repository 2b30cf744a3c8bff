// The table on the page. Only the rows in sight are elements, and only rows that were in sight are fetched, so a table
// of a hundred thousand rows is as quick as one of ten. Small tables are shown whole, with rows as high as their text.

import { el, number } from "./dom.js";
import * as api from "./api.js";

const ROW_HEIGHT = 34; // as in app.css
const PAGE = 200;
const KEPT_PAGES = 60;
const SMALL_ROWS = 150;
const MOST_COLUMNS = 80;
const TALLEST = 12_000_000; // browsers cannot make elements much higher than this
const BEYOND = 12;
const PADDING = 26; // left and right of a cell, with its border, in pixels
const NARROWEST = 56; // of a column of a long table, in pixels
const WIDEST = 460; // likewise; longer texts are cut, except those of the answer
const FIXED_SHARE = 0.45; // of the view that the columns which stay may cover

const key = (row, column) => row * 65536 + column;

export class Grid {
  constructor(container) {
    this.container = container;
    this.container.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.later()).observe(container);
    this.marks = none();
    this.step = new Set();
  }

  /** Shows a table. */
  open(table) {
    this.table = table;
    this.pages = new Map();
    this.fetching = new Set();
    this.keep(0, table.rows);
    this.small = table.row_count <= SMALL_ROWS && table.rows.length === table.row_count;
    this.columns = table.header.map((_, column) => column).slice(0, MOST_COLUMNS);
    this.numeric = table.header.map((_, column) => isNumeric(table.rows, column));
    this.widest = [];
    this.marks = none();
    this.step = new Set();
    this.build();
    this.container.scrollTop = 0;
    this.container.scrollLeft = 0;
    this.draw();
  }

  /** Marks the cells of an interpretation: those of the answer, those used for it, and the columns of the formula. */
  mark(meaning) {
    const cells = (list) => new Set(list.map(([row, column]) => key(row, column)));
    this.marks = meaning
      ? { answer: cells(meaning.cells), used: cells(meaning.used), columns: new Set(meaning.columns) }
      : none();
    this.step = new Set();
    this.widen(meaning ? [...meaning.cells, ...meaning.used].map(([, column]) => column).concat(meaning.columns) : []);
    this.draw();
    if (meaning) this.reveal(meaning.cells.length ? meaning.cells : meaning.used, meaning.columns);
  }

  /** Marks the cells of a step while the pointer is on it. */
  point(cells) {
    this.step = new Set(cells.map(([row, column]) => key(row, column)));
    this.draw();
  }

  /** Scrolls to the first of some cells, down and sideways; without cells, to the first of some columns. */
  reveal(cells, columns = []) {
    const first = cells.reduce((best, cell) => (best && best[0] <= cell[0] ? best : cell), null);
    if (first) this.revealRow(first[0]);
    const [column] = first ? [first[1]] : columns;
    if (column !== undefined) this.revealColumn(column);
    this.draw();
  }

  revealRow(row) {
    const view = this.container.clientHeight;
    const shown = this.body.querySelector(`tr[data-row="${row}"]`);
    const head = this.head.offsetHeight;
    if (shown) {
      const top = shown.offsetTop - head;
      const inside = top >= this.container.scrollTop && top + shown.offsetHeight <= this.container.scrollTop + view - head;
      if (!inside) this.container.scrollTop = Math.max(0, top - view / 3);
    } else {
      this.container.scrollTop = Math.max(0, row * ROW_HEIGHT - view / 3) / this.scale();
    }
  }

  revealColumn(column) {
    const name = this.head.querySelector(`[data-column="${column}"]`);
    if (!name || name.classList.contains("stays")) return;
    const stays = [...this.head.querySelectorAll(".row-number, .stays")].reduce((sum, one) => sum + one.offsetWidth, 0);
    const { scrollLeft: from, clientWidth: view } = this.container;
    const inside = name.offsetLeft >= from + stays && name.offsetLeft + name.offsetWidth <= from + view;
    if (!inside) this.container.scrollLeft = Math.max(0, name.offsetLeft - stays - (view - stays) / 3);
  }

  /** Adds the columns of an answer to those that are shown. */
  widen(columns) {
    const before = this.columns.length;
    this.columns = [...new Set([...this.columns, ...columns])].sort((a, b) => a - b);
    if (this.columns.length !== before) this.build();
  }

  /** Makes the frame: columns and header. */
  build() {
    const { header, row_count: count } = this.table;
    const cols = el("colgroup", {}, el("col"), ...this.columns.map(() => el("col")));
    const names = this.columns.map((column) =>
      el("th", { scope: "col", "data-column": column, class: this.numeric[column] ? "is-number" : null, title: header[column] }, header[column] || "—"));
    this.head = el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "row-number" }, "#"), ...names));
    this.body = el("tbody");
    this.element = el("table", { "aria-rowcount": count + 1, class: this.small ? "whole" : "window" }, cols, this.head, this.body);
    const left = header.length - this.columns.length;
    const more = left > 0 && el("p", { class: "hint" }, `${number(left)} more columns are not shown.`);
    const empty = count === 0 && el("p", { class: "hint" }, "The table has a header and no rows, so there is nothing to ask about.");
    this.container.replaceChildren(this.element, ...[more, empty].filter(Boolean));
    if (!this.small) this.fit(this.table.rows);
    this.fixFirst();
  }

  /** Makes the columns of a long table as wide as the widest text that was seen in them, and spreads what is left. */
  fit(rows) {
    const measure = measurer(this.element);
    const numbers = measure(number(this.table.row_count)) + PADDING;
    const before = this.widest.join();
    for (const column of this.columns) {
      const texts = rows.map((row) => row[column] ?? "").concat(this.table.header[column]);
      const longest = texts.reduce((most, text) => Math.max(most, measure(text)), this.widest[column] ?? 0);
      this.widest[column] = longest;
    }
    if (this.widest.join() === before && this.element.style.width) return;
    const widths = this.columns.map((column) => Math.min(Math.max(Math.ceil(this.widest[column]) + PADDING, NARROWEST), WIDEST));
    const sum = widths.reduce((all, one) => all + one, numbers);
    const spare = Math.max(0, this.container.clientWidth - sum) / widths.length;
    const cols = [...this.element.querySelector("colgroup").children];
    cols.forEach((col, at) => (col.style.width = `${at ? widths[at - 1] + spare : numbers}px`));
    this.element.style.width = `${sum + spare * widths.length}px`;
  }

  /** Lets the first column stay in sight with the row numbers, unless it would cover too much of the view. */
  fixFirst() {
    const [numbers, first] = this.head.querySelectorAll("th");
    const covered = numbers.offsetWidth + (first?.offsetWidth ?? 0);
    this.stays = Boolean(first) && this.columns.length > 2 && covered <= this.container.clientWidth * FIXED_SHARE;
    this.element.style.setProperty("--first", `${numbers.offsetWidth}px`);
    first?.classList.toggle("stays", this.stays);
  }

  later() {
    if (this.waiting || !this.table) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Pixels of rows for each pixel of scrolling: 1, except for tables higher than a browser allows. */
  scale() {
    const [full, view] = [this.table.row_count * ROW_HEIGHT, this.container.clientHeight];
    return full <= TALLEST ? 1 : (full - view) / (TALLEST - view);
  }

  /** Draws the visible rows. */
  draw() {
    if (!this.table) return;
    const count = this.table.row_count;
    let [from, to, above, below] = [0, count, 0, 0];
    if (!this.small) {
      const view = this.container.clientHeight;
      const scrolled = this.container.scrollTop;
      const top = scrolled * this.scale();
      from = Math.max(0, Math.floor(top / ROW_HEIGHT) - BEYOND);
      to = Math.min(count, Math.ceil((top + view) / ROW_HEIGHT) + BEYOND);
      above = Math.max(0, scrolled - (top - from * ROW_HEIGHT));
      below = Math.max(0, Math.min(count * ROW_HEIGHT, TALLEST) - above - (to - from) * ROW_HEIGHT);
    }
    const rows = [];
    if (above) rows.push(spacer(above));
    for (let row = from; row < to; row++) rows.push(this.row(row));
    if (below) rows.push(spacer(below));
    this.body.replaceChildren(...rows);
    for (const name of this.head.querySelectorAll("[data-column]")) {
      name.classList.toggle("is-column", this.marks.columns.has(Number(name.dataset.column)));
    }
    this.fetch(from, to);
  }

  row(row) {
    const cells = this.cells(row);
    const tr = el("tr", { "data-row": row, "aria-rowindex": row + 2 }, el("th", { scope: "row", class: "row-number" }, String(row + 1)));
    for (const column of this.columns) {
      const text = cells ? (cells[column] ?? "") : "";
      const shade = [this.shade(row, column), this.numeric[column] && "is-number", this.stays && column === this.columns[0] && "stays"];
      const td = el("td", { class: shade.filter(Boolean).join(" ") || null }, cells ? text : "·");
      if (text.length > 24) td.title = text;
      tr.append(td);
    }
    return tr;
  }

  shade(row, column) {
    const at = key(row, column);
    const shade = this.marks.answer.has(at) ? "is-answer"
      : this.marks.used.has(at) ? "is-used"
      : this.marks.columns.has(column) ? "is-column" : "";
    return this.step.has(at) ? `${shade} is-step` : shade || null;
  }

  /** The texts of a row, fetched if they are not here. */
  async texts(row) {
    if (!this.cells(row)) this.keep(row, (await api.rows(this.table.id, row, 1)).rows);
    return this.cells(row);
  }

  cells(row) {
    return this.pages.get(Math.floor(row / PAGE))?.[row % PAGE];
  }

  /** Fetches visible rows that are missing. If that fails they stay empty until the next scroll. */
  async fetch(from, to) {
    const { id } = this.table;
    const fetching = this.fetching;
    for (let row = from; row < to; row++) {
      if (this.cells(row) || fetching.has(row)) continue;
      const last = Math.min((Math.floor(row / PAGE) + 1) * PAGE, this.table.row_count);
      for (let one = row; one < last; one++) fetching.add(one);
      try {
        const part = await api.rows(id, row, last - row);
        if (this.fetching !== fetching) return;
        this.keep(row, part.rows);
        if (!this.small) this.fit(part.rows);
        this.later();
      } catch (error) {
        console.warn(`rows from ${row}: ${error.message}`);
      } finally {
        for (let one = row; one < last; one++) fetching.delete(one);
      }
      return;
    }
  }

  /** Stores fetched rows, and drops the least recently used pages. */
  keep(from, rows) {
    rows.forEach((cells, at) => {
      const page = Math.floor((from + at) / PAGE);
      if (!this.pages.has(page)) this.pages.set(page, []);
      this.pages.get(page)[(from + at) % PAGE] = cells;
    });
    while (this.pages.size > KEPT_PAGES) this.pages.delete(this.pages.keys().next().value);
  }
}

function spacer(height) {
  const tr = el("tr", { class: "spacer", "aria-hidden": "true" }, el("td"));
  tr.style.height = `${height}px`;
  return tr;
}

/** True if nearly all cells of a column are numbers. */
function isNumeric(rows, column) {
  const cells = rows.map((row) => (row[column] ?? "").trim()).filter(Boolean);
  const numbers = cells.filter((cell) => /^[-+−(]?[$€£¥]?\s?\d[\d.,\s]*%?\)?$/.test(cell));
  return cells.length > 0 && numbers.length >= cells.length * 0.9;
}

/** A function that measures texts as the answer is written, which is bolder than the rest. */
function measurer(element) {
  const { fontFamily, fontSize } = getComputedStyle(element);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `700 ${fontSize} ${fontFamily}`;
  const known = new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, pen.measureText(text.slice(0, 200)).width);
    return known.get(text);
  };
}

function none() {
  return { answer: new Set(), used: new Set(), columns: new Set() };
}
