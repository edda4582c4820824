// Bitmaps of the map. While it moves they are copied, shifted and scaled; when it rests it is
// drawn anew.

const LAYER_MARGIN = 0.14; // of the longer side, drawn beyond each edge of the view
const LAYER_MOST = 12e6; // pixels of a bitmap; a browser on a phone holds about 16 million
const LAYER_OVERVIEW = 1100; // CSS pixels, the longer side

/** A bitmap with the frame that it shows. */
class Layer {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
    this.frame = null;
  }

  /** Return whether the bitmap shows just this frame. */
  shows(frame) {
    return this.frame !== null && this.frame.equals(frame);
  }

  /** Make the bitmap empty and ready for a frame. */
  begin(frame) {
    if (this.canvas.width !== frame.width || this.canvas.height !== frame.height) {
      this.canvas.width = frame.width;
      this.canvas.height = frame.height;
    } else {
      this.context.clearRect(0, 0, frame.width, frame.height);
    }
    this.frame = frame;
    return this.context;
  }

  forget() {
    this.frame = null;
  }

  /** Copy the bitmap to where its part of the world lies in another frame. */
  copyTo(context, frame) {
    if (this.frame === null) return;
    const zoom = frame.scale / this.frame.scale;
    const left = frame.dx - this.frame.dx * zoom;
    const top = frame.dy - this.frame.dy * zoom;
    if (zoom === 1) context.drawImage(this.canvas, Math.round(left), Math.round(top));
    else context.drawImage(this.canvas, left, top, this.frame.width * zoom, this.frame.height * zoom);
  }
}

/** The bitmaps of one map: the nodes and lines at rest, the whole, and the world from afar. */
class Layers {
  constructor(scene) {
    this.scene = scene;
    this.painter = new Painter(scene, new Sprites());
    this.base = new Layer();
    this.sheet = new Layer();
    this.overview = new Layer();
    this.labels = [];
  }

  /** Forget what shows nodes and lines as they were. */
  forget() {
    this.base.forget();
    this.sheet.forget();
    this.overview.forget();
  }

  /** Forget what stands out; nodes and lines at rest stay as they are. */
  forgetFocus() {
    this.sheet.forget();
  }

  /** Draw a frame sharply, if it isn't there; `margin` pixels of it are out of sight, no name lies on what is `covered`. */
  sharpen(frame, margin, covered) {
    if (this.sheet.shows(frame)) return;
    const start = performance.now();
    if (!this.base.shows(frame)) this.painter.rest(this.base.begin(frame), frame);
    const context = this.sheet.begin(frame);
    this.labels = this.painter.all(context, frame, () => context.drawImage(this.base.canvas, 0, 0), margin, covered);
    performance.measure("paperkg:sharp", { start });
  }

  /** Draw the world from afar, for what comes into sight while the map moves. */
  survey() {
    if (this.overview.frame !== null) return;
    const { world } = this.scene;
    const [width, height] = [world.right - world.left, world.bottom - world.top];
    const scale = LAYER_OVERVIEW / Math.max(width, height);
    const look = { x: (world.left + world.right) / 2, y: (world.top + world.bottom) / 2, scale };
    const frame = new Frame(look, Math.ceil(width * scale), Math.ceil(height * scale), 1);
    const context = this.overview.begin(frame);
    this.painter.ground(context, frame);
    this.painter.rest(context, frame);
  }

  /** Copy what there is to the screen, for a frame of the screen. */
  show(context, frame) {
    context.fillStyle = this.scene.colours.canvas;
    const covered = this.sheet.frame !== null && this.covers(frame);
    if (!covered) {
      context.fillRect(0, 0, frame.width, frame.height);
      context.globalAlpha = this.scene.focus ? 0.35 : 1;
      this.overview.copyTo(context, frame);
      context.globalAlpha = 1;
    }
    this.sheet.copyTo(context, frame);
  }

  covers(frame) {
    const [inner, outer] = [frame.box(), this.sheet.frame.box(0.5)];
    return inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom;
  }
}

/** Return the margin in CSS pixels that a bitmap of a view can afford. */
function layerMargin(width, height, ratio) {
  const wanted = Math.round(LAYER_MARGIN * Math.max(width, height));
  const area = (margin) => (width + 2 * margin) * (height + 2 * margin) * ratio ** 2;
  return area(wanted) <= LAYER_MOST ? wanted : 0;
}
