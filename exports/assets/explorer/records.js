// Papers as BibTeX, RIS and CSV: texts that programs read back, whatever a title holds.

const LATEX = {
  ...Object.fromEntries([..."#$%&_"].map((sign) => [sign, `\\${sign}`])),
  "{": "$\\lbrace$", // BibTeX counts a brace even behind a backslash
  "}": "$\\rbrace$",
  "\\": "$\\backslash$",
  "^": "\\^{}",
  "~": "\\textasciitilde{}",
};
const VERBATIM = { "{": "%7B", "}": "%7D", "\\": "%5C", " ": "%20" };
const CITATION_KEY = /^[A-Za-z0-9][A-Za-z0-9:._/+-]*$/;
const MEETING = /\b(?:proceedings|proc\.|conference|workshop|symposium|meeting|findings of|advances in neural)/i;
const FORMULA = /^[=+\-@\t\r]/;

/** Return a text on one line, so that none of it begins a tag or an entry. */
const oneLine = (text) => text.split(/\s+/).filter(Boolean).join(" ");
const latex = (text) => oneLine(text).replace(/[#$%&_{}\\^~]/g, (sign) => LATEX[sign]);
const verbatim = (text) => oneLine(text).replace(/[{}\\ ]/g, (sign) => VERBATIM[sign]);
const plainAscii = (text) => text.normalize("NFKD").replace(/[^\x00-\x7f]/g, "");

/** Return what the formats need of a paper; its text is unpacked for it. */
async function paperRecord(atlas, p) {
  const { papers } = atlas;
  const { text, keywords } = await atlas.text(p);
  return {
    id: papers.id[p],
    title: atlas.title(p) || atlas.label(p),
    authors: authorsOf(atlas, p),
    year: papers.year[p],
    venue: venueOf(atlas, p),
    doi: papers.doi[p] ?? "",
    url: papers.url[p] ?? "",
    keywords,
    abstract: atlas.head.abstracts === "full" ? text : "",
  };
}

/** Return family and given name; a name that cannot be told apart is a family name alone. */
function nameParts(name) {
  const words = name.split(/\s+/).filter(Boolean);
  const suffix = words.length > 2 && /^(?:jr\.?|sr\.?|II|III|IV)$/i.test(words.at(-1)) ? words.pop() : "";
  if (words.length < 2 || /\band\b|,/i.test(name) || /^(?:[A-Z]\.?-?){1,4}$/.test(words.at(-1))) {
    return { given: "", family: oneLine(name), suffix: "" };
  }
  let at = words.length - 1;
  const isParticle = (word) => word === word.toLowerCase() && word !== word.toUpperCase();
  while (at > 1 && isParticle(words[at - 1])) at--;
  return { given: words.slice(0, at).join(" "), family: words.slice(at).join(" "), suffix };
}

function bibtexName(name) {
  const { given, family, suffix } = nameParts(name);
  if (suffix) return [family, suffix, given].map(latex).join(", ");
  const whole = !given && (/ |,|\band\b/i.test(family) || family.toLowerCase() === "others");
  return whole ? `{${latex(name)}}` : latex(name);
}

function risName(name) {
  const { given, family, suffix } = nameParts(name);
  if (!given) return oneLine(family.replaceAll(",", " ")); // a comma would turn the name round
  return [family, given, suffix].filter(Boolean).join(", ");
}

function citationKey(record) {
  if (record.id !== record.doi && CITATION_KEY.test(record.id)) return record.id;
  const author = record.authors.length ? nameParts(record.authors[0]).family : "";
  const word = plainAscii(record.title).toLowerCase().match(/[a-z0-9]{3,}/)?.[0] ?? "";
  const made = `${plainAscii(author).toLowerCase()}${record.year ?? ""}${word}`.replace(/[^a-z0-9]/g, "");
  return made || plainAscii(record.id).replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "paper";
}

/** Return the records with a key each; BibTeX takes no notice of case. */
function withKeys(records) {
  const used = new Set();
  return records.map((record) => {
    const wanted = citationKey(record);
    let key = wanted;
    for (let number = 2; used.has(key.toLowerCase()); number++) key = `${wanted}-${number}`;
    used.add(key.toLowerCase());
    return { ...record, key };
  });
}

function bibtexEntry(record) {
  const meeting = MEETING.test(record.venue);
  const entry = !record.venue ? "misc" : meeting ? "inproceedings" : "article";
  const fields = {
    title: `{${latex(record.title)}}`,
    author: record.authors.map(bibtexName).join(" and "),
    year: String(record.year ?? ""),
    [meeting ? "booktitle" : "journal"]: latex(record.venue),
    doi: verbatim(record.doi),
    url: verbatim(record.url),
    keywords: record.keywords.map(latex).join("; "),
    abstract: latex(record.abstract),
  };
  const lines = Object.entries(fields).map(([name, value]) => (value ? `  ${name} = {${value}},\n` : ""));
  return `@${entry}{${record.key},\n${lines.join("")}}\n\n`;
}

const toBibtex = (records) => withKeys(records).map(bibtexEntry).join("");

function risEntry(record) {
  const meeting = MEETING.test(record.venue);
  const tags = [
    ["TY", !record.venue ? "GEN" : meeting ? "CPAPER" : "JOUR"],
    ["ID", record.id],
    ["TI", record.title],
    ...record.authors.map((name) => ["AU", risName(name)]),
    ["PY", String(record.year ?? "")],
    ["T2", record.venue],
    ["DO", record.doi],
    ["UR", record.url],
    ...record.keywords.map((keyword) => ["KW", keyword]),
    ["AB", record.abstract],
  ];
  const lines = tags.map(([tag, value]) => (value.trim() ? `${tag}  - ${oneLine(value)}\r\n` : ""));
  return `${lines.join("")}ER  - \r\n\r\n`;
}

const toRis = (records) => records.map(risEntry).join("");

/** Return a cell of CSV; one that a spreadsheet would take for a formula gets an apostrophe. */
function csvCell(value) {
  const text = String(value ?? "");
  const guarded = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

const toCsv = (rows) => rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");

const CSV_COLUMNS = ["id", "title", "authors", "year", "venue", "doi", "url", "keywords", "abstract"];

function papersAsCsv(records) {
  const cell = (value) => (Array.isArray(value) ? value.join("; ") : value);
  return toCsv([CSV_COLUMNS, ...records.map((record) => CSV_COLUMNS.map((name) => cell(record[name])))]);
}

/** Hand a file to the reader. */
function saveFile(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = el("a", "");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
