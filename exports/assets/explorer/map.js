// The map: a canvas, what it shows, and from where.

const MAP_REST = 130; // milliseconds without a move after which it is drawn sharply
const MAP_NEAR = 1.1; // CSS pixels per unit, where names can be read

class AtlasMap {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {object} atlas see data.js
   * @param {{onSelect: Function, onHover: Function, onView: Function, above: Element[]}} answers
   *   onSelect and onHover are called with a node or null, onView when the map has come to
   *   rest; `above` lie on the canvas, so that no name may lie there
   */
  constructor(canvas, atlas, answers) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.atlas = atlas;
    this.answers = answers;
    this.turned = turnedToFit(canvas, atlas);
    this.scene = new Scene(atlas);
    this.layers = new Layers(this.scene);
    this.places = new Places(atlas);
    this.view = new Camera(this.scene.world);
    this.hovered = null;
    this.flight = null;
    this.due = 0;
    this.timer = 0;
    this.stirred = 0; // when it last moved
    this.margin = 0;
    this.fitted = true;
    this.ready = new Promise((resolve) => (this.settle = resolve));
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.gestures = new Gestures(this, canvas);
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  /** Placed names of nodes and islands, with boxes in CSS pixels of the canvas. */
  get labels() {
    const frame = this.layers.sheet.frame;
    if (frame === null) return [];
    const [x, y] = [(frame.width - this.canvas.width) / 2, (frame.height - this.canvas.height) / 2];
    const css = (value) => value / this.ratio;
    return this.layers.labels.map((label) => ({
      ...label,
      left: css(label.left - x),
      right: css(label.right - x),
      top: css(label.top - y),
      bottom: css(label.bottom - y),
    }));
  }

  /** Where one looks from, in the coordinates of the file, however the map is turned. */
  get camera() {
    const { x, y, scale } = this.view.look;
    return this.turned ? { x: y, y: x, scale } : { x, y, scale };
  }

  set camera({ x, y, scale }) {
    this.flight = null;
    this.fitted = false;
    this.view.look = this.view.allowed(this.turned ? { x: y, y: x, scale } : { x, y, scale });
    this.moved();
  }

