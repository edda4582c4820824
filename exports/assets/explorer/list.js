// The papers and concepts of the map as sortable tables: the equal of the canvas.

const ROWS_A_PAGE = 100;

class ListView {
  #atlas;
  #root;
  #basket;
  #masks = null;
  #tables;
  #table;
  #selected = null;
  #page = 0;
  #onlyBasket = false;
  #stale = true;
  #parts;
  /** Set by the page: called when the reader has changed what is listed. */
  onChange = null;

  constructor(root, atlas, basket) {
    this.#root = root;
    this.#atlas = atlas;
    this.#basket = basket;
    this.#tables = {
      papers: new SortedNodes("papers", 0, atlas.P, paperColumns(atlas)),
      concepts: new SortedNodes("concepts", atlas.P, atlas.N, conceptColumns(atlas)),
    };
    this.#table = this.#tables.papers;
    this.#build();
    basket.watch(() => this.#basketChanged());
  }

  setVisible(masks) {
    this.#masks = masks;
    this.#changed(this.#page);
  }

  /** Draw, if something has changed since; to be called when the list comes to the fore. */
  show() {
    if (this.#stale) this.#draw();
  }

  select(node) {
    this.#selected = node;
    for (const row of this.#parts.body.rows) markRow(row, node);
  }

  get state() {
    const state = {};
    if (this.#table.name !== "papers") state.table = this.#table.name;
    if (this.#parts.search.value) state.search = this.#parts.search.value;
    if (this.#table.isSorted) state.sort = [this.#table.column.name, this.#table.down];
    if (this.#page) state.page = this.#page + 1;
    if (this.#onlyBasket) state.basket = true;
    return state;
  }

  set state(state) {
    this.#table = state.table === "concepts" ? this.#tables.concepts : this.#tables.papers;
    this.#parts.search.value = typeof state.search === "string" ? state.search : "";
    const [column, down] = Array.isArray(state.sort) ? state.sort : [];
    this.#table.sort(this.#table.columns.find((one) => one.name === column) ?? null, down === true);
    checkRadio(this.#parts.tabs, this.#table.name);
    this.#onlyBasket = state.basket === true;
    this.#parts.only.box.checked = this.#onlyBasket;
    this.#offerBasket();
    this.#changed(Number.isInteger(state.page) ? Math.max(0, state.page - 1) : 0);
  }

  #basketChanged() {
    this.#offerBasket();
    if (this.#onlyBasket) this.#changed();
  }

  /** The choice of the basket alone makes sense for papers, once there are some in it. */
  #offerBasket() {
    const { only } = this.#parts;
    only.element.hidden = this.#table.name !== "papers" || (!this.#basket.papers.length && !this.#onlyBasket);
  }

  #changed(page = 0) {
    this.#page = page;
    this.#stale = true;
    if (!this.#root.hidden) this.#draw();
    this.onChange?.();
  }

  #build() {
    const tabs = radioRow("list", [["papers", "Papers"], ["concepts", "Concepts"]], "papers", (name) => {
      this.#table = this.#tables[name];
      this.#offerBasket();
      this.#changed();
    });
    tabs.setAttribute("role", "radiogroup");
    tabs.setAttribute("aria-label", "What to list");
    const search = el("input", "");
    Object.assign(search, { type: "search", placeholder: "Filter this table", autocomplete: "off" });
    search.setAttribute("aria-label", "Filter this table");
    search.addEventListener("input", () => this.#changed());
    const only = tickRow(null, "Only the basket", (on) => {
      this.#onlyBasket = on;
      this.#changed();
    });
    const body = el("tbody", "");
    const heads = el("tr", "");
    const caption = el("caption", "");
    const scroll = el("div", "table-scroll", el("table", "rows", caption, el("thead", "", heads), body));
    const pages = el("nav", "pages");
    pages.setAttribute("aria-label", "Pages of the table");
    this.#parts = { tabs, search, only, body, heads, caption, scroll, pages };
    this.#offerBasket();
    this.#root.append(el("div", "view-head", el("h2", "unseen", "List"), tabs, search, only.element), scroll, pages);
  }

  #draw() {
    const rows = this.#rows();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
    this.#stale = false;
    this.#page = Math.min(this.#page, pages - 1);
    const begin = this.#page * ROWS_A_PAGE;
    const shown = rows.slice(begin, begin + ROWS_A_PAGE);
    this.#drawHeads();
    this.#parts.body.replaceChildren(...shown.map((n) => this.#row(n)));
    this.#parts.caption.textContent = this.#says(rows.length, begin, shown.length);
    this.#drawPages(pages);
    this.#parts.scroll.scrollTop = 0;
  }

  /** The nodes to list, in their order: visible ones that the words and the basket leave. */
  #rows() {
    const query = folded(this.#parts.search.value.trim());
    const only = this.#onlyBasket && this.#table.name === "papers";
    const rows = [];
    for (const n of this.#table.inOrder()) {
      if (this.#masks && !this.#masks.nodes[n]) continue;
      if (only && !this.#basket.has(n)) continue;
      if (query && !this.#text(n).includes(query)) continue;
      rows.push(n);
    }
    return rows;
  }

  #texts = new Map();

  #text(n) {
    if (!this.#texts.has(n)) {
      const { concepts, P } = this.#atlas;
      const parts = this.#atlas.isPaper(n)
        ? [this.#atlas.title(n), ...authorsOf(this.#atlas, n), venueOf(this.#atlas, n), this.#atlas.papers.year[n]]
        : [this.#atlas.label(n), ...concepts.names[n - P], this.#atlas.kind(n).one];
      this.#texts.set(n, folded(parts.join(" ")));
    }
    return this.#texts.get(n);
  }

  #says(all, begin, shown) {
    const papers = this.#table.name === "papers";
    const found = papers ? plural(all, "paper") : plural(all, "concept");
    const whole = papers ? this.#atlas.P : this.#atlas.C;
    const total = all < whole ? ` of ${whole.toLocaleString("en")}` : "";
    const [from, to] = [begin + 1, begin + shown].map((row) => row.toLocaleString("en"));
    const place = all > shown ? `, rows ${from} to ${to}` : "";
    return all ? `${found}${total}${place}` : `No ${papers ? "paper" : "concept"} fits the filters.`;
  }

  #drawHeads() {
    const table = this.#table;
    const heads = table.columns.map((column) => {
      const sorted = column === table.column;
      const sort = button("sort", column.title, () => this.#sort(column), column.title, el("span", "arrow"));
      sort.removeAttribute("aria-label");
      const head = el("th", headClass(column), sort);
      head.scope = "col";
      head.dataset.column = column.name;
      if (sorted) head.setAttribute("aria-sort", table.down ? "descending" : "ascending");
      return head;
    });
    const held = this.#parts.heads.querySelector(":focus")?.closest("th").dataset.column;
    if (table.name === "papers") heads.unshift(tickHead());
    this.#parts.heads.replaceChildren(...heads);
    if (held) this.#parts.heads.querySelector(`[data-column="${held}"] button`)?.focus();
  }

  #sort(column) {
    const table = this.#table;
    table.sort(column, column === table.column ? !table.down : Boolean(column.number));
    this.#changed();
    say(`Sorted by ${column.title}, ${table.down ? "descending" : "ascending"}`);
  }

  #row(n) {
    const [first, ...others] = this.#table.columns;
    const title = el("th", "", ...[first.cell(n)].flat());
    title.scope = "row";
    const cells = others.map((column) => el("td", headClass(column), ...[column.cell(n)].flat()));
    const tick = this.#table.name === "papers" ? el("td", "tick-cell", this.#basket.tick(n)) : null;
    const row = el("tr", "", tick, title, ...cells);
    row.dataset.node = n;
    markRow(row, this.#selected);
    return row;
  }

  #drawPages(pages) {
    const turn = (to, words) => {
      const made = button("page", words, () => {
        this.#changed(to);
        this.#parts.pages.querySelector("button:not(:disabled)")?.focus();
        say(this.#parts.caption.textContent);
      });
      made.disabled = to < 0 || to >= pages;
      return made;
    };
    const place = el("span", "", `Page ${this.#page + 1} of ${pages}`);
    this.#parts.pages.hidden = pages < 2;
    this.#parts.pages.replaceChildren(turn(this.#page - 1, "Previous"), place, turn(this.#page + 1, "Next"));
  }
}

/** The nodes of one table in the order that its columns ask for. */
class SortedNodes {
  #orders = new Map();

  constructor(name, begin, end, columns) {
    Object.assign(this, { name, begin, end, columns });
    this.sort(null, false);
  }

  /** Sort by a column; by default papers by year and concepts by papers, largest first. */
  sort(column, down) {
    const first = this.columns.find((one) => one.name === (this.name === "papers" ? "year" : "papers"));
    this.column = column ?? first;
    this.down = column ? down : true;
    this.isSorted = this.column !== first || !this.down;
  }

  inOrder() {
    const { column } = this;
    if (!this.#orders.has(column)) {
      const nodes = Array.from({ length: this.end - this.begin }, (_, i) => this.begin + i);
      this.#orders.set(column, sortedBy(column, nodes));
    }
    const order = this.#orders.get(column);
    return this.down ? reversedValues(column, order) : order;
  }
}

/** Turn an order round; what has no value stays at the end. */
function reversedValues(column, order) {
  const filled = order.findLastIndex((n) => column.key(n) !== null && column.key(n) !== "") + 1;
  const turned = order.slice();
  turned.subarray(0, filled).reverse();
  return turned;
}

function tickHead() {
  const head = el("th", "tick-cell", el("span", "unseen", "In the basket"));
  head.scope = "col";
  return head;
}

function headClass({ name, number, words, wide }) {
  return [`is-${name}`, number && !words ? "number" : "", wide ? "wide" : ""].filter(Boolean).join(" ");
}

/** Mark the row of the selected node. */
function markRow(row, selected) {
  const on = selected !== null && row.dataset.node === String(selected);
  row.classList.toggle("selected", on);
  const link = row.querySelector(".row-title");
  if (on) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
}
