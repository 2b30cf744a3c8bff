// Requests to the server. A failure is thrown as an Error with the server's message and status.

export class ApiError extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** Sends a request, with the token of the server if it wants one. */
async function withToken(path, options = {}) {
  const token = sessionStorage.getItem("token");
  const headers = token ? { ...options.headers, authorization: `Bearer ${token}` } : options.headers;
  const response = await fetch(path, { ...options, headers });
  if (response.status !== 401) return response;
  const given = prompt("This server wants its token.");
  if (!given) return response;
  sessionStorage.setItem("token", given.trim());
  return fetch(path, { ...options, headers: { ...options.headers, authorization: `Bearer ${given.trim()}` } });
}

async function request(path, options) {
  let response;
  try {
    response = await withToken(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server cannot be reached. Is it still running?", 0);
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const id = body.id ? ` (id ${body.id})` : "";
    throw new ApiError(sentence(body.error ?? `The server answered with status ${response.status}`) + id, response.status);
  }
  return body;
}

function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

const json = (body) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** The example tables. */
export const examples = () => request("/api/examples");

/** The description of a stored table. */
export const table = (id) => request(`/api/table/${encodeURIComponent(id)}`);

/** Some rows of a table, in a view: `find`, `sort` and `descending`. */
export function rows(id, from, count, view = {}) {
  const wanted = Object.entries({ from, count, ...view }).filter(([, value]) => value !== undefined && value !== "");
  return request(`/api/table/${encodeURIComponent(id)}/rows?${new URLSearchParams(wanted)}`);
}

/** The question behind a link. */
export const link = (id) => request(`/api/link/${encodeURIComponent(id)}`);

/** Uploads a table, a file or a pasted text, with options for reading it. */
export function send(source, reading = {}) {
  const form = new FormData();
  if (source.file) form.append("file", source.file, source.name);
  else form.append("text", new Blob([source.text]), source.name ?? "");
  for (const [name, value] of Object.entries(reading)) if (value) form.append(name, value);
  return request("/api/table", { method: "POST", body: form });
}

/** Teaches the right answer to a question about a stored table: a `formula`, or a list of values as `answer`. */
export const correct = (id, question, right) => request("/api/correct", json({ table: { id }, question, ...right }));

/** Takes a correction back. */
export const undo = (correction) => request(`/api/correct/${encodeURIComponent(correction)}`, { method: "DELETE" });

/** Asks a question about a stored table; with `all`, a long answer has every value. */
export const ask = (id, question, { signal, all = false } = {}) =>
  request("/api/ask", { ...json({ table: { id }, question, all }), signal });
