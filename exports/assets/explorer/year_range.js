// Years as a small chart with two handles: the first and the last year to show.

const MOST_BARS = 100;

class YearRange {
  #years;
  #onInput;

  /** years: of the papers, null where unknown; span: [first, last]. */
  constructor(years, span, onInput) {
    this.#years = years;
    this.span = span;
    this.#onInput = onInput;
    this.bars = this.#chart();
    this.from = this.#handle("First year");
    this.to = this.#handle("Last year");
    this.words = el("output", "year-words");
    const handles = el("div", "year-handles", this.from, this.to);
    this.element = el("div", "year-range", this.words, this.bars, handles);
    this.value = span;
  }

  get value() {
    return [Number(this.from.value), Number(this.to.value)];
  }

  set value([from, to]) {
    this.from.value = from;
    this.to.value = to;
    const [first, last] = this.span;
    this.words.textContent = from === to ? String(from) : `${from} – ${to}`;
    // Handles that meet at the far end: the lower one must stay in reach of the pointer.
    this.from.classList.toggle("above", from > (first + last) / 2);
    for (const bar of this.bars.children) {
      const year = Number(bar.getAttribute("data-year"));
      bar.setAttribute("class", year >= from && year <= to ? "in" : "out");
    }
  }

  #handle(name) {
    const handle = el("input", "");
    const [first, last] = this.span;
    Object.assign(handle, { type: "range", min: first, max: last, step: 1 });
    handle.setAttribute("aria-label", name);
    handle.addEventListener("input", () => {
      const [from, to] = this.value;
      if (handle === this.from) this.value = [from, Math.max(from, to)];
      else this.value = [Math.min(from, to), to];
      this.#onInput(this.value);
    });
    return handle;
  }

  #chart() {
    const [first, last] = this.span;
    const step = Math.ceil((last - first + 1) / MOST_BARS);
    const papers = new Uint32Array(Math.floor((last - first) / step) + 1);
    for (const year of this.#years) if (year !== null) papers[Math.floor((year - first) / step)]++;
    const most = papers.reduce((a, b) => Math.max(a, b), 1);
    const wide = 200 / papers.length;
    const bars = [...papers].map((count, i) => {
      const high = count ? Math.max(1.5, (count / most) * 36) : 0;
      const place = { x: i * wide + wide * 0.08, y: 36 - high, width: wide * 0.84, height: high };
      return svg("rect", { ...place, "data-year": first + i * step });
    });
    const box = { viewBox: "0 0 200 36", preserveAspectRatio: "none", "aria-hidden": "true", class: "year-bars" };
    return svg("svg", box, ...bars);
  }
}
