// The page as a whole: its parts, the keys, and what follows when one goes to a place.

const ROOMY = matchMedia("(min-width: 1001px)"); // room for filters beside map and panel

class App {
  constructor(atlas) {
    this.atlas = atlas;
    this.basket = new Basket(byId("basket"), atlas);
    this.map = new AtlasMap(byId("canvas"), atlas, {
      onSelect: (n) => this.address.go(n === null ? {} : { node: n }, "map"),
      onHover: (n) => this.hint(n),
      onView: () => this.noteCamera(),
      above: [byId("zoom"), byId("filtered"), byId("panel")],
    });
    this.list = new ListView(byId("list"), atlas, this.basket);
    this.matrix = new MatrixView(byId("matrix"), atlas, this.basket);
    this.filters = new Filters(byId("filters"), atlas, {
      onChange: (masks, state) => this.filter(masks, state),
      onColour: (way) => {
        this.map.setColour(way);
        this.noteState();
      },
      onView: (view) => {
        this.map.setView(view);
        this.noteState();
      },
    });
    this.search = new SearchBox(atlas, {
      onTake: (place) => {
        clearTimeout(this.queryTimer);
        this.address.go(place, "search");
      },
      onQuery: (text) => this.noteQuery(text),
    });
    this.panel = new Panel(atlas, {
      tools: { node: (n) => this.nodeTools(n), home: () => this.homeTools() },
      path: (from, to) => pathPage(atlas, from, to, this.masks),
    });
    this.sheet = new Sheet();
    this.help = helpDialog(atlas);
    this.address = new Address(atlas, (place, how) => this.move(place, how));
    for (const part of [this.list, this.matrix, this.basket]) part.onChange = () => this.noteState();
    this.basket.pictures = (kind) => savePicture(this.map, atlas, kind);
    this.filter(this.filters.masks(), { active: false, text: "" });
    this.listen();
  }

  start() {
    const place = this.address.now;
    this.showFilters(ROOMY.matches);
    this.placeBasket();
    this.tellCounts();
    this.basket.state = place.basket;
    this.move(place, "start");
    if (place.query) this.search.open(place.query);
  }

  /** Show a place: theme, view, panel, and the map about it. */
  move(place, how) {
    performance.mark("paperkg:select-begins");
    document.body.classList.toggle("at-home", !hasTarget(place));
    this.setTheme(place.theme);
    this.setView(place.view);
    if (how === "start" || how === "back") this.takeState(place);
    if (place.node !== null) this.filters.show(place.node);
    this.filters.select(place.node);
    this.list.select(place.node);
    this.map.select(place.node);
    this.panel.show(place, (page) => this.arrive(place, page, how));
    performance.measure("paperkg:select", "paperkg:select-begins");
  }

  arrive(place, page, how) {
    const { title } = page;
    this.map.highlight(page.nodes ? new Set(page.nodes) : null);
    document.title = title ? `${title} · ${this.atlas.head.title}` : this.atlas.head.title;
    this.moveSheet(title, place, how);
    this.fly(place, page, how);
    const held = document.activeElement;
    if (
      how === "search" ||
      ((how === "link" || how === "back") && (held === document.body || held === null))
    )
      this.panel.focus();
    else if (how !== "start") say(title ? `${title}. Details are shown.` : "Overview");
  }

  moveSheet(title, place, how) {
    this.sheet.title(title);
    if (hasTarget(place)) this.sheet.reveal();
    else if (how !== "start") this.sheet.set("closed");
    if (narrow.matches && place.view === "map") this.map.resize();
  }

  /** Bring the place into sight; where one clicked on it there it is, but for the sheet of a phone. */
  fly(place, page, how) {
    if ((how === "map" && !narrow.matches) || place.view !== "map") return;
    if (place.camera) {
      const [x, y, scale] = place.camera.split(",").map(Number);
      if (Number.isFinite(x + y) && scale > 0) this.map.camera = { x, y, scale };
    } else if (place.node !== null) this.map.flyTo(place.node);
    else if (place.community !== null) this.map.flyToIsland(place.community);
    else if (page.nodes?.length) this.map.frame(...this.circleAbout(page.nodes));
    else if (how === "start") this.map.fit();
  }

