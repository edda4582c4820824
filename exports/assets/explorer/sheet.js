// On a phone the panel is a sheet at the foot: closed, half open, or open; one drags its handle.

const SHEET = { closed: 54, half: 0.52, open: 0.8 }; // pixels; shares of the window

class Sheet {
  constructor() {
    this.panel = byId("panel");
    this.handle = byId("handle");
    this.state = "closed";
    this.drag = null;
    this.handle.addEventListener("pointerdown", (event) => this.begin(event));
    this.handle.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"])
      this.handle.addEventListener(name, () => this.end());
    this.handle.addEventListener(
      "click",
      () => this.moved || this.set(this.state === "closed" ? "half" : "closed"),
    );
    narrow.addEventListener("change", () => this.set(this.state));
    this.set("closed");
  }

  height(state) {
    return state === "closed" ? SHEET.closed : Math.round(SHEET[state] * innerHeight);
  }

  set(state) {
    this.state = state;
    this.panel.dataset.sheet = state;
    this.panel.style.height = narrow.matches ? `${this.height(state)}px` : "";
    this.handle.setAttribute("aria-expanded", String(state !== "closed"));
  }

  /** Open it for something to read; what the reader has opened further stays so. */
  reveal() {
    if (this.state === "closed") this.set("half");
  }

  title(text) {
    const shown = text || "About this map";
    this.handle.firstChild.textContent = shown;
    this.handle.setAttribute("aria-label", `Details: ${shown}`);
  }

  begin(event) {
    this.handle.setPointerCapture(event.pointerId);
    this.drag = { from: event.clientY, height: this.panel.offsetHeight };
    this.moved = false;
  }

  move(event) {
    if (!this.drag) return;
    const by = this.drag.from - event.clientY;
    this.moved ||= Math.abs(by) > 5;
    if (this.moved)
      this.panel.style.height = `${Math.max(SHEET.closed, Math.min(this.height("open"), this.drag.height + by))}px`;
  }

  end() {
    if (this.drag && this.moved) {
      const gap = (state) => Math.abs(this.height(state) - this.panel.offsetHeight);
      this.set(Object.keys(SHEET).sort((a, b) => gap(a) - gap(b))[0]);
    }
    this.drag = null;
  }
}
