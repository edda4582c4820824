// The legend, which is the filter: what stands there can be switched off, with counts.

const COMMUNITIES_LISTED = 100;
const FILTER_VIEWS = [["both", "Both"], ["papers", "Papers"], ["concepts", "Concepts"]];
const FILTER_VIEW_HINTS = {
  both: "",
  papers: "A line ties papers that are related.",
  concepts: "A line leads to a broader concept; a dotted one to a related one; a thin one ties what two or more papers name together.",
};
const FILTER_COLOURS = [["kind", "Kind"], ["community", "Topic"], ["year", "Year"]];
const FILTER_FOCUS = [[0, "Off"], [1, "1 step"], [2, "2 steps"]];

class Filters {
  #atlas;
  #rules;
  #calls;
  #theme = "light";
  #waiting = 0;
  #kinds = new Map();
  #roles = new Map();
  #focusHint;
  #views;
  #viewHint = el("p", "hint");
  #parts;

  constructor(root, atlas, { onChange, onColour, onView }) {
    this.#atlas = atlas;
    this.#rules = new FilterRules(atlas);
    this.#calls = { onChange, onColour, onView };
    this.colour = "kind";
    this.view = "both";
    this.#build(root);
    this.#draw(this.#rules.apply());
  }

  masks() {
    return this.#rules.masks;
  }

  /** Show everything again. */
  reset() {
    this.#rules.reset();
    this.#apply();
  }

  theme(theme) {
    this.#theme = theme;
    this.#drawCommunities();
    this.#drawColours();
  }

