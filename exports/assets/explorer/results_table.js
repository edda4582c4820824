// The numbers that a paper reports, as a table; each row one click from its sentence.

/** The columns of the table; each returns words, numbers and links to the concepts named. */
const RESULT_COLUMNS = [
  ["Metric", (one, name) => [name("metric")]],
  ["Value", (one) => [inWords(one)]],
  ["On", (one, name) => [name("dataset"), name("task")]],
  ["With", (one, name) => [name("method")]],
  [
    "Against",
    (one, name) => [
      name("compared"),
      one.comparedValue === null ? "" : numberOf(one.comparedValue, one.unit),
    ],
  ],
];

const numberOf = (value, unit) =>
  `${value.toLocaleString("en", { maximumFractionDigits: 6 })}${unit && unit !== "×" ? "\u00a0" : ""}${unit}`;

/** Return "91 %", or "up to 3 points better" where it is a difference. */
function inWords({ qualifier, value, unit, relation }) {
  return [qualifier, numberOf(value, unit), relation === "value" ? "" : relation]
    .filter(Boolean)
    .join(" ");
}

/** Return the section of the results of a paper, or nothing where it reports none. */
function resultsOf(atlas, { results, text }) {
  if (!results.length) return [];
  const cells = results.map((one) => cellsOf(atlas, one));
  const shown = RESULT_COLUMNS.map((_, at) => cells.some((row) => row[at].length));
  const body = el(
    "tbody",
    "",
    ...results.flatMap((one, at) =>
      rowsOf(
        one,
        cells[at].filter((_, column) => shown[column]),
        text,
      ),
    ),
  );
  const names = RESULT_COLUMNS.map(([name]) => name).filter((_, column) => shown[column]);
  const head = el(
    "thead",
    "",
    el("tr", "", ...names.map((name) => columnHead(name)), columnHead("Sentence", "unseen-words")),
  );
  const frame = el("div", "table", el("table", "", head, body));
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", "Reported results");
  return [section("Reported results", results.length, frame)];
}

function columnHead(name, className = "") {
  const cell = el("th", "", className ? el("span", "unseen", name) : name);
  cell.scope = "col";
  return cell;
}

function cellsOf(atlas, one) {
  const name = (part) =>
    one[part] && part in one.nodes ? nodeLink(atlas, one.nodes[part], "", one[part]) : one[part];
  return RESULT_COLUMNS.map(([, of]) =>
    of(one, name)
      .filter(Boolean)
      .flatMap((part, at) => (at ? [", ", part] : [part])),
  );
}

/** Return a row and, below it, the place of its sentence. */
function rowsOf(one, cells, text) {
  const row = el("tr", "", ...cells.map((parts) => el("td", "", ...parts)));
  if (!(one.start >= 0 && one.end > one.start)) return [(row.append(el("td", "")), row)];
  const [toggle, place] = onDemand(`Sentence about ${one.metric || "this result"}`, () =>
    el("blockquote", "", text.slice(one.start, one.end)),
  );
  const below = el("tr", "", el("td", "", place));
  below.firstChild.colSpan = cells.length + 1;
  below.hidden = true;
  toggle.addEventListener("click", () => {
    below.hidden = place.hidden;
  });
  row.append(el("td", "", toggle));
  return [row, below];
}
