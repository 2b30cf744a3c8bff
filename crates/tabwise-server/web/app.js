// The page: from a table to a question to an answer. The address determines the view: / is the start, /t/ID a table,
// /t/ID?q=… a question about it, and /q/… a link to a question that the server keeps.

import { byId, el, number, show } from "./dom.js";
import * as api from "./api.js";
import { Grid } from "./grid.js";
import { showAnswer, showInvitation, showWaiting } from "./answer.js";

const grid = new Grid(byId("grid"), showView);
const question = byId("question");

/** The current table, its source (to upload it again if the server has dropped it), and the running request. */
const state = { table: null, source: null, reading: {}, asking: null, examples: [] };

function fail(error) {
  if (error.name === "AbortError") return;
  const box = byId("error");
  box.textContent = error.message;
  show(box, true);
}

/** Runs an action and shows its error, if any, at the top of the page. */
async function attempt(work) {
  show(byId("error"), false);
  document.body.classList.add("busy");
  try {
    return await work();
  } catch (error) {
    fail(error);
  } finally {
    document.body.classList.remove("busy");
  }
}

// Tables.

function showTable(table, source) {
  state.table = table;
  state.source = source;
  show(byId("start"), false);
  show(byId("work"), true);
  byId("table-name").textContent = table.name;
  const size = `${plural(table.row_count, "row")}, ${plural(table.header.length, "column")}`;
  byId("table-size").textContent = table.title ? `${table.title} · ${size}` : size;
  showNotes(table.notes);
  show(byId("reading"), Boolean(source));
  show(byId("legend"), false);
  suggest(table);
  offerChoices(table);
  showFormer();
  grid.open(table);
  showInvitation(byId("answer"));
  document.title = `${table.name} · Tabwise`;
}

/** Says how many rows are in a view. */
function showView({ find = "" }, count) {
  if (document.activeElement !== byId("find")) byId("find").value = find;
  byId("found").textContent = find ? `${number(count)} of ${plural(state.table.row_count, "row")}` : "";
}

const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

function showNotes(notes) {
  const box = byId("notes");
  show(box, notes.length > 0);
  box.querySelector("summary").textContent = notes.length === 1 ? "1 note on how it was read" : `${notes.length} notes on how it was read`;
  box.querySelector("ul").replaceChildren(...notes.map((note) => el("li", {}, note)));
}

const chip = (text) => el("li", {}, el("button", { type: "button", class: "chip", onclick: () => ask(text) }, text));

/** Offers questions: those of an example, or some that fit the columns of the table. */
function suggest(table) {
  const example = state.examples.find((one) => one.id === table.id);
  byId("suggestions").replaceChildren(...(example?.questions ?? table.suggestions ?? []).map(chip));
}

/** Offers the sheets or tables that the file holds, while the file is at hand to be read again. */
function offerChoices(table) {
  const many = table.tables.length > 1;
  show(byId("choices"), many && Boolean(state.source));
  const label = ({ number: at, title, rows, columns }) => `${title || `Table ${at + 1}`} (${number(rows)} × ${columns})`;
  const options = table.tables.map((one) => el("option", { value: one.number }, label(one)));
  const pick = byId("choices").querySelector("select");
  pick.replaceChildren(el("option", { value: "" }, "found by Tabwise"), ...options);
  pick.value = state.reading.table ?? "";
}

/** Questions that were asked about this table in this tab, the newest first. */
const former = {
  key: () => `asked ${state.table.id}`,
  list: () => JSON.parse(sessionStorage.getItem(former.key()) ?? "[]"),
  add: (text) => {
    const list = [text, ...former.list().filter((one) => one !== text)].slice(0, 30);
    sessionStorage.setItem(former.key(), JSON.stringify(list));
  },
};

function showFormer() {
  const list = former.list();
  show(byId("former"), list.length > 0);
  byId("former").querySelector("ul").replaceChildren(...list.map(chip));
}

/** Puts the view into the address, so that reload, Back and a copied address show it again. */
function visit(path) {
  if (location.pathname + location.search !== path) history.pushState(null, "", path);
}

const tablePath = (id, asked) => `/t/${encodeURIComponent(id)}${asked ? `?q=${encodeURIComponent(asked)}` : ""}`;

const sendTable = (source, reading = {}) => attempt(async () => {
  const table = await api.send(source, reading);
  state.reading = reading;
  showTable(table, source);
  visit(tablePath(table.id));
  question.value = "";
  question.focus();
});

/** Opens an example and asks its first question. */
const openExample = (example) => attempt(async () => {
  showTable(await api.table(example.id), null);
  await ask(example.questions[0]);
  // On a touch screen, the keyboard would cover the answer.
  if (matchMedia("(pointer: coarse)").matches) return;
  question.focus();
  question.select();
});

function showStart() {
  state.asking?.abort();
  state.table = null;
  show(byId("work"), false);
  show(byId("start"), true);
  document.title = "Tabwise";
}

// Questions.

