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

  get state() {
    const { rows, columns, rowRole, columnRole, order } = this.#parts;
    return { choices: [rows, rowRole, columns, columnRole, order].map((select) => select.value) };
  }

  set state(state) {
    const { rows, columns, rowRole, columnRole, order } = this.#parts;
    const choices = Array.isArray(state.choices) ? state.choices : [];
    [rows, rowRole, columns, columnRole, order].forEach((select, i) => {
      if ([...select.options].some((option) => option.value === choices[i])) select.value = choices[i];
    });
    this.#changed();
  }

  #changed() {
    this.#stale = true;
    if (!this.#root.hidden) this.#draw();
  }

  #build() {
    if (!this.#sides.length) {
      const words = el("p", "", "There is nothing to set against each other yet.");
      this.#root.append(el("div", "view-head", el("h2", "unseen", "Matrix"), words));
      return;
    }
    const sides = this.#sides.map(({ name, title }) => [name, title]);
    const verbs = this.#atlas.head.roles.map((role, r) => [String(r), `a paper ${role.verb}`]);
    const roles = [[String(ANY_ROLE), "in any role"], ...verbs];
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
    return new MatrixSide(this.#atlas, side, role.hidden ? ANY_ROLE : Number(role.value), this.#masks?.edges);
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
    this.#close();
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
    const words = el("span", "head-words", side.link(item), " ", el("span", "count", count.toLocaleString("en")));
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
    const made = button("cell", words, () => this.#open(r, c, made), String(papers.length));
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
    const next = this.#parts.scroll.querySelector(`.cell[data-row="${r}"][data-column="${c}"]`);
    event.preventDefault();
    if (next) this.#focus(next);
  }

  #focus(cell) {
    for (const other of this.#parts.scroll.querySelectorAll('.cell[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
  }

  #open(r, c, cell) {
    const papers = this.#table.cells[r][c];
    const [row, column] = [this.#table.rows[r].item, this.#table.columns[c].item];
    this.#close();
    this.#shown = cell;
    cell.setAttribute("aria-pressed", "true");
    this.#focus(cell);
    const names = `${this.rowSide.label(row)} × ${this.columnSide.label(column)} `;
    const title = el("h3", "", names, el("span", "count", plural(papers.length, "paper")));
    const add = button("act", "Add all to basket", () => this.#basket.add(papers));
    const close = button("close", "Close", () => this.#leave(), "×");
    const list = rows(newestFirst(this.#atlas, papers), (p) => this.#paper(p, row, column));
    this.#parts.detail.replaceChildren(el("div", "matrix-papers-head", title, add, close), list);
    this.#parts.detail.scrollTop = 0;
    say(`${plural(papers.length, "paper")} listed below the matrix`);
  }

  #leave() {
    const cell = this.#shown;
    this.#close();
    cell?.focus();
  }

  #close() {
    this.#shown?.setAttribute("aria-pressed", "false");
    this.#shown = null;
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

/** Return a menu of choices [[value, words], …]. */
function selectOf(label, choices, value, onChoice) {
  const made = el("select", "");
  made.setAttribute("aria-label", label);
  for (const [name, words] of choices) made.append(new Option(words, name, false, name === value));
  made.addEventListener("change", onChoice);
  return made;
}
