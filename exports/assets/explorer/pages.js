// The other pages of the panel: home, an author, a venue, a year, a community.

/** Return what this file is, what is in it and how to begin: {title, elements}. */
function homePage(atlas, tools) {
  const { head } = atlas;
  const heading = el("h2", "", head.title);
  heading.tabIndex = -1;
  return {
    title: "",
    elements: [
      el(
        "div",
        "kicker",
        el("span", "", `${plural(atlas.P, "paper")} · ${plural(atlas.C, "concept")}`),
      ),
      heading,
      el(
        "p",
        "lead",
        `A map of papers and of ${namedKinds(head.kinds)} they name. Papers that are about the same things lie near each other, and each statement is one click from the sentence that makes it.`,
      ),
      head.notice ? el("p", "note", head.notice) : null,
      section("How to begin", 0, hints()),
      ...topics(atlas),
      ...mostNamed(atlas),
      tools.length ? section("Take it with you", 0, el("div", "tools", ...tools)) : null,
      head.generator ? el("p", "colophon", `Made with ${head.generator}.`) : null,
    ],
  };
}

function namedKinds(kinds) {
  const many = kinds.slice(1).map((kind) => kind.many.toLowerCase());
  if (!many.length) return "what";
  return `the ${many.length > 1 ? `${many.slice(0, -1).join(", ")} and ${many[many.length - 1]}` : many[0]}`;
}

function hints() {
  const key = (name) => el("kbd", "", name);
  return el(
    "ul",
    "hints",
    el("li", "", "Press ", key("/"), " and type a name, an author or words of an abstract."),
    el("li", "", "Select a paper or a concept on the map to read about it here."),
    el("li", "", "Take kinds, years or topics away on the left; the list and the matrix follow."),
  );
}

function topics(atlas) {
  const found = atlas.communities
    .map((community, at) => ({ ...community, at }))
    .filter((one) => one.label && one.papers > 1);
  if (found.length < 2) return [];
  found.sort((a, b) => b.papers - a.papers || a.at - b.at);
  const list = rows(
    found,
    ({ at, label, papers }) => {
      const link = inside(
        hrefOf(atlas, { community: at }),
        "topic",
        el("span", "word", label),
        el("span", "count", plural(papers, "paper")),
      );
      return el("li", "", link);
    },
    12,
  );
  list.classList.add("topics");
  return [section("Topics", found.length, list)];
}

function mostNamed(atlas) {
  const order = Array.from({ length: atlas.C }, (_, at) => at).sort(
    (a, b) => atlas.concepts.papers[b] - atlas.concepts.papers[a] || a - b,
  );
  return atlas.head.kinds.flatMap((kind, number) => {
    const best = order
      .filter((at) => atlas.concepts.kind[at] === number && atlas.concepts.papers[at] > 1)
      .slice(0, 8);
    const links = best.map((at) => chip(atlas, at + atlas.P, atlas.concepts.papers[at]));
    return links.length ? [section(`${kind.many} in most papers`, 0, chips(links))] : [];
  });
}

/** Return the concepts of some papers that count most, as chips. */
function mainConcepts(atlas, papers) {
  const found = conceptsIn(atlas, papers, papers.length > 5 ? 2 : 1).slice(0, 40);
  return found.length
    ? [
        section(
          "Mostly about",
          0,
          someChips(found.map(([node, count]) => chip(atlas, node, count))),
        ),
      ]
    : [];
}

const paperList = (atlas, papers) =>
  section(
    "Papers",
    papers.length,
    rows(papers, (n) => paperRow(atlas, n)),
  );

function authorPage(atlas, author) {
  const papers = papersBy(atlas, "author", author);
  return {
    title: atlas.people[author],
    nodes: papers,
    elements: [
      ...headOf(
        [pictogram("person"), el("span", "", `Author · ${plural(papers.length, "paper")}`)],
        atlas.people[author],
      ),
      ...mainConcepts(atlas, papers),
      paperList(atlas, papers),
      ...coauthors(atlas, author, papers),
    ],
  };
}

function coauthors(atlas, author, papers) {
  const counts = new Map();
  for (const paper of papers)
    for (const other of new Set(atlas.papers.authors[paper]))
      if (other !== author) counts.set(other, (counts.get(other) ?? 0) + 1);
  const found = [...counts].sort(([a, n], [b, m]) => m - n || a - b);
  if (!found.length) return [];
  const links = found.map(([other, count]) =>
    inside(
      hrefOf(atlas, { author: other }),
      "chip",
      el("span", "word", atlas.people[other]),
      " ",
      el("span", "count", String(count)),
    ),
  );
  return [section("Writes with", found.length, someChips(links))];
}

function venuePage(atlas, venue) {
  const papers = papersBy(atlas, "venue", venue);
  return {
    title: atlas.venues[venue],
    nodes: papers,
    elements: [
      ...headOf([el("span", "", `Venue · ${plural(papers.length, "paper")}`)], atlas.venues[venue]),
      ...mainConcepts(atlas, papers),
      paperList(atlas, papers),
    ],
  };
}

function yearPage(atlas, year) {
  const papers = papersBy(atlas, "year", year);
  return {
    title: String(year),
    nodes: papers,
    elements: [
      ...headOf([el("span", "", `Year · ${plural(papers.length, "paper")}`)], String(year)),
      ...mainConcepts(atlas, papers),
      paperList(atlas, papers),
    ],
  };
}

function communityPage(atlas, number) {
  const { label } = atlas.communities[number];
  const papers = papersBy(atlas, "community", number);
  const telling = [...papers].sort((a, b) => atlas.degree[b] - atlas.degree[a] || a - b);
  return {
    title: label,
    nodes: papers,
    elements: [
      ...headOf(
        [el("span", "", `Topic · ${plural(papers.length, "paper")}`)],
        label.replaceAll(" · ", "\u00a0· ") || "A topic without a name",
      ),
      ...mainConcepts(atlas, papers),
      paperList(atlas, telling),
    ],
  };
}
