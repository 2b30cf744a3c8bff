// The answer as a picture file, for a slide or a message: the question, the values or groups, the sentence and how sure it is.
// It is drawn on a canvas, since the page may load no picture that is not the server's.

import { readable } from "./dom.js";

const WIDTH = 720;
const MARGIN = 28;
const MOST_LINES = 12; // of values or groups
const SHARPNESS = 2; // pixels of the file for each of the page
const FONTS = { question: "15px", value: "700 26px", group: "15px", text: "16px", small: "13px" };

/** Draws an interpretation and lets `done` have it as a file. */
export function png(answer, meaning, done) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const lines = content(answer, meaning, pen);
  const height = lines.reduce((sum, line) => sum + line.height, 2 * MARGIN);
  [canvas.width, canvas.height] = [WIDTH * SHARPNESS, height * SHARPNESS];
  pen.scale(SHARPNESS, SHARPNESS);
  pen.fillStyle = colour("surface");
  pen.fillRect(0, 0, WIDTH, height);
  let y = MARGIN;
  for (const line of lines) {
    set(pen, line.kind);
    if (line.bar > 0) {
      pen.fillStyle = colour("accent-wash");
      pen.fillRect(MARGIN, y, line.bar * (WIDTH - 2 * MARGIN), line.height - 6);
    }
    pen.fillStyle = colour(line.kind === "question" || line.kind === "small" ? "soft" : "ink");
    pen.textBaseline = "middle";
    pen.fillText(line.text, MARGIN + (line.bar === undefined ? 0 : 8), y + (line.height - 6) / 2);
    if (line.right) pen.fillText(line.right, WIDTH - MARGIN - 8 - pen.measureText(line.right).width, y + (line.height - 6) / 2);
    y += line.height;
  }
  canvas.toBlob(done, "image/png");
}

function set(pen, kind) {
  pen.font = `${FONTS[kind]} ${getComputedStyle(document.body).fontFamily}`;
}

/** The lines of the picture. */
function content(answer, meaning, pen) {
  const text = (kind, height, words) => wrapped(pen, kind, words).map((line) => ({ kind, height, text: line }));
  const what = meaning.table ? groups(meaning.table) : values(meaning.answer, pen);
  return [
    ...text("question", 26, answer.question), ...what, { kind: "small", height: 10, text: "" },
    ...text("text", 26, meaning.english), ...text("small", 22, `${Math.round(meaning.confidence * 100)} % sure`),
  ];
}

function values(list, pen) {
  const shown = list.slice(0, MOST_LINES).map(readable).join(", ") || "nothing";
  const more = list.length > MOST_LINES ? ` and ${list.length - MOST_LINES} more` : "";
  return wrapped(pen, "value", shown + more).map((line) => ({ kind: "value", height: 40, text: line }));
}

/** The groups as lines, with a bar behind those that are numbers. */
function groups({ rows }) {
  const size = (row) => Math.abs(Number(String(row.at(-1)).replace(/[$€£¥%,\s]/g, "")));
  const most = Math.max(...rows.map(size).filter(Number.isFinite), 0);
  const lines = rows.slice(0, MOST_LINES).map((row) => ({
    kind: "group", height: 32, text: row.slice(0, -1).join(", ") || "(empty)", right: readable(String(row.at(-1))),
    bar: most > 0 && Number.isFinite(size(row)) ? size(row) / most : 0,
  }));
  const more = rows.length - MOST_LINES;
  return more > 0 ? [...lines, { kind: "small", height: 24, text: `and ${more} more` }] : lines;
}

/** Text in lines that fit into the picture. */
function wrapped(pen, kind, text) {
  set(pen, kind);
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && pen.measureText(longer).width > WIDTH - 2 * MARGIN) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
