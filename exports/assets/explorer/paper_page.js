// A paper in the panel: what it is, its abstract with every mention marked, what it does with
// which concept and where it says so, and which papers are near.

/** Return the page of a paper: {title, elements}. */
function paperPage(atlas, n, tools) {
  const { papers } = atlas;
  const [label, title] = [atlas.label(n), atlas.title(n)];
  const elements = [
    ...headOf(
      [icon(atlas.kind(n)), el("span", "", title.startsWith(label) ? "Paper" : `Paper · ${label}`)],
      title,
    ),
    authorLinks(atlas, n),
    placeOfPaper(atlas, n),
    webLinks(papers, n),
    el("div", "tools", ...tools),
  ];
  const abstract = el("div", "part");
  const later = el("div", "");
  abstract.setAttribute("aria-busy", "true");
  elements.push(abstract, ...conceptsOf(atlas, n), later, ...relatedPapers(atlas, n));
  atlas.text(n).then((text) => {
    abstract.replaceChildren(...abstractOf(atlas, n, text));
    abstract.removeAttribute("aria-busy");
    later.replaceChildren(...resultsOf(atlas, text), ...keywordsOf(atlas, n, text));
  });
  return { title: label, elements };
}

function authorLinks(atlas, n) {
  const authors = atlas.papers.authors[n].map((author) =>
    inside(hrefOf(atlas, { author }), "", atlas.people[author]),
  );
  if (!authors.length) return null;
  const line = el("p", "authors");
  const most = authors.length > 14 ? 12 : authors.length;
  authors.slice(0, most).forEach((link, at) => line.append(at ? ", " : "", link));
  if (most === authors.length) return line;
  const more = button("more", `and ${authors.length - most} more`, () =>
    more.replaceWith(...authors.slice(most).flatMap((link) => [", ", link])),
  );
  line.append(" ", more);
  return line;
}

function placeOfPaper(atlas, n) {
  const { venue, year } = atlas.papers;
  const place =
    venue[n] >= 0 ? inside(hrefOf(atlas, { venue: venue[n] }), "", atlas.venues[venue[n]]) : null;
  if (!place && year[n] === null) return null;
  return el("p", "quiet", place, place && year[n] !== null ? " · " : null, yearLink(atlas, n));
}

/** Return the year of a paper, leading to the papers of that year, or nothing. */
function yearLink(atlas, n) {
  const year = atlas.papers.year[n];
  return year === null ? null : inside(hrefOf(atlas, { year }), "", String(year));
}

function doiLink(doi) {
  const bare = doi.replace(/^(https?:\/\/(dx\.)?doi\.org\/|doi:\s*)/i, "");
  if (!/^10\.\d{4,9}\/\S+$/.test(bare)) return null;
  return outside(
    `https://doi.org/${encodeURI(bare.toWellFormed?.() ?? bare).replace(/[?#]/g, encodeURIComponent)}`,
    "DOI",
  );
}

function webLinks(papers, n) {
  const page = papers.url[n];
  const isDoi = /^https?:\/\/(dx\.)?doi\.org\//i.test(page);
  const links = [
    doiLink(papers.doi[n]) ?? (isDoi ? outside(page, "DOI") : null),
    isDoi ? null : outside(page),
  ];
  const code = papers.code[n].map((address) => outside(address, "Code")).filter(Boolean);
  const found = [...links, ...code].filter(Boolean);
  return found.length ? el("p", "links", ...found) : null;
}

/** Return the abstract, its mentions marked by kind (colour, shape) and role (line below). */
function abstractOf(atlas, n, { text, marks }) {
  if (!text) return [];
  const roles = rolesOf(atlas, n);
  const box = el("p", "abstract");
  let at = 0;
  for (const { node, start, end } of marks) {
    box.append(
      text.slice(at, start),
      mention(atlas, node, text.slice(start, end), roles.get(node)),
    );
    at = end;
  }
  box.append(text.slice(at));
  const title = atlas.head.abstracts === "evidence" ? "From the abstract" : "Abstract";
  return [el("h3", "", title), box, marks.length ? legendOf(atlas, marks, roles) : null].filter(
    Boolean,
  );
}

/** Return the strongest role of each concept of a paper. */
function rolesOf(atlas, n) {
  const roles = new Map();
  for (const edge of atlas.edgesOf(n)) {
    const [node, role] = [atlas.edges.concept[edge], atlas.edges.role[edge]];
    if (!(roles.get(node) <= role)) roles.set(node, role);
  }
  return roles;
}