  /** Tell what is selected: the focus follows it. */
  select(node) {
    if (node === this.#rules.selected) return;
    const before = this.#rules.focused;
    this.#rules.selected = node;
    this.#focusHint.hidden = node !== null;
    if (before || this.#rules.focused) this.#apply();
  }

  /** Make a node visible that is hidden, as search does. */
  show(node) {
    if (this.view === (this.#atlas.isPaper(node) ? "concepts" : "papers")) this.#setView("both");
    if (this.#rules.loosen(node)) this.#apply();
  }

  get state() {
    const state = this.#rules.state;
    if (this.colour !== "kind") state.colour = this.colour;
    if (this.view !== "both") state.view = this.view;
    return state;
  }

  set state(state) {
    this.#rules.state = state;
    const known = (pairs, value) => (pairs.some(([name]) => name === value) ? value : pairs[0][0]);
    this.#setColour(known(FILTER_COLOURS, state.colour));
    this.#setView(known(FILTER_VIEWS, state.view));
    this.#apply();
  }

  #setColour(colour) {
    if (colour === this.colour) return;
    this.colour = colour;
    this.#drawColours();
    this.#drawCommunities();
    this.#calls.onColour(colour);
  }

  #setView(view) {
    if (view === this.view) return;
    this.view = view;
    checkRadio(this.#views, view);
    this.#viewHint.textContent = FILTER_VIEW_HINTS[view];
    this.#calls.onView(view);
  }

  /** Apply soon, once for the many events of a handle that is drawn along. */
  #later() {
    cancelAnimationFrame(this.#waiting);
    this.#waiting = requestAnimationFrame(() => this.#apply());
  }

  #apply() {
    cancelAnimationFrame(this.#waiting);
    const counts = this.#rules.apply();
    this.#draw(counts);
    const text = capital(this.#rules.words.join(" · "));
    this.#calls.onChange(this.#rules.masks, { active: text !== "", text });
  }

  #build(root) {
    const rules = this.#rules;
    const shown = el("p", "shown");
    const all = button("show-all", "Show everything", () => this.reset());
    this.#focusHint = el("p", "hint", "Select a paper or a concept first.");
    this.#views = radioRow("view", FILTER_VIEWS, this.view, (view) => this.#setView(view));
    const colours = radioRow("colour", FILTER_COLOURS, this.colour, (colour) => this.#setColour(colour));
    const focus = radioRow("focus", FILTER_FOCUS, 0, (hops) => {
      rules.hops = hops;
      this.#apply();
    });
    this.#parts = { shown, all, colours, focus, key: el("div", "colour-key") };
    root.replaceChildren(
      el("div", "filters-head", el("h2", "", "Legend and filters"), shown, all),
      filterGroup("On the map", this.#views, this.#viewHint),
      filterGroup("Papers and concepts", this.#kindBoxes()),
      filterGroup("A line says that the paper …", this.#roleBoxes()),
      ...this.#yearGroup(),
      ...this.#leastGroup(),
      filterGroup("Colour by", colours, this.#parts.key),
      ...this.#communityGroup(),
      filterGroup("Only around the selection", focus, this.#focusHint),
    );
  }

  #kindBoxes() {
    const { kinds } = this.#atlas.head;
    const boxes = kinds.map((kind, k) => {
      const row = tickRow(icon(kind), kind.many, (on) => this.#toggle(this.#rules.hiddenKinds, k, on));
      row.box.dataset.kind = kind.name;
      this.#kinds.set(k, row);
      return row.element;
    });
    return el("div", "ticks", ...boxes);
  }

  #roleBoxes() {
    const boxes = this.#atlas.head.roles.map((role, r) => {
      const row = tickRow(roleLine(role), role.verb, (on) => this.#toggle(this.#rules.hiddenRoles, r, on));
      row.box.dataset.role = role.name;
      this.#roles.set(r, row);
      return row.element;
    });
    return el("div", "ticks", ...boxes);
  }

  #toggle(hidden, which, on) {
    if (on) hidden.delete(which);
    else hidden.add(which);
    this.#apply();
  }

  #yearGroup() {
    const rules = this.#rules;
    const [first, last] = rules.span;
    const without = this.#atlas.papers.year.filter((year) => year === null).length;
    if (!last || (first === last && !without)) return [];
    const range = new YearRange(this.#atlas.papers.year, rules.span, (years) => {
      rules.years = years;
      this.#later();
    });
    const undated = tickRow(null, "Papers without a year", (on) => {
      rules.undated = on;
      this.#apply();
    });
    undated.count.textContent = without.toLocaleString("en");
    undated.element.hidden = !without;
    Object.assign(this.#parts, { range, undated });
    return [filterGroup("Years", first < last ? range.element : "", undated.element)];
  }

  #leastGroup() {
    const rules = this.#rules;
    const steps = minimumSteps(rules.most);
    if (steps.length < 2) return [];
    const least = el("input", "");
    Object.assign(least, { type: "range", min: 0, max: steps.length - 1, step: 1, id: "least", value: 0 });
    const words = el("output", "");
    const caption = el("label", "least-words", "Concepts in at least ", words);
    caption.htmlFor = "least";
    least.addEventListener("input", () => {
      rules.least = steps[Number(least.value)];
      this.#drawLeast();
      this.#later();
    });
    Object.assign(this.#parts, { least, words, steps });
    return [el("div", "group", caption, least)];
  }

  #communityGroup() {
    if (!this.#atlas.communities.length) return [];
    const search = el("input", "");
    Object.assign(search, { type: "search", placeholder: "Find a topic", autocomplete: "off" });
    search.setAttribute("aria-label", "Find a topic");
    search.hidden = this.#atlas.communities.length < 8;
    search.addEventListener("input", () => this.#drawCommunities());
    const list = el("div", "ticks communities");
    Object.assign(this.#parts, { search, list });
    return [filterGroup("Topics", search, list)];
  }

  #draw(counts) {
    const { atlas, rules, parts } = { atlas: this.#atlas, rules: this.#rules, parts: this.#parts };
    const [papers, concepts] = [partOf(counts.papers, atlas.P, "paper"), partOf(counts.concepts, atlas.C, "concept")];
    parts.shown.textContent = `Showing ${papers} and ${concepts}`;
    parts.all.hidden = !rules.words.length;
    for (const [k, row] of this.#kinds) row.show(counts.kinds[k], !rules.hiddenKinds.has(k));
    for (const [r, row] of this.#roles) row.show(counts.roles[r], !rules.hiddenRoles.has(r));
    if (parts.range) parts.range.value = rules.years;
    if (parts.undated) parts.undated.box.checked = rules.undated;
    checkRadio(parts.focus, rules.hops);
    this.#drawLeast();
    this.#drawCommunities(counts.communities);
    this.#drawColours();
  }

  #drawLeast() {
    const { least, words, steps } = this.#parts;
    if (!least) return;
    least.value = Math.max(0, steps.findLastIndex((step) => step <= this.#rules.least));
    words.textContent = plural(this.#rules.least, "paper");
    least.setAttribute("aria-valuetext", words.textContent);
  }

  /** The communities that the search names, those that are chosen first, then the largest. */
  #drawCommunities(counts = this.#rules.byCommunity) {
    const { list, search } = this.#parts;
    if (!list) return;
    const chosen = this.#rules.communities;
    const named = this.#communitiesNamed(folded(search.value.trim()));
    named.sort((a, b) => chosen.has(b) - chosen.has(a) || counts[b + 1] - counts[a + 1] || a - b);
    const held = list.contains(document.activeElement) ? document.activeElement.value : null;
    const rows = named.slice(0, COMMUNITIES_LISTED).map((c) => this.#communityRow(c, counts[c + 1]));
    const more = named.length - rows.length;
    list.replaceChildren(
      ...rows,
      more > 0 ? el("p", "hint", `and ${plural(more, "smaller one")}: find them by name`) : "",
      named.length ? "" : el("p", "hint", "No topic of that name"),
    );
    if (held !== null) list.querySelector(`input[value="${CSS.escape(held)}"]`)?.focus();
  }

  #communitiesNamed(query) {
    const { communities, community, P } = this.#atlas;
    const lone = community.subarray(0, P).includes(NO_COMMUNITY) ? [NO_COMMUNITY] : [];
    const all = [...communities.keys(), ...lone];
    return query ? all.filter((c) => folded(this.#communityName(c)).includes(query)) : all;
  }

  #communityName(c) {
    return c === NO_COMMUNITY ? "On their own" : this.#atlas.communities[c].label || `Topic ${c + 1}`;
  }

  #communityRow(c, count) {
    const coloured = this.colour === "community";
    const swatch = coloured ? colourSwatch(communityColour(this.#atlas, c, this.#theme)) : null;
    const row = tickRow(swatch, this.#communityName(c), (on) => {
      if (on) this.#rules.communities.add(c);
      else this.#rules.communities.delete(c);
      this.#apply();
    });
    row.box.value = c;
    row.show(count, this.#rules.communities.has(c));
    row.element.classList.toggle("off", this.#rules.communities.size > 0 && !row.box.checked);
    return row.element;
  }

  /** The key to the colours: the legend itself for kinds, the list for communities. */
  #drawColours() {
    checkRadio(this.#parts.colours, this.colour);
    const key = this.colour === "year" ? colouringBy("year", this.#atlas, this.#theme).key : [];
    this.#parts.key.replaceChildren(
      ...key.map(({ label, colour }) => el("span", "key-step", colourSwatch(colour), label)),
      this.colour === "community" ? el("p", "hint", "Each colour stands beside its topic, below.") : "",
    );
  }
}

function colourSwatch(colour) {
  const swatch = el("span", "swatch");
  swatch.style.background = colour;
  return swatch;
}

function filterGroup(title, ...children) {
  return el("fieldset", "group", el("legend", "", title), ...children);
}

/** A row of choices of which one holds; values are strings or numbers. */
function radioRow(name, choices, chosen, onChoice) {
  const row = el("div", "radios");
  for (const [value, words] of choices) {
    const radio = el("input", "");
    Object.assign(radio, { type: "radio", name: `filter-${name}`, value, checked: value === chosen });
    radio.addEventListener("change", () => onChoice(value));
    row.append(el("label", "", radio, el("span", "", words)));
  }
  return row;
}

function checkRadio(row, value) {
  for (const radio of row.querySelectorAll("input")) radio.checked = radio.value === String(value);
}

/** A tick box with its picture, words and a count. */
function tickRow(picture, words, onTick) {
  const box = el("input", "");
  box.type = "checkbox";
  box.addEventListener("change", () => onTick(box.checked));
  const count = el("span", "count");
  const element = el("label", "tick", box, picture, el("span", "word", words), count);
  const show = (number, on) => {
    count.textContent = number.toLocaleString("en");
    box.checked = on;
    element.classList.toggle("off", !on);
  };
  return { element, box, count, show };
}

/** The line of a role as the map draws it. */
function roleLine(role) {
  const line = { x1: 0, x2: 22, y1: 4, y2: 4, "stroke-width": role.width, "stroke-dasharray": role.dashes.join(" ") };
  return svg("svg", { viewBox: "0 0 22 8", class: "role-line", "aria-hidden": "true" }, svg("line", line));
}
