// The columns of the two tables: how a cell looks and by what it is sorted.

const NAMES_SHOWN = 3;

/** Return the words of a list, cut to the first few. */
function fewOf(words, most = NAMES_SHOWN) {
  const rest = words.length - most;
  return rest > 0 ? `${words.slice(0, most).join(", ")} and ${rest} more` : words.join(", ");
}

/** How often each paper stands in the lines of the graph. */
function linesOf(count, ends, nodes) {
  const lines = new Uint32Array(nodes);
  for (const end of ends) for (let i = 0; i < count; i++) lines[end[i]]++;
  return lines;
}

const authorsOf = (atlas, p) => atlas.papers.authors[p].map((person) => atlas.people[person]);
const venueOf = (atlas, p) => atlas.venues[atlas.papers.venue[p]] ?? "";

/** The first few authors, each leading to their papers. */
function authorCell(atlas, p) {
  const authors = atlas.papers.authors[p];
  const links = authors
    .slice(0, NAMES_SHOWN)
    .flatMap((author, i) => [i ? ", " : "", inside(hrefOf(atlas, { author }), "", atlas.people[author])]);
  const rest = authors.length - NAMES_SHOWN;
  return [...links, rest > 0 ? ` and ${rest} more` : ""];
}

function venueCell(atlas, p) {
  const venue = atlas.papers.venue[p];
  return venue < 0 ? "" : inside(hrefOf(atlas, { venue }), "", atlas.venues[venue]);
}

/** A second line in small print, for screens that have no room for its columns. */
function underTitle(atlas, p) {
  const parts = [fewOf(authorsOf(atlas, p), 2), venueOf(atlas, p)];
  return el("span", "under", parts.filter(Boolean).join(" · "));
}

/**
 * name, title; cell(n) → what stands there; key(n) → text or number to sort by;
 * number: right-aligned, unless its cells hold `words`, and sorted largest first; wide: left out on a phone.
 */
function paperColumns(atlas) {
  const { papers, links, edges, P } = atlas;
  const linked = linesOf(links.count, [links.source, links.target], P);
  const named = linesOf(edges.count, [edges.paper], P);
  const number = (name, title, of) => ({ name, title, cell: (p) => String(of(p) ?? ""), key: of, number: true });
  return [
    {
      name: "title",
      title: "Title",
      cell: (p) => [nodeLink(atlas, p, "row-title", atlas.title(p) || atlas.label(p)), underTitle(atlas, p)],
      key: (p) => folded(atlas.title(p) || atlas.label(p)),
    },
    {
      name: "authors",
      title: "Authors",
      cell: (p) => authorCell(atlas, p),
      key: (p) => folded(familyFirst(authorsOf(atlas, p)[0] ?? "")),
      wide: true,
    },
    { ...number("year", "Year", (p) => papers.year[p]), cell: (p) => yearLink(atlas, p) ?? "" },
    {
      name: "venue",
      title: "Venue",
      cell: (p) => venueCell(atlas, p),
      key: (p) => folded(venueOf(atlas, p)),
      wide: true,
    },
    number("links", "Related", (p) => linked[p]),
    number("concepts", "Concepts", (p) => named[p]),
  ];
}

/** Return a name by which lists of authors are sorted: "Ohm Ada" for "Ada Ohm". */
function familyFirst(name) {
  const words = name.split(/\s+/);
  return [words.pop(), ...words].join(" ");
}

function conceptColumns(atlas) {
  const { concepts, edges, P, head } = atlas;
  const proposes = head.roles.findIndex((role) => role.name === "proposes");
  const kind = (n) => atlas.kind(n).one;
  const also = (n) => otherNames(atlas.label(n), concepts.names[n - P]);
  const proposers = (n) => {
    const found = [];
    for (const e of atlas.edgesOf(n)) if (edges.role[e] === proposes) found.push(edges.paper[e]);
    return found;
  };
  const proposedBy = (n) => {
    const papers = proposers(n);
    const rest = papers.length - NAMES_SHOWN;
    const shown = papers.slice(0, NAMES_SHOWN);
    const parts = shown.flatMap((p, i) => [i ? ", " : "", nodeLink(atlas, p, "", atlas.label(p))]);
    return [...parts, rest > 0 ? ` and ${rest} more` : ""];
  };
  return [
    {
      name: "name",
      title: "Name",
      cell: (n) => {
        const words = el("span", "", nodeLink(atlas, n, "row-title", atlas.label(n)), el("span", "under", kind(n)));
        return el("span", "named", icon(atlas.kind(n)), words);
      },
      key: (n) => folded(atlas.label(n)),
    },
    { name: "kind", title: "Kind", cell: kind, key: (n) => folded(kind(n)), wide: true },
    {
      name: "papers",
      title: "Papers",
      cell: (n) => concepts.papers[n - P].toLocaleString("en"),
      key: (n) => concepts.papers[n - P],
      number: true,
    },
    {
      name: "proposed",
      title: "Proposed by",
      cell: proposedBy,
      key: (n) => proposers(n).length,
      number: true,
      words: true,
    },
    {
      name: "also",
      title: "Also called",
      cell: (n) => fewOf(also(n)),
      key: (n) => folded(also(n)[0] ?? ""),
      wide: true,
    },
  ];
}

/**
 * Return nodes sorted by a column, ascending, those without a value last; equal ones keep
 * their order.
 */
function sortedBy(column, nodes) {
  const keys = new Map();
  for (const n of nodes) keys.set(n, column.key(n));
  const empty = (key) => key === null || key === "";
  const compare = (a, b) => {
    const one = keys.get(a);
    const other = keys.get(b);
    if (empty(one) || empty(other)) return empty(one) - empty(other) || a - b;
    return one < other ? -1 : one > other ? 1 : a - b;
  };
  return Uint32Array.from(nodes).sort(compare);
}
