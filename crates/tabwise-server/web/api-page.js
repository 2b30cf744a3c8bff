// The page of the API: every operation of openapi.json with its parameters, the fields of its request and its responses.

import { byId, el } from "./dom.js";

const description = await (await fetch("/api/openapi.json")).json();

/** The schema that a reference leads to, with the fields of all its parts. */
function resolved(schema) {
  const name = schema?.$ref?.split("/").pop();
  if (name) return resolved(description.components.schemas[name]);
  const { allOf = [], ...own } = schema ?? {};
  return allOf.map(resolved).reduce((whole, part) => ({
    ...part, ...whole,
    properties: { ...whole.properties, ...part.properties },
    required: [...(whole.required ?? []), ...(part.required ?? [])],
  }), own);
}

/** The schemas of which a value has one: those of an alternative, or the schema itself. */
function alternatives(schema) {
  const { oneOf, properties } = resolved(schema);
  return oneOf && !properties ? oneOf : [schema];
}

const nameOf = ({ $ref }) => $ref.split("/").pop();

/** Texts joined to a list of parts, with a word between them. */
const joined = (parts, word) => parts.flatMap((part, at) => (at ? [word, ...part] : part));

/** The type of a value, as parts of a line; a type with fields is a link to them. */
function typeOf(schema) {
  const { $ref, type, items, anyOf, oneOf, enum: names } = schema ?? {};
  if ($ref && resolved(schema).properties) return [el("a", { href: `#${nameOf(schema)}` }, nameOf(schema))];
  if ($ref) return typeOf(resolved(schema));
  if (names) return [names.map((name) => `"${name}"`).join(" or ")];
  if (items) return ["list of ", ...typeOf(items)];
  const several = (anyOf ?? oneOf ?? []).filter((one) => one.type !== "null");
  if (several.length && !type) return joined(several.map(typeOf), " or ");
  return [[type].flat().filter((one) => one && one !== "null").join(" or ")];
}

/** A text in which what stands in backticks is code. */
const prose = (text) => text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));

/** A table of fields: name, type, description. `label` tells it from others. */
function fields(schema, label) {
  const { properties = {}, required = [] } = resolved(schema?.items ?? schema);
  const rows = Object.entries(properties).map(([name, field]) =>
    el("tr", {}, el("th", { scope: "row" }, el("code", {}, name), required.includes(name) ? " *" : ""),
      el("td", {}, ...typeOf(field)), el("td", {}, ...prose(field.description ?? resolved(field).description ?? ""))));
  return rows.length ? el("div", { class: "fields", tabindex: "0", role: "region", "aria-label": label }, el("table", {}, el("tbody", {}, ...rows))) : null;
}

/** The contents of a request or a response, by content type. */
function contents(content, label) {
  return Object.entries(content ?? {}).flatMap(([kind, { schema }]) => alternatives(schema).flatMap((one, at) => [
    el("p", { class: "hint" }, at ? `or ${kind}` : kind, ...(one.items ? [": ", ...typeOf(one)] : [])),
    fields(one, `${label}, ${kind}${at ? `, ${at + 1}` : ""}`),
  ])).filter(Boolean);
}

function operation(path, method, one) {
  const label = `${method.toUpperCase()} ${path}`;
  const parameters = (one.parameters ?? []).map(({ name, in: where, description: about = "", schema }) =>
    el("li", {}, el("code", {}, name), ` in the ${where}, `, ...typeOf(schema), about && ": ", ...prose(about)));
  const responses = Object.entries(one.responses).map(([status, response]) =>
    el("details", {}, el("summary", {}, `${status} `, ...prose(response.description)), ...contents(response.content, `${label}, ${status}`)));
  return el("section", { class: "card operation", "aria-label": label },
    el("h2", {}, el("span", { class: "method" }, method.toUpperCase()), " ", el("code", {}, path)),
    el("p", {}, one.summary ?? ""), one.description && el("p", { class: "hint" }, ...prose(one.description)),
    parameters.length > 0 && el("ul", { class: "parameters" }, ...parameters),
    ...(one.requestBody ? [el("h3", { class: "small-title" }, "Request"), ...contents(one.requestBody.content, label)] : []),
    el("h3", { class: "small-title" }, "Responses"), ...responses);
}

/** Names of the types that fields have, directly or through other types. */
function namesIn(value, found = new Set()) {
  if (typeof value?.$ref === "string" && !found.has(nameOf(value))) {
    found.add(nameOf(value));
    namesIn(description.components.schemas[nameOf(value)], found);
  } else if (value && typeof value === "object") Object.values(value).forEach((one) => namesIn(one, found));
  return found;
}

function type(name) {
  const schema = { $ref: `#/components/schemas/${name}` };
  return el("section", { class: "card operation", id: name, "aria-label": name }, el("h2", {}, el("code", {}, name)),
    el("p", {}, ...prose(resolved(schema).description ?? "")), fields(schema, `Fields of ${name}`));
}

const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => operation(path, method, one)));
const types = [...namesIn(description.paths)].filter((name) => resolved(description.components.schemas[name]).properties && !/(Request|Form)$/.test(name));
byId("operations").replaceChildren(...operations, el("h2", { class: "small-title" }, "Types"), ...types.sort().map(type));
