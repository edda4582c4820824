// Search over papers (label, title, authors) and concepts (label, aliases, abbreviations).

const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const index = items.map((item) => {
  const record = item.record;
  const names = isPaper(item)
    ? [[record.label, "", 1], [record.title, "", 0.6], ...record.authors.map((name) => [name, name, 0.8])]
    : [[record.label, "", 1], ...[...record.abbreviations, ...record.aliases].map((name) => [name, name, 0.7])];
  return { item, names: names.filter(([name]) => name).map(([name, note, worth]) => [folded(name), note, worth]) };
});

const fit = (name, query) => (name === query ? 4 : name.startsWith(query) ? 3 : name.includes(` ${query}`) || name.includes(`-${query}`) ? 2 : name.includes(query) ? 1 : 0);

/** Return the best items for a query, each with the name that was met if it is no label. */
function find(text, most = 12) {
  const query = folded(text.trim());
  if (!query) return [];
  const found = [];
  for (const { item, names } of index) {
    let [best, note] = [0, ""];
    for (const [name, other, worth] of names) {
      const met = fit(name, query);
      const score = met === 4 ? met : worth * met;
      if (score > best) [best, note] = [score, other];
    }
    if (best) found.push({ item, note, score: best + Math.min(item.neighbours.size, 50) / 50 });
  }
  return found.sort((a, b) => b.score - a.score || a.item.id - b.item.id).slice(0, most);
}

const query = byId("query");
const suggestions = byId("suggestions");
let active = -1;

function describe({ item, note }) {
  const record = item.record;
  if (!isPaper(item)) return [item.look.one, note, plural(papersOf(item), "paper")].filter(Boolean).join(" · ");
  return [note, record.title === item.label ? "" : record.title, record.year].filter(Boolean).join(" · ");
}

function suggestion(hit, number) {
  const line = el("li", "", icon(hit.item.look), el("div", "", hit.item.label, el("small", "", describe(hit))));
  line.id = `suggestion-${number}`;
  line.setAttribute("role", "option");
  line.addEventListener("pointerdown", (event) => event.preventDefault());
  line.addEventListener("click", () => take(hit.item.id));
  return line;
}

function suggest() {
  const hits = find(query.value);
  suggestions.replaceChildren(...hits.map(suggestion));
  if (!hits.length && query.value.trim()) suggestions.append(el("li", "none", "Nothing of that name"));
  suggestions.hidden = !query.value.trim();
  query.setAttribute("aria-expanded", String(!suggestions.hidden));
  point(hits.length ? 0 : -1);
}

function point(number) {
  const options = [...suggestions.querySelectorAll("[role=option]")];
  active = options.length && number >= 0 ? number % options.length : -1;
  options.forEach((option, at) => option.setAttribute("aria-selected", String(at === active)));
  if (active < 0) query.removeAttribute("aria-activedescendant");
  else {
    query.setAttribute("aria-activedescendant", options[active].id);
    options[active].scrollIntoView({ block: "nearest" });
  }
}

function closeSearch() {
  suggestions.hidden = true;
  query.setAttribute("aria-expanded", "false");
}

function take(id) {
  query.value = "";
  closeSearch();
  query.blur();
  select(id, { fly: true });
}

query.addEventListener("input", suggest);
query.addEventListener("focus", suggest);
query.addEventListener("blur", closeSearch);
query.addEventListener("keydown", (event) => {
  const count = suggestions.querySelectorAll("[role=option]").length;
  if (event.key === "ArrowDown") point(active + 1);
  else if (event.key === "ArrowUp") point(active < 1 ? count - 1 : active - 1);
  else if (event.key === "Enter" && active >= 0) suggestions.querySelectorAll("[role=option]")[active].click();
  else if (event.key === "Escape") {
    query.value = "";
    query.blur();
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