  /** Take the size of the element; the middle stays in the middle. */
  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    if (width === 0 || height === 0) return;
    const [across, down] = [Math.round(width * this.ratio), Math.round(height * this.ratio)];
    if (this.canvas.width === across && this.canvas.height === down && this.view.width === width) return;
    this.canvas.width = across;
    this.canvas.height = down;
    this.view.width = width;
    this.view.height = height;
    this.margin = layerMargin(width, height, this.ratio);
    if (this.fitted) this.view.look = this.view.fitting(this.scene.world);
    this.moved();
  }

  /** Say which parts of the canvas lie under something else, in CSS pixels. */
  setPadding(padding) {
    this.view.padding = { ...this.view.padding, ...padding };
    if (this.fitted) this.view.look = this.view.fitting(this.scene.world);
    this.moved();
  }

  fit() {
    this.fly(this.view.fitting(this.scene.world));
    this.fitted = true;
  }

  flyTo(node) {
    const [x, y] = [this.atlas.x[node], this.atlas.y[node]];
    this.fly({ x, y, scale: Math.max(MAP_NEAR, this.view.look.scale) });
  }

  /** Fly to where a circle of the world fills the view. */
  frame(x, y, radius) {
    const box = { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
    this.fly(this.view.fitting(box));
  }

  flyToIsland(index) {
    const { x, y, radius } = this.atlas.communities[index];
    this.frame(x, y, radius);
  }

  zoomBy(factor) {
    const look = this.flight === null ? this.view.look : this.flight.at(1);
    this.fly({ ...look, scale: look.scale * factor });
  }

  /** Zoom at once about a point of the canvas. */
  zoomAt(x, y, factor) {
    this.flight = null;
    this.fitted = false;
    this.view.zoomAt(x, y, factor);
    this.moved();
  }

  /** Look further right and down by so many CSS pixels. */
  panBy(dx, dy) {
    this.flight = null;
    this.fitted = false;
    this.view.pan(-dx, -dy);
    this.moved();
  }

  /** Move to another look, at once where motion is unwelcome. */
  fly(look) {
    const goal = this.view.allowed(look);
    this.fitted = false;
    if (this.calm.matches) this.view.look = goal;
    else this.flight = { ...this.view.flight(goal), start: performance.now() };
    this.moved();
  }

  select(node) {
    this.scene.selected = node;
    this.refocus();
  }

  highlight(nodes) {
    this.scene.highlighted = nodes;
    this.refocus();
  }

  refocus() {
    this.scene.refocus();
    this.layers.forgetFocus();
    this.draw();
  }

  /** Show only what the masks of nodes, of edges and of links let through. */
  setVisible(nodes, edges = null, links = null) {
    this.scene.allowed = nodes;
    this.scene.masks = { both: edges, papers: links, concepts: null };
    this.changed();
  }

  setView(view) {
    this.scene.view = view;
    this.changed();
  }

  setColour(way) {
    this.scene.way = way;
    this.recolour();
  }

  setTheme(theme) {
    this.scene.theme = theme;
    this.recolour();
  }

  recolour() {
    this.scene.recolour();
    this.layers.painter.stamps.clear();
    this.layers.forget();
    this.draw();
  }

  changed() {
    this.scene.reveal();
    this.layers.forget();
    this.draw();
  }

  /** Return what each colour means: [{label, colour}]. */
  colourKey() {
    return this.scene.colouring.key;
  }

  /** Return where a node stands, in CSS pixels of the canvas, and its radius. */
  screen(node) {
    const { x, y } = this.atlas;
    return { ...this.view.toScreen(x[node], y[node]), radius: this.scene.radius[node] * this.view.look.scale };
  }

  /** Return the node at a point of the canvas, or null; `reach` is the least radius that counts. */
  nodeAt(x, y, reach) {
    const label = this.labelAt(x, y);
    const at = this.view.toWorld(x, y);
    const near = this.places.nearest(at.x, at.y, reach / this.view.look.scale, this.scene);
    return near ?? (label && label.node >= 0 ? label.node : null);
  }

  /** Return the node nearest to the middle of the view, or null where none is shown. */
  middle() {
    const { x, y } = this.view.look;
    let [best, least] = [null, Infinity];
    for (const node of this.scene.order) {
      const distance = Math.hypot(this.atlas.x[node] - x, this.atlas.y[node] - y) - this.scene.radius[node];
      if (distance < least) [best, least] = [node, distance];
    }
    return best;
  }

  labelAt(x, y) {
    if (!this.layers.sheet.shows(this.outer())) return null;
    return this.labels.find(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom) ?? null;
  }

  setHover(node) {
    if (node === this.hovered) return;
    this.hovered = node;
    this.draw();
    this.answers.onHover(node);
  }

  /** Return what lies on the canvas, as boxes in pixels of the outer frame. */
  covered() {
    const canvas = this.canvas.getBoundingClientRect();
    const boxes = (this.answers.above ?? []).map((element) => element.getBoundingClientRect());
    const place = (value, edge) => (value - edge + this.margin) * this.ratio;
    return boxes
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ left, top, right, bottom }) => ({
        left: place(left, canvas.left),
        right: place(right, canvas.left),
        top: place(top, canvas.top),
        bottom: place(bottom, canvas.top),
      }));
  }

  outer() {
    return this.view.frame(this.ratio, this.margin);
  }

  moved() {
    this.stirred = performance.now();
    this.draw();
  }

  /** Draw with the next frame of the screen. */
  draw() {
    if (this.due === 0) this.due = requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.due = 0;
    if (this.canvas.clientWidth === 0) return this.settle(); // hidden; resize() draws it once it is not
    if (this.flight !== null) this.advance(now);
    const outer = this.outer();
    const current = this.layers.sheet.frame !== null;
    const resting = this.flight === null && performance.now() - this.stirred >= MAP_REST;
    if (!current || resting) this.layers.sharpen(outer, this.margin * this.ratio, this.covered());
    this.layers.show(this.context, this.view.frame(this.ratio));
    if (this.hovered !== null) this.drawHovered();
    if (this.flight !== null) this.draw();
    else if (!this.layers.sheet.shows(outer)) this.later();
    else this.rested();
  }

  advance(now) {
    const t = Math.min(1, Math.max(0, (now - this.flight.start) / this.flight.duration));
    this.view.look = this.flight.at(t);
    if (t >= 1) this.flight = null;
    this.stirred = performance.now();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), MAP_REST + 5);
  }

  /** Once drawn sharply: say so, and prepare for the next move. */
  rested() {
    this.settle();
    if (this.layers.overview.frame === null) {
      const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
      idle(() => this.layers.survey(), { timeout: 2000 });
    }
    if (this.reported !== this.view.look) {
      this.reported = this.view.look;
      this.answers.onView();
    }
  }

  /** Draw over the rest the node under the pointer, with its name. */
  drawHovered() {
    const { scene, context, hovered } = this;
    const frame = this.view.frame(this.ratio);
    this.layers.painter.ring(context, frame, hovered, scene.colours.accent, 1.6);
    if (this.layers.labels.some((label) => label.node === hovered)) return;
    const room = new LabelRoom(frame, 0);
    const label = this.layers.painter.labels.placeSurely(context, frame, scene, room, hovered);
    if (label) this.layers.painter.labels.draw(context, frame, scene, [label]);
  }

  /** Draw the map as it is seen now on another canvas, `scale` pixels per CSS pixel. */
  drawTo(context, width, height, scale) {
    const { look, shiftX, shiftY } = this.view;
    const size = [Math.round(width * scale), Math.round(height * scale)];
    const frame = new Frame(look, ...size, scale, shiftX * scale, shiftY * scale);
    const painter = new Painter(this.scene, new Sprites());
    const rest = new Layer();
    painter.rest(rest.begin(frame), frame);
    painter.all(context, frame, () => context.drawImage(rest.canvas, 0, 0));
  }
}

/** Swap x and y of everything where a wide map is to be seen on an upright screen. */
function turnedToFit(canvas, atlas) {
  const { left, top, right, bottom } = worldOf(atlas);
  const upright = canvas.clientHeight > 1.2 * canvas.clientWidth;
  if (!upright || right - left <= 1.1 * (bottom - top)) return false;
  [atlas.x, atlas.y] = [atlas.y, atlas.x];
  for (const island of atlas.communities) [island.x, island.y] = [island.y, island.x];
  return true;
}
