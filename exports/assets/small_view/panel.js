// The panel: what is known of the selected paper or concept, each statement with the
// sentence that makes it.

function chip(id, count) {
  const item = items[id];
  const link = inside(id, "chip", icon(item.look), el("span", "word", item.label));
  link.dataset.concept = id;
  if (count) link.append(el("span", "count", String(count)));
  return link;
}

const chips = (ids, count) => el("div", "chips", ...ids.map((id) => chip(id, count && count(id))));

function section(title, count, ...content) {
  const heading = el("h3", "", title);
  if (count) heading.append(" ", el("span", "count", String(count)));
  return [heading, ...content];
}

function kicker(...content) {
  const line = el("div", "kicker");
  if (state.trail.length) {
    const back = el("button", "back", "‹ Back");
    back.type = "button";
    back.addEventListener("click", goBack);
    line.append(back);
  }
  const close = el("button", "close", "×");
  close.type = "button";
  close.setAttribute("aria-label", "Close");
  close.addEventListener("click", () => select(null));
  line.append(...content, close);
  return line;
}

/** Return the sentence of an edge with its quote marked, or nothing where there is none. */
function sentence({ place: [text, start, end, first, last] }) {
  if (text === undefined) return null;
  const whole = data.texts[text];
  return el("blockquote", "", whole.slice(start, first), el("mark", "", whole.slice(first, last)), whole.slice(last, end));
}

function abstractOf(paper) {
  const text = data.texts[paper.text];
  const box = el("p", "abstract");
  let at = 0;
  for (const [concept, start, end] of paper.marks) {
    const mark = inside(concept, `mark kind-${items[concept].look.style}`, text.slice(start, end));
    mark.dataset.concept = concept;
    box.append(text.slice(at, start), mark);
    at = end;
  }
  box.append(text.slice(at));
  return box;
}

function byRole(edges) {
  return data.roles
    .map((role, number) => [role, edges.filter((edge) => edge.role === number)])
    .filter(([, found]) => found.length);
}

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

