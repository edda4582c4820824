// Mouse, fingers and keys on the map.

const POINTER_REACH = { mouse: 8, pen: 10, touch: 16 }; // CSS pixels from the middle of a node
const POINTER_SLACK = { mouse: 4, pen: 6, touch: 9 }; // CSS pixels that a click may move
const POINTER_STEP = 90; // CSS pixels per arrow key

class Gestures {
  constructor(map, canvas) {
    this.map = map;
    this.canvas = canvas;
    this.fingers = new Map();
    this.pressed = null;
    canvas.style.touchAction = "none";
    canvas.style.cursor = "grab";
    const on = (name, handler, options) => canvas.addEventListener(name, handler.bind(this), options);
    on("pointerdown", this.down);
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointercancel", this.cancel);
    on("pointerleave", this.leave);
    on("wheel", this.wheel, { passive: false });
    on("dblclick", this.doubleClick);
    on("keydown", this.key);
  }

  /** Return where an event happened, in CSS pixels of the canvas. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  down(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.at(event));
    this.pressed = this.fingers.size === 1 ? this.at(event) : null;
    this.pinched = this.fingers.size > 1 ? this.spread() : null;
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    const at = this.at(event);
    if (!before) {
      if (event.pointerType !== "touch") this.hover(at, event.pointerType);
      return;
    }
    if (this.pressed && Math.hypot(at.x - this.pressed.x, at.y - this.pressed.y) <= POINTER_SLACK[event.pointerType]) return;
    this.pressed = null;
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size > 1) this.pinch();
    else this.drag(before, at);
  }

  drag(before, at) {
    this.canvas.style.cursor = "grabbing";
    this.map.setHover(null);
    this.map.panBy(before.x - at.x, before.y - at.y);
  }

  spread() {
    const [a, b] = this.fingers.values();
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, width: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)) };
  }

  pinch() {
    const now = this.spread();
    this.map.panBy(this.pinched.x - now.x, this.pinched.y - now.y);
    this.map.zoomAt(now.x, now.y, now.width / this.pinched.width);
    this.pinched = now;
  }

  up(event) {
    const { pressed } = this;
    this.cancel(event);
    if (pressed) this.click(pressed, event.pointerType);
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.pressed = null;
    this.pinched = this.fingers.size > 1 ? this.spread() : null;
    this.canvas.style.cursor = "grab";
  }

  click(at, pointer) {
    const { map } = this;
    const node = map.nodeAt(at.x, at.y, POINTER_REACH[pointer] ?? POINTER_REACH.mouse);
    const label = map.labelAt(at.x, at.y);
    if (node === null && label && label.island >= 0) map.flyToIsland(label.island);
    else map.answers.onSelect(node);
  }

  hover(at, pointer) {
    const { map } = this;
    const node = map.nodeAt(at.x, at.y, POINTER_REACH[pointer] ?? POINTER_REACH.mouse);
    const label = node === null ? map.labelAt(at.x, at.y) : null;
    this.canvas.style.cursor = node !== null || label ? "pointer" : "grab";
    map.setHover(node);
  }

  leave(event) {
    if (!this.fingers.has(event.pointerId)) this.map.setHover(null);
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const pace = event.ctrlKey ? 0.01 : 0.0016; // a pinch on a touch pad comes with ctrlKey
    const step = Math.max(-240, Math.min(240, event.deltaY * lines));
    const { x, y } = this.at(event);
    this.map.zoomAt(x, y, Math.exp(-step * pace));
  }

  doubleClick(event) {
    const { x, y } = this.at(event);
    const { map } = this;
    const goal = map.view.toWorld(x, y);
    const { look } = map.view;
    const factor = event.shiftKey ? 0.5 : 2;
    const scale = map.view.allowed({ ...look, scale: look.scale * factor }).scale;
    const share = look.scale / scale;
    map.fly({ x: goal.x + (look.x - goal.x) * share, y: goal.y + (look.y - goal.y) * share, scale });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { map } = this;
    const acts = {
      ArrowLeft: () => map.panBy(-POINTER_STEP, 0),
      ArrowRight: () => map.panBy(POINTER_STEP, 0),
      ArrowUp: () => map.panBy(0, -POINTER_STEP),
      ArrowDown: () => map.panBy(0, POINTER_STEP),
      "+": () => map.zoomBy(1.5),
      "=": () => map.zoomBy(1.5),
      "-": () => map.zoomBy(1 / 1.5),
      0: () => map.fit(),
    };
    if (!(event.key in acts)) return;
    event.preventDefault();
    acts[event.key]();
  }
}
