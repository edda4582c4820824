// Parts that the pages of the panel share: headings, rows of papers, chips, quoted sentences.

const ROWS = 20; // rows of a list before "Show more"
const FEW_MORE = 2; // rows that are not worth a button

function section(title, count, ...content) {
  const heading = el("h3", "", title);
  if (count) heading.append(" ", el("span", "count", count.toLocaleString("en")));
  return el("section", "part", heading, ...content);
}

/** Return the papers of an author, a venue, a year or a community, newest first. */
function papersBy(atlas, kind, number) {
  atlas.papersBy ??= {};
  if (!atlas.papersBy[kind]) {
    const groups = new Map();
    const columns = {
      author: (n) => atlas.papers.authors[n],
      venue: (n) => [atlas.papers.venue[n]],
      year: (n) => [atlas.papers.year[n]],
      community: (n) => [atlas.community[n]],
    };
    for (let n = 0; n < atlas.P; n += 1) {
      for (const group of new Set(columns[kind](n)))
        groups.has(group) ? groups.get(group).push(n) : groups.set(group, [n]);
    }
    atlas.papersBy[kind] = groups;
  }
  return newestFirst(atlas, atlas.papersBy[kind].get(number) ?? []);
}

const newestFirst = (atlas, papers) =>
  [...papers].sort(
    (a, b) =>
      (atlas.papers.year[b] ?? -1) - (atlas.papers.year[a] ?? -1) ||
      atlas.degree[b] - atlas.degree[a] ||
      a - b,
  );

function namesInShort(atlas, n) {
  const authors = atlas.papers.authors[n].map((person) => atlas.people[person]);
  if (authors.length < 3) return authors.join(" and ");
  return `${authors[0]} and ${authors.length - 1} others`;
}

/** Return a paper as a row: its title as a link, who wrote it and when, and what is added. */
function paperRow(atlas, n, ...more) {
  const [label, title, year] = [atlas.label(n), atlas.title(n), atlas.papers.year[n]];
  const said = [
    title.startsWith(label) ? "" : label,
    namesInShort(atlas, n),
    label.endsWith(String(year)) && !title.startsWith(label) ? "" : year,
  ];
  const note = said.filter(Boolean).join(" · ");
  return el(
    "li",
    "row",
    nodeLink(atlas, n, "row-title", title),
    note ? el("p", "row-note", note) : null,
    ...more,
  );
}

/** Return a concept as a small link with its shape, and a count where there is one. */
function chip(atlas, n, count) {
  const link = nodeLink(atlas, n, "chip", icon(atlas.kind(n)), el("span", "word", atlas.label(n)));
  link.dataset.node = n;
  if (count) link.append(" ", el("span", "count", count.toLocaleString("en")));
  return link;
}

const chips = (links) => el("ul", "chips", ...links.map((link) => el("li", "", link)));

/** Return a list whose rows are made when they are shown: the first, and more on demand. */
function rows(items, make, first = ROWS) {
  let shown = items.length <= first + FEW_MORE ? items.length : first;
  const list = el("ul", "rows", ...items.slice(0, shown).map(make));
  if (shown === items.length) return list;
  const more = button("more", "", () => {
    const next = items.slice(shown, shown + 2 * ROWS).map(make);
    shown += next.length;
    list.append(...next);
    tell();
    next[0].querySelector("a, button")?.focus();
  });
  const tell = () => {
    more.textContent = `Show ${Math.min(2 * ROWS, items.length - shown)} more of ${(items.length - shown).toLocaleString("en")}`;
    more.hidden = shown >= items.length;
  };
  tell();
  return el("div", "", list, more);
}

const SOURCES = { title: "From the title", keywords: "From the authors’ keywords" };

/** Return the sentence of a statement with its quote marked. */
function quotation(evidence) {
  if (!evidence) return el("p", "quiet", "The sentence is not part of this file.");
  const {
    full,
    sentence: [start, end],
    quote: [first, last],
    source,
  } = evidence;
  const quoted = last > first && first >= start && last <= end;
  const parts = quoted
    ? [full.slice(start, first), el("mark", "", full.slice(first, last)), full.slice(last, end)]
    : [full.slice(start, end)];
  return el(
    "blockquote",
    "",
    ...parts,
    SOURCES[source] ? el("small", "source", SOURCES[source]) : null,
  );
}

/** Fills places with sentences: what is in sight at once, the rest in idle time, paper by paper. */
class Quotes {
  constructor() {
    this.waiting = new Map();
    this.busy = false;
    this.sight = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.fill(target);
    });
  }

  /** Return a place for the sentence of an edge. */
  of(atlas, edge) {
    const place = el("div", "quote");
    this.waiting.set(place, [atlas, edge]);
    this.sight.observe(place);
    this.fillAll();
    return place;
  }

  async fill(place) {
    this.sight.unobserve(place);
    const asked = this.waiting.get(place);
    if (!asked || !this.waiting.delete(place)) return;
    const [atlas, edge] = asked;
    const text = await atlas.text(atlas.edges.paper[edge]);
    place.replaceChildren(quotation(text.evidence(edge)));
  }

  async fillAll() {
    if (this.busy) return;
    this.busy = true;
    for (await idle(); this.waiting.size; await idle()) {
      for (const place of this.waiting.keys()) {
        if (place.isConnected) continue;
        this.sight.unobserve(place);
        this.waiting.delete(place);
      }
      const next = [...this.waiting].sort(
        ([, [atlas, a]], [, [, b]]) => atlas.edges.paper[a] - atlas.edges.paper[b],
      )[0];
      if (next) await this.fill(next[0]);
    }
    this.busy = false;
  }
}

const quotes = new Quotes();

/** Return a button that shows and hides what `make` returns, and the place for it. */
function onDemand(label, make) {
  const place = el("div", "demanded");
  place.hidden = true;
  const toggle = button(
    "ask",
    label,
    () => {
      if (!place.childNodes.length) place.append(make());
      place.hidden = !place.hidden;
      toggle.setAttribute("aria-expanded", String(!place.hidden));
    },
    pictogram("quote"),
  );
  toggle.setAttribute("aria-expanded", "false");
  return [toggle, place];
}

/** Return edges in groups by role, strongest role first: [[role number, edges], …]. */
function byRole(atlas, n) {
  const groups = new Map();
  for (const edge of atlas.edgesOf(n)) {
    const role = atlas.edges.role[edge];
    groups.has(role) ? groups.get(role).push(edge) : groups.set(role, [edge]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

/** Count the concepts of some papers: [[concept node, papers], …], most first. */
function conceptsIn(atlas, papers, least = 1) {
  const counts = new Map();
  for (const paper of papers) {
    const met = new Set();
    for (const edge of atlas.edgesOf(paper)) met.add(atlas.edges.concept[edge]);
    for (const concept of met) counts.set(concept, (counts.get(concept) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= least).sort(([a, n], [b, m]) => m - n || a - b);
}

/** Return the head of a page: what it is about, how one closes it, its title. */
function headOf(kicker, title, ...tools) {
  const close = inside("#", "close", "×");
  close.setAttribute("aria-label", "Close");
  const heading = el("h2", "", title);
  heading.tabIndex = -1;
  return [el("div", "kicker", ...kicker, el("span", "gap"), ...tools, close), heading];
}