const lineOf = (atlas, role) => (role === undefined ? "mentions" : atlas.role(role).name);

function mention(atlas, node, words, role) {
  const kind = atlas.kind(node);
  const first = words.search(/[\s-]|$/) + 1; // the shape does not part from the first word
  const start = el("span", "together", icon(kind), words.slice(0, first));
  const link = nodeLink(atlas, node, `mention kind-${styleOf(kind)}`, start, words.slice(first));
  link.dataset.node = node;
  link.dataset.role = lineOf(atlas, role);
  link.title = [
    atlas.label(node),
    kind.one,
    role === undefined ? "" : `this paper ${atlas.role(role).verb} it`,
  ]
    .filter(Boolean)
    .join(" · ");
  return link;
}

function legendOf(atlas, marks, roles) {
  const nodes = [...new Set(marks.map((mark) => mark.node))];
  const kinds = [...new Set(nodes.map((node) => atlas.kindOf(node)))].sort((a, b) => a - b);
  const met = [...new Set(nodes.map((node) => roles.get(node)))]
    .filter((role) => role !== undefined)
    .sort((a, b) => a - b);
  const shapes = kinds.map((kind) =>
    el("li", "", icon(atlas.head.kinds[kind]), atlas.head.kinds[kind].one),
  );
  const lines = met.map((role) => {
    const sample = el("span", "sample", "abc");
    sample.dataset.role = atlas.role(role).name;
    sample.setAttribute("aria-hidden", "true");
    return el("li", "", sample, atlas.role(role).verb);
  });
  return el("ul", "key", ...shapes, ...lines);
}

/** Return the concepts of a paper by role, each one click from its sentence. */
function conceptsOf(atlas, n) {
  return byRole(atlas, n).map(([role, edges]) => {
    const list = el("ul", "statements", ...edges.map((edge) => statement(atlas, edge)));
    return section(capital(atlas.role(role).verb), edges.length, list);
  });
}

function statement(atlas, edge) {
  const node = atlas.edges.concept[edge];
  const link = chip(atlas, node);
  const [toggle, place] = onDemand(`Sentence about ${atlas.label(node)}`, () =>
    quotes.of(atlas, edge),
  );
  const count = el("span", "count", plural(atlas.concepts.papers[node - atlas.P], "paper"));
  return el("li", "", el("div", "statement", link, count, toggle), place);
}

/** Return the keywords of the authors, each leading to its concept where it is one. */
function keywordsOf(atlas, n, { keywords, evidence }) {
  if (!keywords.length) return [];
  const known = conceptsByName(atlas, n);
  for (const edge of atlas.edgesOf(n)) {
    const said = evidence(edge);
    if (said?.source === "keywords" && !known.has(searchKey(said.full)))
      known.set(searchKey(said.full), atlas.edges.concept[edge]);
  }
  const words = keywords.flatMap((keyword, at) => {
    const node = known.get(searchKey(keyword));
    return [at ? " · " : "", node === undefined ? keyword : nodeLink(atlas, node, "", keyword)];
  });
  return [section("Authors’ keywords", 0, el("p", "quiet", ...words))];
}

/** Return the concepts of a paper by each of their names, as search compares them. */
function conceptsByName(atlas, n) {
  const known = new Map();
  for (const edge of atlas.edgesOf(n)) {
    const node = atlas.edges.concept[edge];
    for (const name of [atlas.label(node), ...atlas.concepts.names[node - atlas.P]])
      known.set(searchKey(name), node);
  }
  return known;
}

/** Return the nearest papers with the reason: concepts they share, or a similar text. */
function relatedPapers(atlas, n) {
  const links = [...atlas.linksOf(n)];
  if (!links.length) return [];
  const { source, target } = atlas.links;
  const list = rows(
    links,
    (link) => {
      const why = el("p", "why");
      atlas.text(source[link]).then((text) => why.append(...reasonOf(atlas, text.shared(link))));
      return paperRow(atlas, source[link] === n ? target[link] : source[link], why);
    },
    10,
  );
  return [section("Related papers", links.length, list)];
}

function reasonOf(atlas, shared) {
  if (!shared.length) return ["similar text"];
  const words = shared
    .slice(0, 4)
    .flatMap((node, at) => [at ? ", " : "", nodeLink(atlas, node, "", atlas.label(node))]);
  return ["both on ", ...words, shared.length > 4 ? ` and ${shared.length - 4} more` : ""];
}
