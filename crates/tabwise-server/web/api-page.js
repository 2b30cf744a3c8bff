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

function typeOf(schema) {
  const { $ref, type, items, anyOf, oneOf } = schema ?? {};
  if ($ref) return $ref.split("/").pop();
  if (items) return `list of ${typeOf(items)}`;
  const several = anyOf ?? oneOf;
  if (several && !type) return [...new Set(several.map(typeOf))].filter(Boolean).join(" or ");
  return [type].flat().filter((one) => one && one !== "null").join(" or ");
}

/** A table of fields: name, type, description. */
function fields(schema) {
  const { properties = {}, required = [] } = resolved(schema?.items ?? schema);
  const rows = Object.entries(properties).map(([name, field]) =>
    el("tr", {}, el("th", { scope: "row" }, el("code", {}, name), required.includes(name) ? " *" : ""),
      el("td", {}, typeOf(field)), el("td", {}, field.description ?? resolved(field).description ?? "")));
  return rows.length ? el("div", { class: "fields", tabindex: "0", role: "region", "aria-label": "Fields" }, el("table", {}, el("tbody", {}, ...rows))) : null;
}

/** Content type, and what a list is of. */
const heading = (kind, schema) => (schema?.items ? `${kind}: ${typeOf(schema)}` : kind);

function contents(content = {}) {
  return Object.entries(content).flatMap(([kind, { schema }]) =>
    alternatives(schema).flatMap((one) => [el("p", { class: "hint" }, heading(kind, one)), fields(one)])).filter(Boolean);
}

function operation(path, method, one) {
  const parameters = (one.parameters ?? []).map((parameter) => {
    const { name, in: where, description: about, schema } = parameter;
    return el("li", {}, el("code", {}, name), ` in the ${where}, ${typeOf(schema)}${about ? `: ${about}` : ""}`);
  });
  const responses = Object.entries(one.responses).map(([status, response]) =>
    el("details", {}, el("summary", {}, `${status} ${resolved(response).description ?? response.description ?? ""}`), ...contents(response.content)));
  return el("section", { class: "card operation", id: `${method}${path}` },
    el("h2", {}, el("span", { class: "method" }, method.toUpperCase()), " ", el("code", {}, path)),
    el("p", {}, one.summary ?? ""), one.description && el("p", { class: "hint" }, one.description),
    parameters.length > 0 && el("ul", { class: "parameters" }, ...parameters),
    ...(one.requestBody ? [el("h3", { class: "small-title" }, "Request"), ...contents(one.requestBody.content)] : []),
    el("h3", { class: "small-title" }, "Responses"), ...responses);
}

byId("operations").replaceChildren(...Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => operation(path, method, one))));