  /** Return the middle of some nodes and how far they reach from it across or down. */
  circleAbout(nodes) {
    const { x, y, radius } = this.atlas;
    const ends = (values, pick) => pick(...nodes.slice(0, 5000).map((n) => values[n]));
    const [left, right, top, bottom] = [
      ends(x, Math.min),
      ends(x, Math.max),
      ends(y, Math.min),
      ends(y, Math.max),
    ];
    return [
      (left + right) / 2,
      (top + bottom) / 2,
      Math.max(right - left, bottom - top) / 2 + 4 * radius[nodes[0]],
    ];
  }

  filter(masks, { active, text }) {
    this.masks = masks;
    this.map.setVisible(masks.nodes, masks.edges, masks.links);
    this.list.setVisible(masks);
    this.matrix.setVisible(masks);
    this.basket.setVisible(masks);
    this.noteState();
    byId("filtered").hidden = !active;
    byId("filtered").firstChild.textContent = text;
    byId("filters-toggle").querySelector(".dot").hidden = !active;
  }

  /** Set filters, list and matrix as an address says. The basket stays: going back empties none. */
  takeState(place) {
    for (const name of ["filters", "list", "matrix"])
      if (JSON.stringify(place[name]) !== JSON.stringify(this[name].state))
        this[name].state = place[name];
    this.noteState();
  }

  /** Put filters, list, matrix and basket into the address, soon and at once. */
  noteState() {
    clearTimeout(this.stateTimer);
    if (!this.address) return;
    this.stateTimer = setTimeout(() => {
      const { filters, list, matrix, basket } = this;
      this.address.note({
        filters: filters.state,
        list: list.state,
        matrix: matrix.state,
        basket: basket.state,
      });
    }, 300);
  }

  /** Say what this page holds, and of how much. */
  tellCounts() {
    const { P, C, head } = this.atlas;
    const held = [partOf(P, head.counts.papers, "paper"), partOf(C, head.counts.concepts, "concept")];
    byId("counts").textContent = held.join(" · ");
  }

  /** Put the basket where there is room: in the line at the foot, on a phone in the bar at the top. */
  placeBasket() {
    if (narrow.matches) byId("tools").prepend(byId("basket"));
    else byId("status").append(byId("basket"));
  }

  setView(view) {
    if (document.body.dataset.view === view && this.view) return;
    this.view = view;
    document.body.dataset.view = view;
    for (const name of VIEWS) byId(name).hidden = name !== view;
    for (const choice of byId("views").children)
      choice.setAttribute("aria-pressed", String(choice.dataset.view === view));
    if (view !== "map") this[view].show();
    else this.map.resize();
  }