async function ask(text, { push = true } = {}) {
  const asked = text.trim();
  if (!asked || !state.table) return question.focus();
  question.value = asked;
  state.asking?.abort();
  const asking = new AbortController();
  state.asking = asking;
  const wait = setTimeout(() => showWaiting(byId("answer")), 120);
  await attempt(async () => {
    try {
      const answer = await askKept(asked, { signal: asking.signal });
      if (asking.signal.aborted) return;
      clearTimeout(wait);
      const whole = () => attempt(() => askKept(asked, { signal: asking.signal, all: true }));
      if (push) visit(tablePath(state.table.id, asked));
      present(asked, answer, whole);
      former.add(asked);
      showFormer();
      document.title = `${asked} · Tabwise`;
    } catch (error) {
      if (error.name !== "AbortError") {
        grid.mark(null);
        showInvitation(byId("answer"));
      }
      throw error;
    } finally {
      clearTimeout(wait);
    }
  });
}

/** Shows an answer, with what can be said about it. */
function present(asked, answer, whole) {
  const again = (work) => attempt(async () => {
    const corrected = await work();
    present(asked, corrected, () => attempt(() => askKept(asked, { all: true })));
    document.querySelector("#undo, #right")?.focus();
  });
  const teach = {
    formula: (formula) => again(() => api.correct(state.table.id, asked, { formula })),
    values: (values) => again(() => api.correct(state.table.id, asked, { answer: values })),
    undo: (correction) => again(async () => {
      await api.undo(correction);
      return askKept(asked, {});
    }),
  };
  showAnswer(byId("answer"), grid, answer, whole, teach);
  show(byId("legend"), answer.meanings.length > 0);
}

/** Asks a question. Uploads the table again if the server has dropped it. */
async function askKept(asked, options) {
  try {
    return await api.ask(state.table.id, asked, options);
  } catch (error) {
    if (error.status !== 404 || !state.source) throw error;
    state.table = await api.send(state.source, state.reading);
    grid.table.id = state.table.id;
    return api.ask(state.table.id, asked, options);
  }
}

/** Shows the view of the current address. */
const follow = () => attempt(async () => {
  const [, kind, id] = /^\/([qt])\/([^/]+)$/.exec(location.pathname) ?? [];
  if (location.pathname === "/") return showStart();
  if (!id) throw new Error("There is nothing at this address. Start over with one of these.");
  const asked = new URLSearchParams(location.search).get("q");
  const link = kind === "q" ? await api.link(id) : { table_id: decodeURIComponent(id), question: asked };
  if (state.table?.id !== link.table_id) showTable(await api.table(link.table_id), null);
  if (link.question) return ask(link.question, { push: false });
  question.value = "";
  grid.mark(null);
  showInvitation(byId("answer"));
});

// User actions.

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(question.value);
});
byId("file").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) sendTable({ file, name: file.name });
  event.target.value = "";
});
byId("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("text").value;
  if (text.trim()) sendTable({ text, name: "" });
  else byId("text").focus();
});
byId("again").addEventListener("submit", (event) => {
  event.preventDefault();
  if (state.source) sendTable(state.source, Object.fromEntries(new FormData(event.target)));
});
byId("choices").addEventListener("change", (event) => {
  if (state.source) sendTable(state.source, { ...state.reading, table: event.target.value });
});
let pause;
byId("find").addEventListener("input", (event) => {
  clearTimeout(pause);
  pause = setTimeout(() => attempt(() => grid.look({ ...grid.rows.view, find: event.target.value.trim() })), 200);
});
byId("change").addEventListener("click", () => {
  visit("/");
  showStart();
  byId("file").focus();
});
document.querySelector(".brand").addEventListener("click", (event) => {
  event.preventDefault();
  visit("/");
  showStart();
});
addEventListener("popstate", follow);
addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && state.table) {
    event.preventDefault();
    question.focus();
    question.select();
  }
});

// Dropping and pasting work anywhere on the page.

let over = 0;
const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
addEventListener("dragenter", (event) => {
  if (holdsFile(event)) show(byId("veil"), ++over > 0);
});
addEventListener("dragleave", (event) => {
  if (holdsFile(event)) show(byId("veil"), (over = Math.max(0, over - 1)) > 0);
});
addEventListener("dragover", (event) => {
  if (holdsFile(event)) event.preventDefault();
});
addEventListener("drop", (event) => {
  over = 0;
  show(byId("veil"), false);
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  sendTable({ file, name: file.name });
});
addEventListener("paste", (event) => {
  if (/^(INPUT|TEXTAREA)$/.test(event.target?.tagName ?? "")) return;
  const html = event.clipboardData?.getData("text/html") ?? "";
  const text = /<table/i.test(html) ? html : (event.clipboardData?.getData("text/plain") ?? "");
  if (text.includes("\n") || /<table/i.test(text)) sendTable({ text, name: "" });
});

/** Loads the examples, then shows the view of the address. */
async function start() {
  await attempt(async () => {
    state.examples = await api.examples();
    byId("examples").replaceChildren(...state.examples.map((example) =>
      el("li", {}, el("button", { type: "button", class: "card example", onclick: () => openExample(example) },
        el("strong", {}, example.title), el("span", { class: "hint" }, example.about), el("em", {}, `“${example.questions[0]}”`)))));
  });
  if (location.pathname !== "/") await follow();
}

start();
