"use strict";
// Queries, sent to the endpoint beside this page. What comes back becomes text, never markup.

const MOST_ROWS = 1000; // rows that are shown; the file has all
const MOST_LINES = 18; // of a ready query that are seen at once
const SUGGESTIONS = 12;
const PAUSE = 180; // milliseconds after the last key before names are looked up

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const night = matchMedia("(prefers-color-scheme: dark)");

/** What finds the things that a parameter can name. */
const LOOKUPS = {
  concept: "?iri a skos:Concept ; skos:prefLabel|skos:altLabel ?label",
  paper: "?iri a schema:ScholarlyArticle ; rdfs:label|dcterms:title ?label",
  author: "?iri a foaf:Person ; foaf:name ?label",
};

/** Make an element; children are elements, or strings, which become text. */
function el(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

// Asking

/** Send a query with the values of some of its variables; return the JSON of its answer. */
async function ask(query, bindings, signal) {
  const body = new URLSearchParams({ query });
  for (const [name, value] of Object.entries(bindings)) body.append(`$${name}`, value);
  const answer = await fetch("/sparql", {
    method: "POST",
    body,
    signal,
    headers: { Accept: "application/sparql-results+json, application/n-triples;q=0.5" },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text.trim());
  return answer.headers.get("Content-Type").startsWith("application/n-triples")
    ? tableOfLines(text)
    : tableOf(JSON.parse(text), Object.keys(bindings));
}

/** Return the answer to a SELECT or ASK as columns and rows, without what was given. */
function tableOf({ head, results, boolean }, given) {
  if (boolean !== undefined) {
    return { columns: ["answer"], rows: [[{ type: "literal", value: String(boolean) }]] };
  }
  const columns = head.vars.filter((name) => !given.includes(name));
  return { columns, rows: results.bindings.map((row) => columns.map((name) => row[name])) };
}

/** Return the triples of a CONSTRUCT, a line each. */
function tableOfLines(text) {
  const lines = text.split("\n").filter(Boolean);
  return {
    columns: ["triple"],
    rows: lines.map((line) => [{ type: "literal", value: line }]),
  };
}

// The answer

/** Return an IRI as people write it: a name with a prefix, or without the base of the graph. */
function short(iri) {
  for (const [prefix, namespace] of Object.entries(data.prefixes)) {
    if (iri.startsWith(namespace) && !/[/#]/.test(iri.slice(namespace.length))) {
      return `${prefix}:${iri.slice(namespace.length)}`;
    }
  }
  return iri.startsWith(data.base) ? plain(iri.slice(data.base.length)) : iri;
}

/** Return a segment of an IRI without its escapes. */
function plain(path) {
  try {
    return decodeURIComponent(path.replaceAll("+", " "));
  } catch {
    return path;
  }
}

/** Return where an IRI leads: a paper to its page in the explorer, an address to the web. */
function link(iri) {
  const name = short(iri);
  const paper = `${data.base}paper/`;
  if (iri.startsWith(paper) && !/[/:]/.test(iri.slice(paper.length))) {
    const made = el("a", "", name);
    made.href = `/#paper=${encodeURIComponent(plain(iri.slice(paper.length)))}`;
    return made;
  }
  if (iri.startsWith(data.base) || name !== iri || !/^https?:\/\//.test(iri)) return name;
  const made = el("a", "outside", iri);
  made.href = iri;
  made.target = "_blank";
  made.rel = "noopener noreferrer";
  return made;
}

const isNumber = (term) => /#(integer|decimal|double|float)$/.test(term?.datatype ?? "");

/** Return an RDF 1.2 term as text: a triple by its three parts. */
function wording(term) {
  if (term.type !== "triple") return term.value;
  const { subject, predicate, object } = term.value;
  return `<< ${[subject, predicate, object].map(wording).join(" ")} >>`;
}

function cell(term, numeric) {
  const made = el("td", numeric ? "number" : "");
  if (!term) return made;
  made.append(term.type === "uri" ? link(term.value) : wording(term));
  return made;
}

function show({ columns, rows }, milliseconds) {
  const shown = rows.slice(0, MOST_ROWS);
  const numeric = columns.map((_, at) => shown.length > 0 && shown.every((row) => isNumber(row[at])));
  const head = columns.map((name, at) => {
    const made = el("th", numeric[at] ? "number" : "", name);
    made.scope = "col";
    return made;
  });
  const body = shown.map((row) => el("tr", "", ...row.map((term, at) => cell(term, numeric[at]))));
  const count = `${rows.length.toLocaleString("en")} row${rows.length === 1 ? "" : "s"}`;
  const more = rows.length > MOST_ROWS ? `, the first ${MOST_ROWS.toLocaleString("en")} shown` : "";
  tell(`${count}${more} · ${Math.round(milliseconds)} ms`);
  byId("save").hidden = rows.length === 0;
  const box = el("div", "scroll", el("table", "", el("thead", "", el("tr", "", ...head)), el("tbody", "", ...body)));
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Table of the answer");
  byId("results").replaceChildren(rows.length ? box : el("p", "", "Nothing fits this query."));
}

function tell(text) {
  byId("told").textContent = text;
}

function complain(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
}

/** Return the answer as CSV; a text that a spreadsheet would compute is guarded. */
function csv({ columns, rows }) {
  const guarded = (text) => (/^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text);
  const field = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells) => cells.map((text) => field(guarded(text))).join(",");
  const lines = [columns, ...rows.map((row) => row.map((term) => (term ? wording(term) : "")))];
  return `${lines.map(line).join("\r\n")}\r\n`;
}

function save() {
  const blob = new Blob(["\ufeff", csv(now.answer)], { type: "text/csv" });
  const made = el("a");
  made.href = URL.createObjectURL(blob);
  made.download = `${now.example?.name ?? "answer"}.csv`;
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 1000);
}

// Parameters of a ready query

/** Find things by a part of their name, the shortest names first. */
async function named(kind, text) {
  const query = `SELECT DISTINCT ?text ?iri ?label WHERE { ${LOOKUPS[kind]} .
    FILTER(CONTAINS(LCASE(STR(?label)), LCASE(?text))) }
    ORDER BY STRLEN(STR(?label)) ?label ?iri LIMIT ${SUGGESTIONS}`;
  const { columns, rows } = await ask(query, { text });
  const [iri, label] = [columns.indexOf("iri"), columns.indexOf("label")];
  return rows.map((row) => ({ iri: row[iri].value, label: row[label].value }));
}

/** A field for a parameter: a choice of a few, or words with suggestions. */
class Field {
  constructor(parameter) {
    this.parameter = parameter;
    this.known = new Map([[parameter.label, parameter.iri]]);
    const choices = data.choices[parameter.kind];
    this.input = choices ? this.select(choices) : this.words();
    this.element = el("label", "parameter", el("span", "", capital(parameter.name)), this.input);
    if (this.list) this.element.append(this.list);
  }

  select(choices) {
    const options = choices.map(({ label, iri }) => {
      const made = el("option", "", label.replaceAll("_", " "));
      made.value = iri;
      made.selected = iri === this.parameter.iri;
      return made;
    });
    return el("select", "", ...options);
  }

  words() {
    const { name, kind, label } = this.parameter;
    this.list = el("datalist");
    this.list.id = `names-${name}`;
    const input = el("input");
    input.type = "text";
    input.value = label;
    input.placeholder = `Name of ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
    input.autocomplete = "off";
    input.spellcheck = false;
    input.setAttribute("list", this.list.id);
    input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.suggest(), PAUSE);
    });
    return input;
  }

  async suggest() {
    const text = this.input.value.trim();
    if (!text || this.known.has(text)) return;
    const found = await named(this.parameter.kind, text).catch(() => []);
    for (const { label, iri } of found) if (!this.known.has(label)) this.known.set(label, iri);
    this.list.replaceChildren(
      ...found.map(({ label }) => {
        const made = el("option");
        made.value = label;
        return made;
      }),
    );
  }

  /** Return the IRI that is meant: of that name or, where there is none, of the nearest. */
  async value() {
    if (!this.list) return this.input.value;
    const text = this.input.value.trim();
    if (!this.known.has(text) && text) {
      const [nearest] = await named(this.parameter.kind, text);
      if (nearest) {
        this.known.set(nearest.label, nearest.iri);
        this.input.value = nearest.label;
        return nearest.iri;
      }
    }
    if (!this.known.get(text)) throw new Error(`No ${this.parameter.kind} is called “${text}”.`);
    return this.known.get(text);
  }
}

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

// The page

const now = { example: null, fields: [], answer: null, abort: null };

/** Put a ready query into the editor, with values to which there is an answer. */
function choose(example) {
  now.example = example;
  now.fields = example.parameters.map((parameter) => new Field(parameter));
  byId("title").textContent = example.title;
  byId("parameters").replaceChildren(...now.fields.map((field) => field.element));
  byId("parameters").hidden = now.fields.length === 0;
  const text = example.text.replace(/^(#.*\n)+/, "").trimEnd();
  byId("editor").value = text;
  byId("editor").rows = Math.min(text.split("\n").length, MOST_LINES);
  for (const made of byId("example-list").querySelectorAll("button")) {
    if (made.dataset.name === example.name) made.setAttribute("aria-current", "true");
    else made.removeAttribute("aria-current");
  }
  history.replaceState(null, "", `#example=${encodeURIComponent(example.name)}`);
}

async function bindings() {
  const pairs = now.fields.map(async (field) => [field.parameter.name, `<${await field.value()}>`]);
  return Object.fromEntries(await Promise.all(pairs));
}

async function run() {
  now.abort?.abort();
  const abort = new AbortController();
  now.abort = abort;
  byId("run").disabled = true;
  byId("stop").hidden = false;
  complain("");
  tell("Asking …");
  try {
    const given = await bindings();
    const began = performance.now();
    now.answer = await ask(byId("editor").value, given, abort.signal);
    show(now.answer, performance.now() - began);
  } catch (error) {
    byId("save").hidden = true;
    byId("results").replaceChildren();
    tell(error.name === "AbortError" ? "Stopped." : "");
    if (error.name !== "AbortError") {
      complain(error instanceof TypeError ? "The server does not answer; is kg serve still running?" : error.message);
    }
  } finally {
    if (now.abort === abort) {
      byId("run").disabled = false;
      byId("stop").hidden = true;
    }
  }
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").setAttribute("aria-pressed", String(dark));
}

function start() {
  byId("example-list").append(
    ...data.queries.map((example) => {
      const made = el("button", "", example.title);
      made.type = "button";
      made.dataset.name = example.name;
      made.addEventListener("click", () => {
        choose(example);
        run();
      });
      return el("li", "", made);
    }),
  );
  byId("endpoint").textContent = `${location.origin}/sparql`;
  byId("theme").setAttribute("aria-pressed", String(night.matches));
  byId("theme").addEventListener("click", () =>
    theme(byId("theme").getAttribute("aria-pressed") !== "true"),
  );
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  byId("stop").addEventListener("click", () => now.abort?.abort());
  byId("save").addEventListener("click", save);
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  });
  const name = new URLSearchParams(location.hash.slice(1)).get("example");
  choose(data.queries.find((example) => example.name === name) ?? data.queries.find((q) => q.name === "counts"));
  run();
}

start();