  setTheme(theme) {
    const shown = theme || (night.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    byId("theme").setAttribute("aria-pressed", String(shown === "dark"));
    if (shown === this.theme) return;
    this.theme = shown;
    this.map.setTheme(shown);
    this.filters.theme(shown);
  }

  /** Turn light to dark and back; what the system has anyway is not noted. */
  turnTheme() {
    const wanted = this.theme === "dark" ? "light" : "dark";
    this.address.note({ theme: (wanted === "dark") === night.matches ? "" : wanted });
    this.setTheme(this.address.now.theme);
  }

  showFilters(shown) {
    document.body.classList.toggle("no-filters", !shown);
    byId("filters-toggle").setAttribute("aria-expanded", String(shown));
  }

  nodeTools(n) {
    const { atlas } = this;
    const begin = () =>
      this.search.ask(
        `A path from ${atlas.label(n)} to …`,
        (end) => end !== undefined && this.address.go({ path: [n, end] }, "search"),
      );
    const onMap = inside(
      hrefOf(atlas, { node: n, view: "map" }),
      "tool only-away",
      "Show on the map",
    );
    onMap.dataset.view = "map";
    return [
      atlas.isPaper(n) ? this.basket.button(n) : null,
      button("tool", "Find a path from here", begin),
      onMap,
    ].filter(Boolean);
  }

  homeTools() {
    const save = (kind) =>
      button("tool", `Map as ${kind.toUpperCase()}`, () => savePicture(this.map, this.atlas, kind));
    return [save("png"), save("svg"), button("tool", "Print this page", () => print())];
  }

  hint(n) {
    const { atlas } = this;
    byId("hint").textContent =
      n === null
        ? ""
        : atlas.isPaper(n)
          ? atlas.title(n)
          : `${atlas.label(n)} · ${atlas.kind(n).one} in ${plural(atlas.concepts.papers[n - atlas.P], "paper")}`;
  }

  noteCamera() {
    if (!this.touched) return;
    clearTimeout(this.cameraTimer);
    this.cameraTimer = setTimeout(() => {
      const { x, y, scale } = this.map.camera;
      this.address.note({ camera: `${x.toFixed(1)},${y.toFixed(1)},${scale.toFixed(4)}` });
    }, 400);
  }

  noteQuery(text) {
    clearTimeout(this.queryTimer);
    this.queryTimer = setTimeout(() => this.address.note({ query: text.trim() }), 400);
  }

  listen() {
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.press(event));
    night.addEventListener("change", () => this.setTheme(this.address.now.theme));
    for (const id of ["stage", "panel"])
      byId(id).addEventListener("pointerdown", () => ROOMY.matches || this.showFilters(false));
    addEventListener("beforeprint", () => {
      document.documentElement.dataset.theme = "light";
    });
    addEventListener("afterprint", () => {
      document.documentElement.dataset.theme = this.address.now.theme;
    });
    narrow.addEventListener("change", () => this.placeBasket());
    ROOMY.addEventListener("change", () => this.showFilters(ROOMY.matches));
    const canvas = byId("canvas");
    canvas.addEventListener("keydown", (event) => event.key === "Enter" && this.selectMiddle());
    for (const name of ["pointerdown", "wheel", "keydown"])
      byId("map").addEventListener(
        name,
        () => {
          this.touched = true;
        },
        { passive: true },
      );
    const clicks = {
      nearer: () => this.map.zoomBy(1.5),
      farther: () => this.map.zoomBy(1 / 1.5),
      fit: () => this.map.fit(),
      theme: () => this.turnTheme(),
      help: () => this.help.showModal(),
      "filters-toggle": () => this.showFilters(document.body.classList.contains("no-filters")),
    };
    for (const [id, does] of Object.entries(clicks)) byId(id).addEventListener("click", does);
    byId("theme").append(pictogram("theme"));
    byId("filters-toggle").prepend(pictogram("sliders"));
    byId("filtered").lastChild.addEventListener("click", () => this.filters.reset());
    for (const choice of byId("views").children)
      choice.addEventListener("click", () =>
        this.address.go(
          { ...this.address.now, camera: null, query: "", view: choice.dataset.view },
          "view",
        ),
      );
  }

  /** Follow a link to a place of this page. */
  click(event) {
    const link = event.target.closest?.('a[href^="#"]');
    if (
      !link ||
      event.defaultPrevented ||
      event.button ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    const href = link.getAttribute("href");
    if (href === "#details") return void this.panel.focus();
    const place = placeAt(this.atlas, href);
    const view = /[#&]view=/.test(href) || link.dataset.view ? place.view : this.address.now.view;
    for (const key of KEPT) delete place[key];
    this.address.go({ ...place, view });
  }

  press(event) {
    const typing = event.target.closest?.("input:not([type=checkbox], [type=radio], [type=range]), select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
      return;
    if (event.key === "Escape" && !event.defaultPrevented) {
      if (!ROOMY.matches && !document.body.classList.contains("no-filters"))
        this.showFilters(false);
      else if (hasTarget(this.address.now)) this.address.go({}, "escape");
      return;
    }
    if (typing) return;
    if (event.key === "/") this.search.focus();
    else if (event.key === "?") this.help.showModal();
    else return;
    event.preventDefault();
  }

  /** Select what is nearest to the middle of the map, for those who steer it by keys. */
  selectMiddle() {
    const node = this.map.middle();
    if (node !== null) this.address.go({ node }, "map");
  }
}

function trouble(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = false;
}

async function start() {
  if (!("DecompressionStream" in window)) {
    trouble(
      "This browser is too old to unpack the map. Chrome, Edge, Firefox and Safari can since the spring of 2023.",
    );
    return;
  }
  const atlas = await Atlas.read(document);
  if (!atlas.P) {
    document.body.classList.add("empty");
    trouble(
      "There is nothing to show yet: this graph holds no paper. A paper appears here once its record has a title or an abstract.",
    );
    document.documentElement.dataset.ready = "1";
    return;
  }
  const app = new App(atlas);
  app.start();
  await app.map.ready;
  performance.mark("paperkg:ready");
  document.documentElement.dataset.ready = "1";
  await idle();
  app.search.prepare();
  await app.search.readAbstracts();
}

start().catch((error) => {
  trouble("This page could not be read; the file may be cut short.");
  throw error;
});
