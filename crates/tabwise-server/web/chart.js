// A chart of an answer that is a table of groups: bars, or a line if the groups are a series in time. The table stays
// beside it, so the chart is a picture with one sentence for those who cannot see it.

import { number } from "./dom.js";

const WIDTH = 360;
const BAR = 20;
const GAP = 6;
const LABEL = 120;
const HEIGHT = 160;
const FEWEST = 2;
const MOST = 40;
const SVG = "http://www.w3.org/2000/svg";

/** The chart of a table of groups, or null if it has nothing to draw: another shape, no numbers, too few or too many. */
export function chart({ header, rows }) {
  if (header.length !== 2 || rows.length < FEWEST || rows.length > MOST) return null;
  const points = rows.map(([label, text]) => ({ label, text, value: value(text) }));
  if (points.some((point) => point.value === null)) return null;
  const isSeries = points.length > 3 && points.every(({ label }) => /^(\d{4}|\d{4}-\d{2}(-\d{2})?|1[0-2]|[1-9])$/.test(label));
  const title = `${header[1]} by ${header[0]}: ${points.length} groups, from ${least(points).text} (${least(points).label}) to ${most(points).text} (${most(points).label})`;
  return isSeries ? line(points, title) : bars(points, title);
}

const least = (points) => points.reduce((a, b) => (b.value < a.value ? b : a));
const most = (points) => points.reduce((a, b) => (b.value > a.value ? b : a));

/** The number of a text such as "$1,234.50", or null. */
function value(text) {
  const digits = text.replace(/[$€£¥%,\s]/g, "").replace("−", "-");
  return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : null;
}

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, one] of Object.entries(attributes)) element.setAttribute(name, String(one));
  element.append(...children);
  return element;
}

function frame(width, height, title, ...children) {
  return draw("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title }, draw("title", {}, title), ...children);
}

function bars(points, title) {
  const low = Math.min(0, ...points.map((point) => point.value));
  const high = Math.max(0, ...points.map((point) => point.value));
  const x = (n) => LABEL + ((n - low) / (high - low || 1)) * (WIDTH - LABEL - 60);
  const shapes = points.flatMap(({ label, text, value: n }, at) => {
    const y = at * (BAR + GAP);
    const [from, to] = [Math.min(x(0), x(n)), Math.max(x(0), x(n))];
    return [
      draw("text", { x: LABEL - 8, y: y + BAR - 6, class: "chart-label", "text-anchor": "end" }, cut(label)),
      draw("rect", { x: from, y, width: Math.max(1, to - from), height: BAR, rx: 3, class: "chart-bar" }),
      draw("text", { x: to + 6, y: y + BAR - 6, class: "chart-value" }, text),
    ];
  });
  return frame(WIDTH, points.length * (BAR + GAP), title, ...shapes);
}

function line(points, title) {
  const sorted = [...points].sort((a, b) => a.label.localeCompare(b.label, "en", { numeric: true }));
  const [low, high] = [least(sorted).value, most(sorted).value];
  const x = (at) => 48 + (at / (sorted.length - 1)) * (WIDTH - 64);
  const y = (n) => 12 + (1 - (n - low) / (high - low || 1)) * (HEIGHT - 44);
  const path = sorted.map(({ value: n }, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(n).toFixed(1)}`).join("");
  const dots = sorted.map(({ label, text, value: n }, at) =>
    draw("circle", { cx: x(at), cy: y(n), r: 3, class: "chart-dot" }, draw("title", {}, `${label}: ${text}`)));
  const ends = [0, sorted.length - 1].map((at) =>
    draw("text", { x: x(at), y: HEIGHT - 8, class: "chart-label", "text-anchor": at ? "end" : "start" }, sorted[at].label));
  const scale = [low, high].map((n) => draw("text", { x: 42, y: y(n) + 4, class: "chart-label", "text-anchor": "end" }, number(n)));
  return frame(WIDTH, HEIGHT, title, draw("path", { d: path, class: "chart-line" }), ...dots, ...ends, ...scale);
}

function cut(label) {
  return label.length > 16 ? `${label.slice(0, 15)}…` : label || "(empty)";
}
