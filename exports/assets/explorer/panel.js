// The panel: the page of what is selected, or of the whole.

class Panel {
  /** `tools` makes the buttons of a page: {node(n), home()}; `path(from, to)` its page. */
  constructor(atlas, { tools, path }) {
    Object.assign(this, { atlas, tools, path, turn: 0, shown: null, heights: new Map() });
    this.details = byId("details");
    this.details.addEventListener("pointerover", (event) => this.light(event.target));
    this.details.addEventListener("focusin", (event) => this.light(event.target));
    this.details.addEventListener("pointerleave", () => this.light(null));
  }

  page(place) {
    const { atlas, tools } = this;
    if (place.path) return this.pathPage(place.path);
    if (place.node !== null)
      return (atlas.isPaper(place.node) ? paperPage : conceptPage)(
        atlas,
        place.node,
        tools.node(place.node),
      );
    if (place.author !== null) return authorPage(atlas, place.author);
    if (place.venue !== null) return venuePage(atlas, place.venue);
    if (place.year !== null) return yearPage(atlas, place.year);
    if (place.community !== null) return communityPage(atlas, place.community);
    return homePage(atlas, tools.home());
  }

  async pathPage([from, to]) {
    const made = await this.path(from, to);
    return {
      ...made,
      elements: [...headOf([el("span", "", "Path")], made.title), ...made.elements],
    };
  }

  /** Show the page of a place and hand it to `onPage`, at once or when it is made. */
  show(place, onPage) {
    const target = Object.keys(NOWHERE).map((name) => [name, place[name]]);
    const key = hrefOf(this.atlas, Object.fromEntries(target));
    const page = this.page(place);
    this.turn += 1;
    const { turn } = this;
    const put = (made) => {
      if (turn !== this.turn) return;
      this.put(key, made);
      onPage(made);
    };
    if (page instanceof Promise) page.then(put);
    else put(page);
  }

  put(key, { elements }) {
    if (this.shown !== null) this.heights.set(this.shown, this.details.scrollTop);
    const again = this.shown === key ? this.details.scrollTop : (this.heights.get(key) ?? 0);
    this.shown = key;
    this.details.replaceChildren(...elements.filter(Boolean));
    this.details.scrollTop = again;
  }

  focus() {
    (this.details.querySelector("h2") ?? this.details).focus({ preventScroll: true });
  }

  /** Show where in the abstract a concept stands while it is pointed at. */
  light(target) {
    const node = target?.closest?.("[data-node]")?.dataset.node;
    for (const mark of this.details.querySelectorAll(".mention"))
      mark.classList.toggle("lit", mark.dataset.node === node);
  }
}
