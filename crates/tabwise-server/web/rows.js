// Rows of a table as the server has them, in pages: all of them, or those of a view, which have a text or are sorted by a
// column. Only rows that were in sight are fetched, and pages that were not used for long are dropped.

import * as api from "./api.js";

const PAGE = 200;
const KEPT_PAGES = 60;

export class Rows {
  /** The rows of a table in a view: `find`, `sort` and `descending`, all of which may be missing. */
  constructor(table, view = {}) {
    this.table = table;
    this.view = view;
    this.count = table.row_count;
    this.pages = new Map();
    this.fetching = new Set();
  }

  /** Texts of a row by its place; undefined if they are not here. */
  cells(place) {
    return this.page(place)?.[place % PAGE]?.cells;
  }

  /** Number of a row in the table by its place. */
  number(place) {
    return this.page(place)?.[place % PAGE]?.number ?? place;
  }

  page(place) {
    return this.pages.get(Math.floor(place / PAGE));
  }

  /** Stores rows, and drops the pages that were made first. */
  keep(from, rows, numbers) {
    rows.forEach((cells, at) => {
      const page = Math.floor((from + at) / PAGE);
      if (!this.pages.has(page)) this.pages.set(page, []);
      this.pages.get(page)[(from + at) % PAGE] = { cells, number: numbers?.[at] ?? from + at };
    });
    while (this.pages.size > KEPT_PAGES) this.pages.delete(this.pages.keys().next().value);
  }

  /** Fetches some rows. */
  async fetch(from, count) {
    const part = await api.rows(this.table.id, from, count, this.view);
    this.count = part.row_count;
    this.keep(from, part.rows, part.numbers);
    return part.rows;
  }

  /** Fetches the first rows of a range that are missing, up to the end of their page; null if none are. */
  async fill(from, to) {
    for (let place = from; place < to; place++) {
      if (this.cells(place) || this.fetching.has(place)) continue;
      const last = Math.min((Math.floor(place / PAGE) + 1) * PAGE, this.count);
      const places = Array.from({ length: last - place }, (_, at) => place + at);
      places.forEach((one) => this.fetching.add(one));
      try {
        return await this.fetch(place, last - place);
      } finally {
        places.forEach((one) => this.fetching.delete(one));
      }
    }
    return null;
  }
}
