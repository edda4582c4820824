// The matrix: which papers have both, such as methods by data sets; each cell leads to them.

const MATRIX_ORDERS = [["papers", "most papers first"], ["name", "by name"], ["alike", "alike side by side"]];
const NOTHING_HAS_BOTH = "No paper that is shown has both. Choose other rows or columns, or loosen the filters.";

class MatrixView {
  #atlas;
  #root;
  #basket;
  #masks = null;
  #sides;
  #stale = true;
  #parts;
  #table = null;
  #shown = null;
  #opened = null; // names of the row and the column of the open cell
  /** Set by the page: called when the reader has changed what is shown. */
  onChange = null;

  constructor(root, atlas, basket) {
    this.#root = root;
    this.#atlas = atlas;
    this.#basket = basket;
    this.#sides = matrixSides(atlas);
    this.#build();
  }

  setVisible(masks) {
    this.#masks = masks;
    this.#changed();
  }

  /** Draw, if something has changed since; to be called when the matrix comes to the fore. */
  show() {
    if (this.#stale) this.#draw();
  }

  /** The choices that are not those of the beginning, and the names of the open cell. */
  get state() {
    const state = {};
    for (const [name, select] of this.#choices()) if (select.value !== initialOf(select)) state[name] = select.value;
    if (this.#opened) state.cell = this.#opened;
    return state;
  }

  set state(state) {
    for (const [name, select] of this.#choices()) {
      const known = [...select.options].some((option) => option.value === state[name]);
      select.value = known ? state[name] : initialOf(select);
    }
    const names = Array.isArray(state.cell) ? state.cell.slice(0, 2) : [];
    this.#opened = names.every((name) => typeof name === "string") && names.length === 2 ? names : null;
    this.#changed();
  }

  #choices() {
    const { rows, columns, rowRole, columnRole, order } = this.#parts ?? {};
    return this.#parts ? Object.entries({ rows, columns, rowRole, columnRole, order }) : [];
  }

  #changed() {
    this.#stale = true;
    if (!this.#root.hidden) this.#draw();
    this.onChange?.();
  }

  #build() {
    if (!this.#sides.length) {
      const words = el("p", "", "There is nothing to set against each other yet.");
      this.#root.append(el("div", "view-head", el("h2", "unseen", "Matrix"), words));
      return;
    }
    const sides = this.#sides.map(({ name, title }) => [name, title]);
    const verbs = this.#atlas.head.roles.map((role) => [role.name, `a paper ${role.verb}`]);
    const roles = [["", "in any role"], ...verbs];
    const choose = (label, options, value) => selectOf(label, options, value, () => this.#changed());
    const second = sides.find(([name]) => name === "dataset") ?? sides[1] ?? sides[0];
    const rows = choose("Rows", sides, sides[0][0]);
    const columns = choose("Columns", sides, second[0]);
    const rowRole = choose("Role of the rows", roles, roles[0][0]);
    const columnRole = choose("Role of the columns", roles, roles[0][0]);
    const order = choose("Order", MATRIX_ORDERS, "papers");
    const swap = button("act", "Swap", () => this.#swap());
    const save = button("act", "Save as CSV", () => this.#save());
    const head = el("div", "view-head", el("h2", "unseen", "Matrix"),
      el("span", "choice", el("span", "", "Rows"), rows, rowRole),
      el("span", "choice", el("span", "", "Columns"), columns, columnRole),
      order, swap, save);
    const scroll = el("div", "table-scroll");
    scroll.addEventListener("keydown", (event) => this.#move(event));
    const detail = el("section", "matrix-papers");
    detail.setAttribute("aria-label", "Papers of the cell");
    this.#root.append(head, scroll, detail);
    this.#parts = { rows, columns, rowRole, columnRole, order, swap, save, scroll, detail };
  }

  #swap() {
    const { rows, columns, rowRole, columnRole } = this.#parts;
    [rows.value, columns.value] = [columns.value, rows.value];
    [rowRole.value, columnRole.value] = [columnRole.value, rowRole.value];
    this.#changed();
  }

  #side(select, role) {
    const side = this.#sides.find(({ name }) => name === select.value);
    role.hidden = side.kind === undefined;
    const asked = role.hidden || !role.value ? ANY_ROLE : this.#atlas.head.roles.findIndex(({ name }) => name === role.value);
    return new MatrixSide(this.#atlas, side, asked, this.#masks?.edges);
  }

  #draw() {
    this.#stale = false;
    if (!this.#parts) return;
    const { rows, columns, rowRole, columnRole, order, scroll, save } = this.#parts;
    const nodes = this.#masks?.nodes;
    const papers = Array.from({ length: this.#atlas.P }, (_, p) => p).filter((p) => !nodes || nodes[p]);
    this.rowSide = this.#side(rows, rowRole);
    this.columnSide = this.#side(columns, columnRole);
    this.#table = crossTable(this.rowSide, this.columnSide, papers, order.value);
    save.disabled = !this.#table.rows.length;
    scroll.replaceChildren(this.#table.rows.length ? this.#grid() : el("p", "hint", NOTHING_HAS_BOTH));
    this.#openAgain();
  }

  /** Open the cell that was open before, if the table still has it. */
  #openAgain() {
    const [row, column] = this.#opened ?? [];
    const r = this.#table.rows.findIndex(({ item }) => this.rowSide.label(item) === row);
    const c = this.#table.columns.findIndex(({ item }) => this.columnSide.label(item) === column);
    const cell = this.#cellAt(r, c);
    if (cell) this.#open(r, c, cell);
    else this.#close();
  }

  #cellAt(r, c) {
    return this.#parts.scroll.querySelector(`.cell[data-row="${r}"][data-column="${c}"]`);
  }

  #grid() {
    const { rows, columns, cells } = this.#table;
    const [down, along] = [`${this.rowSide.side.title} ↓`, `${this.columnSide.side.title} →`];
    const corner = el("td", "corner", el("span", "", down), el("span", "", along));
    const heads = columns.map(({ item, count }) => this.#head("col", this.columnSide, item, count));
    const body = rows.map(({ item, count }, r) => {
      const row = cells[r].map((papers, c) => this.#cell(papers, r, c));
      return el("tr", "", this.#head("row", this.rowSide, item, count), ...row);
    });
    const sides = [this.rowSide, this.columnSide].map(({ side }) => side.title.toLowerCase());
    const most = Math.max(rows.length, columns.length);
    const cut = most === AXIS_MOST ? `, those of most papers (up to ${AXIS_MOST})` : "";
    const caption = el("span", "", `How many papers have both: ${sides.join(" by ")}${cut}`);
    const table = el("table", "matrix", el("caption", "", caption), el("thead", "", el("tr", "", corner, ...heads)), el("tbody", "", ...body));
    const first = table.querySelector("button");
    if (first) first.tabIndex = 0;
    return table;
  }

  #head(scope, side, item, count) {
    const words = el("span", "head-words", side.link(item), el("span", "count", count.toLocaleString("en")));
    words.title = side.label(item);
    const head = el("th", "", words);
    head.scope = scope;
    return head;
  }

  #cell(papers, r, c) {
    if (!papers.length) return el("td", "");
    const row = this.rowSide.label(this.#table.rows[r].item);
    const column = this.columnSide.label(this.#table.columns[c].item);
    const words = `${plural(papers.length, "paper")}: ${row} and ${column}`;
    const made = button("cell", words, () => this.#choose(r, c, made), String(papers.length));
    Object.assign(made, { tabIndex: -1, title: words });
    Object.assign(made.dataset, { row: r, column: c });
    made.setAttribute("aria-pressed", "false");
    const cell = el("td", "", made);
    cell.style.setProperty("--share", Math.sqrt(papers.length / this.#table.most).toFixed(3));
    return cell;
  }

  /** Arrow keys go from cell to cell, past those that are empty. */
  #move(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || !event.target.matches(".cell")) return;
    const { rows, columns, cells } = this.#table;
    let [r, c] = [Number(event.target.dataset.row), Number(event.target.dataset.column)];
    do {
      r += step[0];
      c += step[1];
    } while (r >= 0 && c >= 0 && r < rows.length && c < columns.length && !cells[r][c].length);
    const next = this.#cellAt(r, c);
    event.preventDefault();
    if (next) this.#focus(next);
  }

  #focus(cell) {
    this.#reachByTab(cell);
    cell.focus();
  }

  /** Make a cell the one to which the tab key leads; the arrows lead on. */
  #reachByTab(cell) {
    for (const other of this.#parts.scroll.querySelectorAll('.cell[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
  }

  #choose(r, c, cell) {
    this.#open(r, c, cell);
    cell.focus();
    this.#parts.detail.scrollTop = 0;
    say(`${plural(this.#table.cells[r][c].length, "paper")} listed below the matrix`);
    this.onChange?.();
  }

  #open(r, c, cell) {
    const papers = this.#table.cells[r][c];
    const [row, column] = [this.#table.rows[r].item, this.#table.columns[c].item];
    this.#close();
    this.#shown = cell;
    this.#opened = [this.rowSide.label(row), this.columnSide.label(column)];
    cell.setAttribute("aria-pressed", "true");
    this.#reachByTab(cell);
    const title = el("h3", "", `${this.#opened.join(" × ")} `, el("span", "count", plural(papers.length, "paper")));
    const add = button("act", "Add all to basket", () => this.#basket.add(papers));
    const close = button("close", "Close", () => this.#leave(), "×");
    const list = rows(newestFirst(this.#atlas, papers), (p) => this.#paper(p, row, column));
    this.#parts.detail.replaceChildren(el("div", "matrix-papers-head", title, add, close), list);
  }

  #leave() {
    const cell = this.#shown;
    this.#close();
    cell?.focus();
    this.onChange?.();
  }

  #close() {
    this.#shown?.setAttribute("aria-pressed", "false");
    this.#shown = null;
    this.#opened = null;
    this.#parts.detail.replaceChildren();
  }

  /** A paper with the sentences that tie it to both. */
  #paper(p, row, column) {
    const edges = [this.rowSide.edgesTo(p, row)[0], this.columnSide.edgesTo(p, column)[0]].filter((e) => e >= 0);
    return paperRow(this.#atlas, p, statementsOf(this.#atlas, edges), this.#basket.button(p));
  }

  #save() {
    const names = `${this.rowSide.side.name}-${this.columnSide.side.name}`;
    const table = toCsv(crossTableRows(this.#table, this.rowSide, this.columnSide));
    saveFile(`${names}.csv`, "text/csv;charset=utf-8", table);
  }
}

/** Return edges of one paper as statements, each with the sentence it rests on. */
function statementsOf(atlas, edges) {
  const statements = edges.map((e) => {
    const link = nodeLink(atlas, atlas.edges.concept[e], "", atlas.label(atlas.edges.concept[e]));
    const says = el("p", "says", `${atlas.role(atlas.edges.role[e]).verb} `, link);
    return el("div", "tie", says, quotes.of(atlas, e));
  });
  return el("div", "ties", ...statements);
}

/** Return the value that a menu had in the beginning. */
const initialOf = (select) => [...select.options].find((option) => option.defaultSelected)?.value ?? select.options[0].value;

/** Return a menu of choices [[value, words], …]. */
function selectOf(label, choices, value, onChoice) {
  const made = el("select", "");
  made.setAttribute("aria-label", label);
  for (const [name, words] of choices) made.append(new Option(words, name, name === value, name === value));
  made.addEventListener("change", onChoice);
  return made;
}
