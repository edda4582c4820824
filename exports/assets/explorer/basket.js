// Papers put aside, to be taken along to a citation manager or a spreadsheet.

const FORMATS = [
  { label: "BibTeX", file: "papers.bib", type: "application/x-bibtex;charset=utf-8", write: toBibtex },
  { label: "RIS", file: "papers.ris", type: "application/x-research-info-systems;charset=utf-8", write: toRis },
  { label: "CSV", file: "papers.csv", type: "text/csv;charset=utf-8", write: papersAsCsv },
];

const EMPTY_BASKET =
  "Nothing in it yet. Add papers from their page, the list or the matrix, then take them along as BibTeX, RIS or CSV.";

const TOO_LARGE_TO_KEEP =
  `The address of this page holds a basket of up to ${BASKET_IN_ADDRESS} papers. Save a larger one before you close the page.`;

class Basket {
  #atlas;
  #papers = new Set();
  #watchers = [];
  #masks = null;
  #parts;
  onChange = null;
  /** Set by the page: saves the map as "png" or "svg". */
  pictures = null;

  constructor(root, atlas) {
    this.#atlas = atlas;
    this.#build(root);
    this.#draw();
  }

  has(paper) {
    return this.#papers.has(paper);
  }

  get papers() {
    return [...this.#papers].sort((a, b) => a - b);
  }

  get state() {
    return this.papers;
  }

  set state(papers) {
    const known = (p) => Number.isInteger(p) && p >= 0 && p < this.#atlas.P;
    this.#papers = new Set(Array.isArray(papers) ? papers.filter(known) : []);
    this.#changed();
  }

  toggle(paper) {
    const title = this.#atlas.label(paper);
    const had = this.#papers.delete(paper);
    if (!had) this.#papers.add(paper);
    this.#changed();
    say(`${title} ${had ? "taken out of the basket" : "put into the basket"}`);
  }

  add(papers) {
    for (const paper of papers) this.#papers.add(paper);
    this.#changed();
    say(`${plural(this.#papers.size, "paper")} in the basket`);
  }

  clear() {
    this.#papers.clear();
    this.#changed();
  }

  setVisible(masks) {
    this.#masks = masks;
    if (this.#parts.dialog.open) this.#draw();
  }

  /** Call back on every change. */
  watch(onChange) {
    this.#watchers.push(onChange);
  }

  /** Return a button that puts a paper into the basket or takes it out. */
  button(paper) {
    const made = button("basket-button", "Add to basket", () => this.toggle(paper));
    made.dataset.basket = paper;
    this.#keepInStep(made);
    return made;
  }

  /** Return a tick box that does the same. */
  tick(paper) {
    const made = el("input", "");
    made.type = "checkbox";
    made.dataset.basket = paper;
    made.setAttribute("aria-label", `${this.#atlas.label(paper)} in the basket`);
    made.addEventListener("change", () => this.toggle(paper));
    this.#keepInStep(made);
    return made;
  }

  #keepInStep(control) {
    const held = this.has(Number(control.dataset.basket));
    if (control.type === "checkbox") {
      control.checked = held;
      return;
    }
    control.setAttribute("aria-pressed", String(held));
    control.textContent = held ? "In the basket" : "Add to basket";
  }

  #changed() {
    for (const control of document.querySelectorAll("[data-basket]")) this.#keepInStep(control);
    this.#draw();
    for (const watcher of this.#watchers) watcher(this.papers);
    this.onChange?.(this.papers);
  }

  #build(root) {
    const open = button("basket-open", "Basket", () => this.open());
    const dialog = el("dialog", "basket");
    const title = el("h2", "", "Basket");
    title.id = "basket-title";
    dialog.setAttribute("aria-labelledby", title.id);
    const body = el("div", "basket-body");
    const close = button("close", "Close", () => dialog.close(), "×");
    dialog.append(el("div", "basket-head", title, close), body);
    dialog.addEventListener("click", (event) => {
      const backdrop = event.target === dialog;
      if (backdrop || event.target.closest("a[href^='#']")) dialog.close();
    });
    root.append(open);
    document.body.append(dialog);
    this.#parts = { open, dialog, title, body };
  }

  /** Show what is in the basket. */
  open() {
    this.#parts.dialog.showModal();
    this.#draw();
  }

  #draw() {
    const { open, title, dialog, body } = this.#parts;
    const count = this.#papers.size;
    open.textContent = count ? `Basket · ${count.toLocaleString("en")}` : "Basket";
    title.textContent = count ? `Basket: ${plural(count, "paper")}` : "Basket";
    if (!dialog.open) return;
    const content = count ? this.#content() : [el("p", "hint", EMPTY_BASKET)];
    body.replaceChildren(...content, ...this.#fill(), ...this.#pictureButtons());
  }

  #content() {
    const row = (p) => {
      const out = button("out", `Take ${this.#atlas.label(p)} out`, () => this.#takeOut(p), "×");
      return el("li", "basket-paper", nodeLink(this.#atlas, p, "", this.#atlas.title(p) || this.#atlas.label(p)), out);
    };
    const saves = FORMATS.map((format) => button("save", format.label, () => this.#save(format)));
    return [
      rows(this.papers, row),
      this.#papers.size > BASKET_IN_ADDRESS ? el("p", "hint", TOO_LARGE_TO_KEEP) : "",
      el("div", "save-row", el("span", "", "Save the papers as"), ...saves),
    ];
  }

  #takeOut(paper) {
    const at = this.papers.indexOf(paper);
    this.toggle(paper);
    const outs = this.#parts.body.querySelectorAll(".out");
    (outs[Math.min(at, outs.length - 1)] ?? this.#parts.dialog.querySelector(".close")).focus();
  }

  /** Offer to put in all papers that the filters leave, and to begin anew. */
  #fill() {
    const nodes = this.#masks?.nodes;
    const visible = Array.from({ length: this.#atlas.P }, (_, p) => p).filter((p) => !nodes || nodes[p]);
    const missing = visible.filter((p) => !this.has(p));
    const words = `Add the ${plural(missing.length, "paper")} that the filters show`;
    return [
      el("div", "save-row",
        missing.length ? button("act", words, () => this.add(missing)) : "",
        this.#papers.size ? button("act", "Empty the basket", () => this.clear()) : ""),
    ];
  }

  #pictureButtons() {
    if (!this.pictures) return [];
    const saves = ["png", "svg"].map((kind) => button("save", kind.toUpperCase(), () => this.pictures(kind)));
    return [el("div", "save-row", el("span", "", "Save the map as"), ...saves)];
  }

  async #save({ label, file, type, write }) {
    const records = [];
    for (const paper of this.papers) records.push(await paperRecord(this.#atlas, paper));
    saveFile(file, type, write(records));
    say(`${plural(records.length, "paper")} saved as ${label}`);
  }
}
