// The table on the page. Only the rows in sight are elements, and only rows that were in sight are fetched, so a table
// of a hundred thousand rows is as quick as one of ten. Small tables are shown whole, with rows as high as their text.
// Rows can be sorted by a column and searched for a text; an answer brings back all of them, to show its cells.

import { el, number } from "./dom.js";
import { Rows } from "./rows.js";

const ROW_HEIGHT = 34; // as in app.css
const MOST_FETCHED = 200; // rows in a response
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
  /** A grid in an element; `viewed` is called with the view and the number of its rows when that changes. */
  constructor(container, viewed) {
    this.container = container;
    this.viewed = viewed;
    this.container.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(container);
    this.marks = none();
    this.step = new Set();
  }

  /** Shows a table. */
  open(table) {
    this.table = table;
    this.all = new Rows(table);
    this.all.keep(0, table.rows);
    this.rows = this.all;
    this.small = table.row_count <= SMALL_ROWS && table.rows.length === table.row_count;
    this.columns = table.header.map((_, column) => column).slice(0, MOST_COLUMNS);
    this.numeric = table.header.map((_, column) => isNumeric(table.rows.map((row) => row[column] ?? "")));
    this.widest = [];
    this.marks = none();
    this.step = new Set();
    this.build();
    this.container.scrollLeft = 0;
    this.show(this.all);
  }

  /** Shows rows from the first on. */
  show(rows) {
    this.rows = rows;
    this.container.scrollTop = 0;
    this.showOrder();
    this.draw();
    this.viewed(rows.view, rows.count);
  }

  /** Shows the rows that have a text, sorted by a column: `find`, `sort` and `descending`, all of which may be missing. */
  async look(view) {
    const isWhole = !view.find && view.sort === undefined;
    const rows = isWhole ? this.all : new Rows(this.table, view);
    this.wanted = rows;
    const part = isWhole ? [] : await rows.fetch(0, MOST_FETCHED);
    if (this.wanted !== rows) return;
    if (!this.small) this.fit(part);
    this.show(rows);
  }

  /** Sorts by a column, then the other way round, then not at all. */
  sortBy(column) {
    const { find, sort, descending } = this.rows.view;
    const next = sort !== column ? { sort: column } : descending ? {} : { sort: column, descending: true };
    return this.look({ find, ...next });
  }

  /** Says at the names of the columns by which of them the rows are sorted. */
  showOrder() {
    const { sort, descending } = this.rows.view;
    for (const name of this.head.querySelectorAll("[data-column]")) {
      const sorted = Number(name.dataset.column) === sort;
      if (sorted) name.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else name.removeAttribute("aria-sort");
    }
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
    if (!meaning) return;
    const columns = [...meaning.used.map(([, column]) => column), ...meaning.columns];
    this.reveal(meaning.cells.length ? meaning.cells : meaning.used, columns);
  }

  /** Marks the cells of a step while the pointer is on it. */
  point(cells) {
    this.step = new Set(cells.map(([row, column]) => key(row, column)));
    this.draw();
  }

  /** Scrolls to the first of some cells, down and sideways, and to as many of some columns as fit beside it. */
  reveal(cells, columns = []) {
    this.wanted = this.all;
    if (this.rows !== this.all) this.show(this.all);
    const first = cells.reduce((best, cell) => (best && best[0] <= cell[0] ? best : cell), null);
    if (first) this.revealRow(first[0]);
    this.revealColumns(first ? [first[1], ...columns] : columns);
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

  revealColumns(columns) {
    const names = [...new Set(columns)]
      .map((column) => this.head.querySelector(`[data-column="${column}"]`))
      .filter((name) => name && !name.classList.contains("stays"));
    if (!names.length) return;
    const stays = [...this.head.querySelectorAll(".row-number, .stays")].reduce((sum, one) => sum + one.offsetWidth, 0);
    const { scrollLeft, clientWidth: view } = this.container;
    const ends = (name) => [name.offsetLeft, name.offsetLeft + name.offsetWidth];
    const [from, to] = names.slice(1).map(ends).reduce(([from, to], [left, right]) => {
      const wider = [Math.min(from, left), Math.max(to, right)];
      return wider[1] - wider[0] <= view - stays ? wider : [from, to];
    }, ends(names[0]));
    const inside = from >= scrollLeft + stays && to <= scrollLeft + view;
    if (!inside) this.container.scrollLeft = Math.max(0, from - stays - Math.max(0, view - stays - (to - from)) / 3);
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
      el("th", { scope: "col", "data-column": column, class: this.numeric[column] ? "is-number" : null },
        el("button", { type: "button", class: "sort", title: `${header[column]}\nClick to sort`, onclick: () => this.sortBy(column) }, header[column] || "—")));
    this.head = el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "row-number" }, "#"), ...names));
    this.body = el("tbody");
    this.element = el("table", { "aria-rowcount": count + 1, class: this.small ? "whole" : "window" }, cols, this.head, this.body);
    const left = header.length - this.columns.length;
    const more = left > 0 && el("p", { class: "hint" }, `${number(left)} more columns are not shown.`);
    const empty = count === 0 && el("p", { class: "hint" }, "The table has a header and no rows, so there is nothing to ask about.");
    this.container.classList.toggle("long", !this.small);
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
      const texts = rows.map((row) => row[column] ?? "").concat(`${this.table.header[column]} ▲`);
      const longest = texts.reduce((most, text) => Math.max(most, measure(text)), this.widest[column] ?? 0);
      this.widest[column] = longest;
    }
    const room = this.container.clientWidth;
    if (this.widest.join() === before && this.room === room && this.element.style.width) return;
    this.room = room;
    const widths = this.columns.map((column) => Math.min(Math.max(Math.ceil(this.widest[column]) + PADDING, NARROWEST), WIDEST));
    const sum = widths.reduce((all, one) => all + one, numbers);
    const spare = Math.max(0, room - sum) / widths.length;
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

  /** Fits the columns of a long table into another room. */
  resized() {
    if (this.table && !this.small) {
      this.fit([]);
      this.fixFirst();
    }
    this.later();
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
    const [full, view] = [this.rows.count * ROW_HEIGHT, this.container.clientHeight];
    return full <= TALLEST ? 1 : (full - view) / (TALLEST - view);
  }

  /** Draws the visible rows. */
  draw() {
    if (!this.table) return;
    const { count } = this.rows;
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
    for (let place = from; place < to; place++) rows.push(this.row(place));
    if (below) rows.push(spacer(below));
    this.body.replaceChildren(...rows);
    for (const name of this.head.querySelectorAll("[data-column]")) {
      name.classList.toggle("is-column", this.marks.columns.has(Number(name.dataset.column)));
    }
    this.fetch(from, to);
  }

  /** The row at a place of the view. */
  row(place) {
    const [cells, row] = [this.rows.cells(place), this.rows.number(place)];
    const find = this.rows.view.find?.toLowerCase();
    const tr = el("tr", { "data-row": row, "aria-rowindex": place + 2 }, el("th", { scope: "row", class: "row-number" }, String(row + 1)));
    for (const column of this.columns) {
      const text = cells ? (cells[column] ?? "") : "";
      const shade = [this.shade(row, column), this.numeric[column] && "is-number", this.stays && column === this.columns[0] && "stays",
        find && text.toLowerCase().includes(find) && "is-found"];
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

  /** The texts of a row by its number, fetched if they are not here. */
  async texts(row) {
    if (!this.all.cells(row)) await this.all.fetch(row, 1);
    return this.all.cells(row);
  }

  /** Fetches visible rows that are missing. If that fails they stay empty until the next scroll. */
  async fetch(from, to) {
    const { rows } = this;
    try {
      const part = await rows.fill(from, to);
      if (!part || this.rows !== rows) return;
      if (!this.small) this.fit(part);
      this.later();
    } catch (error) {
      console.warn(`rows from ${from}: ${error.message}`);
    }
  }
}

function spacer(height) {
  const tr = el("tr", { class: "spacer", "aria-hidden": "true" }, el("td"));
  tr.style.height = `${height}px`;
  return tr;
}

/** True if nearly all texts of a column are numbers. */
export function isNumeric(texts) {
  const cells = texts.map((text) => text.trim()).filter(Boolean);
  const isDate = (cell) => /^\d{1,2}\.\d{1,2}\.(\d{2}|\d{4})$/.test(cell);
  const numbers = cells.filter((cell) => !isDate(cell) && /^[-+−(]?[$€£¥]?\s?\d[\d.,\s]*%?\)?$/.test(cell));
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