function doiLink(doi) {
  const bare = doi.replace(/^https?:\/\/(dx\.)?doi\.org\//i, "");
  if (!/^10\.\d{4,9}\/\S+$/.test(bare)) return null;
  return outside(`https://doi.org/${encodeURI(bare).replace(/[?#]/g, encodeURIComponent)}`, "DOI");
}

function linksOf(paper) {
  const page = paper.url && !/^https?:\/\/(dx\.)?doi\.org\//i.test(paper.url) ? outside(paper.url) : null;
  const links = [doiLink(paper.doi), page, ...paper.code.map((address) => outside(address, "Code"))];
  const found = links.filter(Boolean);
  return found.length ? el("div", "links", ...found) : null;
}

function conceptsOf(item) {
  const hasAbstract = item.record.text !== null;
  return byRole(item.edges).flatMap(([role, found]) => {
    const list = chips(found.map((edge) => edge.concept), (id) => papersOf(items[id]));
    if (hasAbstract || !found.some((edge) => edge.place.length)) return section(capital(role.verb), found.length, list);
    return section(capital(role.verb), found.length, ...found.map((edge) => el("div", "row", chip(edge.concept), sentence(edge))));
  });
}

function related({ paper, shared }) {
  const item = items[paper];
  const why = shared.length
    ? el("div", "why", "both on ", ...shared.slice(0, 4).flatMap((id, n) => [n ? ", " : "", inside(id, "", items[id].label)]), shared.length > 4 ? ` and ${shared.length - 4} more` : "")
    : el("div", "why", "similar abstracts");
  return el("div", "row", heading(item), why);
}

function heading(item) {
  const { title, year } = item.record;
  const link = inside(item.id, "", item.label, year && !item.label.includes(year) ? el("small", "", ` ${year}`) : null);
  if (title && title !== item.label) link.append(el("small", "full", title));
  return link;
}

function namesOf(authors) {
  return authors.length <= 12 ? authors.join(", ") : `${authors.slice(0, 10).join(", ")} and ${authors.length - 10} more`;
}

function paperPanel(item) {
  const paper = item.record;
  const place = [paper.venue, paper.year].filter(Boolean).join(" · ");
  return [
    kicker(icon(item.look), el("span", "", item.label === paper.title ? "Paper" : item.label)),
    el("h2", "", paper.title || item.label),
    paper.authors.length ? el("p", "quiet", namesOf(paper.authors)) : null,
    place ? el("p", "quiet", place) : null,
    linksOf(paper),
    ...conceptsOf(item),
    ...(paper.text === null ? [] : section("Abstract", 0, abstractOf(paper))),
    ...(item.links.length ? section("Related papers", item.links.length, ...rows(item.links.map(related))) : []),
  ];
}

function together(item) {
  const counts = new Map();
  for (const paper of item.neighbours) {
    for (const concept of new Set(items[paper].edges.map((edge) => edge.concept))) {
      if (concept !== item.id) counts.set(concept, (counts.get(concept) ?? 0) + 1);
    }
  }
  const often = [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10);
  return often.length ? section("Often together with", 0, chips(often.map(([id]) => id), (id) => counts.get(id))) : [];
}

/** Return abbreviations and aliases that say more than another case or a plural. */
function otherNames(concept) {
  const plain = (name) => name.toLowerCase().replace(/s$/, "");
  const met = new Set([plain(concept.label)]);
  return [...concept.abbreviations, ...concept.aliases].filter((name) => !met.has(plain(name)) && met.add(plain(name)));
}

/** Return rows, of which the first are shown and the rest on demand. */
function rows(list, most = 10) {
  if (list.length <= most + 2) return list;
  const more = el("button", "more", `Show ${list.length - most} more`);
  more.type = "button";
  more.addEventListener("click", () => more.replaceWith(...list.slice(most)));
  return [...list.slice(0, most), more];
}

function conceptPanel(item) {
  const concept = item.record;
  const here = papersOf(item);
  const reach = concept.papers > here ? `${here} of its ${plural(concept.papers, "paper")} here` : `in ${plural(here, "paper")}`;
  const names = otherNames(concept);
  const narrower = items.filter((other) => other.record.broader?.includes(item.id)).map((other) => other.id);
  return [
    kicker(icon(item.look), el("span", "", `${item.look.one} · ${reach}`)),
    el("h2", "", item.label),
    names.length ? el("p", "quiet", `Also: ${names.join(", ")}`) : null,
    drawn.has(item.id) ? null : el("p", "quiet", "Not on the map, which shows concepts that papers share."),
    ...byRole(item.edges).flatMap(([role, found]) => section(role.passive, found.length, ...rows(found.map((edge) => el("div", "row", heading(items[edge.paper]), sentence(edge)))))),
    ...(concept.broader.length ? section("Broader", 0, chips(concept.broader)) : []),
    ...(narrower.length ? section("Narrower", 0, chips(narrower)) : []),
    ...together(item),
  ];
}

function topic(island) {
  const papers = island.nodes.filter((id) => isPaper(items[id])).length;
  const button = el("button", "topic", el("span", "", island.label), el("span", "count", plural(papers, "paper")));
  button.type = "button";
  button.addEventListener("click", () => frame(island.nodes));
  return button;
}

function most(kind) {
  const found = items.filter((item) => item.kind === kind && !isPaper(item) && papersOf(item) > 1);
  found.sort((a, b) => papersOf(b) - papersOf(a) || a.id - b.id);
  if (!found.length) return [];
  return section(data.kinds[kind].many, 0, chips(found.slice(0, 8).map((item) => item.id), (id) => papersOf(items[id])));
}

function overview() {
  const topics = data.islands.filter((island) => island.label);
  return [
    el("h2", "", "Overview"),
    el("p", "lead", "Select a paper or a concept, on the map or by search, to read what is said of it and where."),
    data.notice ? el("p", "note", data.notice) : null,
    ...(topics.length > 1 ? section("Topics", 0, ...topics.map(topic)) : []),
    ...Object.keys(data.kinds).flatMap(most),
  ];
}

/** Show where in the abstract a concept stands while its chip is pointed at. */
function light(event) {
  const target = event.target.closest?.(".chip");
  for (const mark of byId("details").querySelectorAll(".mark")) {
    mark.classList.toggle("lit", Boolean(target) && mark.dataset.concept === target.dataset.concept);
  }
}

function showPanel() {
  const item = items[state.selected];
  const content = !item ? overview() : isPaper(item) ? paperPanel(item) : conceptPanel(item);
  const details = byId("details");
  details.replaceChildren(...content.filter(Boolean));
  details.scrollTop = 0;
  openPanel(Boolean(item));
  byId("handle").firstChild.textContent = item ? item.label : "Overview";
}

function openPanel(open) {
  byId("panel").classList.toggle("open", open);
  byId("handle").setAttribute("aria-expanded", String(open));
}
