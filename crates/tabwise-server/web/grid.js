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
const NUMBERS = 4.5; // the width of the column of row numbers, in rem

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
    const first = (list) => list.reduce((least, [row]) => Math.min(least, row), Infinity);
    if (meaning) this.reveal(meaning.cells.length ? first(meaning.cells) : first(meaning.used));
  }

  /** Marks the cells of a step while the pointer is on it. */
  point(cells) {
    this.step = new Set(cells.map(([row, column]) => key(row, column)));
    this.draw();
  }

  /** Scrolls to a row. */
  reveal(row) {
    if (!Number.isFinite(row)) return;
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
    this.draw();
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
    const width = this.small ? null : this.spread(this.widths());
    const cols = el("colgroup", {}, el("col"), ...this.columns.map(() => el("col")));
    if (width) [...cols.children].forEach((col, at) => (col.style.width = `${at ? width[at - 1] : NUMBERS}rem`));
    const names = this.columns.map((column) =>
      el("th", { scope: "col", "data-column": column, title: header[column] }, header[column] || "—"));
    this.head = el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "row-number" }, "#"), ...names));
    this.body = el("tbody");
    this.element = el("table", { "aria-rowcount": count + 1, class: this.small ? "whole" : "window" }, cols, this.head, this.body);
    if (width) this.element.style.width = `${width.reduce((sum, w) => sum + w, NUMBERS)}rem`;
    const left = header.length - this.columns.length;
    const more = left > 0 && el("p", { class: "hint" }, `${number(left)} more columns are not shown.`);
    this.container.replaceChildren(this.element, ...(more ? [more] : []));
    this.drawn = "";
  }

  /** Distributes the remaining width over the columns. */
  spread(widths) {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const sum = widths.reduce((all, one) => all + one, 0);
    const place = this.container.clientWidth / rem - NUMBERS;
    return place > sum ? widths.map((one) => (one * place) / sum) : widths;
  }

  /** Widths of columns by their first rows, in rem. */
  widths() {
    const sample = this.table.rows.slice(0, 100);
    return this.columns.map((column) => {
      const lengths = sample.map((row) => (row[column] ?? "").length).sort((a, b) => a - b);
      const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 6;
      return Math.min(Math.max(usual, Math.min(this.table.header[column].length, 20), 5), 34) * 0.54 + 1.6;
    });
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
      const td = el("td", { class: this.shade(row, column) }, cells ? text : "·");
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

function none() {
  return { answer: new Set(), used: new Set(), columns: new Set() };
}
