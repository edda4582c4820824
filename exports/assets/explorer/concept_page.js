// A concept in the panel: its names, who does what with it in which sentence, what is near.

/** Return the page of a concept: {title, elements}. */
function conceptPage(atlas, n, tools) {
  const at = n - atlas.P;
  const kind = atlas.kind(n);
  const groups = byRole(atlas, n);
  const papers = [
    ...new Set(groups.flatMap(([, edges]) => edges.map((edge) => atlas.edges.paper[edge]))),
  ];
  const total = atlas.concepts.papers[at];
  const reach =
    total > papers.length
      ? `${papers.length.toLocaleString("en")} of its ${plural(total, "paper")} here`
      : `in ${plural(papers.length, "paper")}`;
  const names = otherNames(atlas.label(n), atlas.concepts.names[at]);
  const parts = groups.map(([role, edges]) => usersOf(atlas, role, edges));
  return {
    title: atlas.label(n),
    elements: [
      ...headOf([icon(kind), el("span", "", `${kind.one} · ${reach}`)], atlas.label(n)),
      names.length ? el("p", "quiet", `Also: ${names.join(", ")}`) : null,
      el("div", "tools", ...tools),
      parts.length > 1 ? contents(atlas, groups, parts) : null,
      ...trendOf(atlas, n),
      ...nearConcepts(atlas, n),
      ...parts,
      ...together(atlas, n, papers),
    ],
  };
}

/** Return the names that say more than another case or a plural. */
function otherNames(label, names) {
  const plain = (name) => searchKey(name).replace(/s$/, "");
  const met = new Set([plain(label)]);
  return names.filter((name) => !met.has(plain(name)) && met.add(plain(name)));
}

/** Return the counts by role, each of which leads to its part of the page. */
function contents(atlas, groups, parts) {
  const most = Math.max(...groups.map(([, edges]) => edges.length));
  const lines = groups.map(([role, edges], at) => {
    const bar = el("span", "bar");
    bar.style.width = `${Math.max(3, (100 * edges.length) / most)}%`;
    const go = button("content", "", () => {
      parts[at].scrollIntoView({ behavior: calm.matches ? "auto" : "smooth", block: "start" });
      parts[at].querySelector("h3").focus({ preventScroll: true });
    });
    go.replaceChildren(
      el("span", "word", atlas.role(role).passive),
      el("span", "track", bar),
      el("span", "count", edges.length.toLocaleString("en")),
    );
    return el("li", "", go);
  });
  return el("ul", "contents", ...lines);
}

function usersOf(atlas, role, edges) {
  const byPaper = new Map(edges.map((edge) => [atlas.edges.paper[edge], edge]));
  const papers = newestFirst(atlas, byPaper.keys());
  const part = section(
    atlas.role(role).passive,
    edges.length,
    rows(papers, (n) => paperRow(atlas, n, quotes.of(atlas, byPaper.get(n)))),
  );
  part.querySelector("h3").tabIndex = -1;
  return part;
}

function trendOf(atlas, n) {
  const years = fromTheFirst(atlas.byYear(n));
  if (years.filter((one) => one.papers).length < 2) return [];
  return [
    section(
      "Share of papers by year",
      0,
      yearChart(years, `Share of papers by year that name ${atlas.label(n)}`),
    ),
  ];
}

function nearConcepts(atlas, n) {
  const at = n - atlas.P;
  const near = [
    ["Broader", atlas.concepts.broader[at]],
    ["Narrower", [...atlas.narrower(n)]],
    ["Related", atlas.concepts.related[at]],
  ];
  return near
    .filter(([, nodes]) => nodes.length)
    .map(([title, nodes]) => section(title, 0, someChips(nodes.map((node) => chip(atlas, node)))));
}

/** Return what stands in the same papers, by kind: "Data sets used with it". */
function together(atlas, n, papers) {
  const found = conceptsIn(atlas, papers, papers.length > 3 ? 2 : 1).filter(([node]) => node !== n);
  return atlas.head.kinds.flatMap((kind, number) => {
    const links = found
      .filter(([node]) => atlas.kindOf(node) === number)
      .slice(0, 30)
      .map(([node, count]) => chip(atlas, node, count));
    return links.length ? [section(`${kind.many} in the same papers`, 0, someChips(links))] : [];
  });
}

/** Return links as chips, of which the first are shown and the rest on demand. */
function someChips(links, first = 12) {
  if (links.length <= first + 2) return chips(links);
  const list = chips(links.slice(0, first));
  const more = button("more", `${links.length - first} more`, () => {
    more.parentNode.replaceWith(...links.slice(first).map((link) => el("li", "", link)));
    links[first].focus();
  });
  list.append(el("li", "", more));
  return list;
}
