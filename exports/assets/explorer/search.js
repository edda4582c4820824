// The search box: a combobox whose suggestions lead to a paper, a concept or an author.

const PAUSE = 140; // milliseconds without a key before the abstracts are searched

class SearchBox {
  /** `onTake(place)` is called with what was chosen, `onQuery(text)` with what is typed. */
  constructor(atlas, { onTake, onQuery }) {
    Object.assign(this, {
      atlas,
      onTake,
      onQuery,
      index: null,
      active: -1,
      taker: null,
      progress: 0,
      turn: 0,
    });
    this.input = byId("query");
    this.popup = byId("suggestions");
    this.listbox = byId("options");
    this.input.addEventListener("input", () => this.suggest());
    this.input.addEventListener("focus", () => this.input.value && this.suggest());
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.popup.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  /** Prepare to search; called when idle, or by the first key. */
  prepare() {
    this.index ??= new SearchIndex(this.atlas);
    return this.index;
  }

  async readAbstracts() {
    await this.prepare().readAbstracts((share) => {
      this.progress = share;
      this.tellProgress();
    });
    if (!this.popup.hidden) this.searchAbstracts(this.input.value);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  /** Show what is found for words, as though they were typed. */
  open(text) {
    this.input.value = text;
    this.focus();
  }

  /** Ask for a node: the next choice goes to `taker(node)` instead of being opened. */
  ask(question, taker) {
    this.taker = taker;
    byId("asked").textContent = question;
    byId("asked").hidden = false;
    this.input.value = "";
    this.focus();
    this.popup.hidden = false;
    this.listbox.replaceChildren();
    say(question);
  }

  suggest() {
    performance.mark("paperkg:search-begins");
    const text = this.input.value;
    this.turn += 1;
    this.onQuery(text);
    this.listbox.setAttribute("aria-busy", String(Boolean(text.trim())));
    if (!text.trim()) {
      if (!this.taker) this.close();
      return;
    }
    const names = this.prepare().findNames(text);
    const authors = this.taker ? [] : this.index.findAuthors(text);
    this.groups = [
      ["Papers and concepts", names.map((hit) => this.nameOption(hit))],
      ["Authors", authors.map((hit) => this.authorOption(hit))],
      ["In abstracts", []],
    ];
    this.show();
    performance.measure("paperkg:search", "paperkg:search-begins");
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.searchAbstracts(text), PAUSE);
  }

  async searchAbstracts(text) {
    const { turn } = this;
    const stale = () => turn !== this.turn;
    const found = await this.index.findAbstracts(text, stale);
    if (!found || this.popup.hidden || stale()) return;
    this.listbox.setAttribute("aria-busy", String(!this.index.complete));
    this.groups[2] = [
      found.count > found.hits.length
        ? `In ${plural(found.count, "abstract")}, of which`
        : "In abstracts",
      found.hits.map((hit) => this.abstractOption(hit, text)),
    ];
    this.show(this.active);
    this.announce();
  }

  show(active = 0) {
    let number = 0;
    const groups = this.groups
      .filter(([, options]) => options.length)
      .map(([title, options], at) => {
        const heading = el("div", "found-title", title);
        heading.id = `found-${at}`;
        heading.setAttribute("role", "presentation");
        const group = el("div", "found", heading, ...options);
        group.setAttribute("role", "group");
        group.setAttribute("aria-labelledby", heading.id);
        for (const option of options) option.id = `option-${number++}`;
        return group;
      });
    this.listbox.replaceChildren(...groups);
    this.options = [...this.listbox.querySelectorAll("[role=option]")];
    this.popup.hidden = false;
    this.listbox.hidden = !groups.length;
    this.input.setAttribute("aria-expanded", String(groups.length > 0));
    this.point(this.options.length ? Math.max(0, Math.min(active, this.options.length - 1)) : -1);
    this.tellProgress();
  }

  tellProgress() {
    const note = byId("searching");
    const waiting = this.index && !this.index.complete;
    const text = waiting
      ? `Searching abstracts… ${Math.floor(100 * this.progress)} %`
      : this.options?.length
        ? ""
        : "Nothing of that name";
    note.textContent = text;
    note.hidden = !text || !this.input.value.trim();
  }

  announce() {
    say(this.options.length ? plural(this.options.length, "suggestion") : "Nothing found");
  }

  option(picture, title, detail, place) {
    const line = el(
      "div",
      "option",
      picture,
      el("div", "", el("div", "option-title", ...title), el("div", "option-detail", ...detail)),
    );
    line.setAttribute("role", "option");
    line.addEventListener("click", () => this.take(place));
    line.addEventListener("pointermove", () => this.point(this.options.indexOf(line), false));
    return line;
  }

  nameOption({ node, at }) {
    const { atlas } = this;
    const kind = atlas.kind(node);
    if (atlas.isPaper(node)) {
      const [label, title] = [atlas.label(node), atlas.title(node)];
      const head = marked(title, this.input.value);
      const more = [
        title === label ? "" : label,
        namesInShort(atlas, node),
        atlas.papers.year[node],
      ]
        .filter(Boolean)
        .join(" · ");
      return this.option(
        icon(kind),
        head,
        head.length > 1 ? [more] : marked(more, this.input.value),
        { node },
      );
    }
    const name = atlas.concepts.names[node - atlas.P].find(
      (other) => searchKey(other) === this.index.names[at],
    );
    const met = name && searchKey(atlas.label(node)) !== this.index.names[at] ? name : "";
    const detail = [
      kind.one,
      met && " · ",
      ...(met ? marked(met, this.input.value) : []),
      ` · ${plural(atlas.concepts.papers[node - atlas.P], "paper")}`,
    ];
    return this.option(
      icon(kind),
      marked(atlas.label(node), this.input.value),
      detail.filter(Boolean),
      { node },
    );
  }

  authorOption({ author }) {
    const papers = papersBy(this.atlas, "author", author).length;
    return this.option(
      pictogram("person"),
      marked(this.atlas.people[author], this.input.value),
      [plural(papers, "paper")],
      { author },
    );
  }

  abstractOption({ node, text }, query) {
    const { atlas } = this;
    return this.option(icon(atlas.kind(node)), [atlas.title(node)], snippet(text, query), { node });
  }

  point(number, follow = true) {
    this.active = number;
    this.options.forEach((option, at) =>
      option.setAttribute("aria-selected", String(at === number)),
    );
    if (number < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", this.options[number].id);
    if (number >= 0 && follow) this.options[number].scrollIntoView({ block: "nearest" });
  }

  press(event) {
    const count = this.popup.hidden ? 0 : (this.options?.length ?? 0);
    if (event.key === "Escape") {
      if (this.popup.hidden) this.input.blur();
      this.input.value = "";
      this.onQuery("");
      this.close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.popup.hidden && this.input.value) this.suggest();
      else if (count)
        this.point((this.active + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
    } else if (event.key === "Enter" && count && this.active >= 0)
      this.options[this.active].click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  take(place) {
    const { taker } = this;
    this.input.value = "";
    this.close();
    this.input.blur();
    if (taker) taker(place.node);
    else this.onTake(place);
  }

  close() {
    this.turn += 1;
    clearTimeout(this.waiting);
    this.popup.hidden = true;
    this.listbox.setAttribute("aria-busy", "false");
    this.taker = null;
    byId("asked").hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}

/** Return a text as parts with the place of a query marked. */
function marked(text, query) {
  const place = placeOf(text, query);
  if (!place) return [text];
  return [text.slice(0, place[0]), el("mark", "", text.slice(...place)), text.slice(place[1])];
}

/** Return the surroundings of a query in a text, the query marked. */
function snippet(text, query, reach = 60) {
  const [start, end] = placeOf(text, query) ?? [0, 0];
  const first = start <= reach ? 0 : text.indexOf(" ", start - reach) + 1 || start;
  const last =
    end + reach >= text.length ? text.length : Math.max(end, text.lastIndexOf(" ", end + reach));
  const ends = [first ? "… " : "", last < text.length ? " …" : ""];
  return [
    ends[0] + text.slice(first, start),
    el("mark", "", text.slice(start, end)),
    text.slice(end, last) + ends[1],
  ];
}
