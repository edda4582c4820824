// Nodes as stamps: each shape in each colour and size is drawn once and then copied.

const SPRITE_SHEET = 1024; // pixels, square
const SPRITE_LARGEST = 40; // pixels; what is larger is drawn as a path
const SHAPE_UNIT = 6.5; // radius of the dot in the 16 x 16 box of SHAPES

/** Return the path of a shape around 0, its dot of radius `SHAPE_UNIT`. */
const shapePath = (() => {
  const paths = new Map();
  return (shape) => {
    if (!paths.has(shape)) {
      const path = new Path2D();
      path.addPath(new Path2D(SHAPES[shape] ?? SHAPES.dot), new DOMMatrix([1, 0, 0, 1, -8, -8]));
      paths.set(shape, path);
    }
    return paths.get(shape);
  };
})();

/** Draw one shape with a rim that sets it off from what lies beneath. */
function drawShape(context, shape, x, y, radius, colour, rim, rimWidth) {
  const unit = radius / SHAPE_UNIT;
  const path = shapePath(shape);
  context.save();
  context.translate(x, y);
  context.scale(unit, unit);
  if (rimWidth > 0) {
    context.lineJoin = "round";
    context.lineWidth = (2 * rimWidth) / unit;
    context.strokeStyle = rim;
    context.stroke(path);
  }
  context.fillStyle = colour;
  context.fill(path);
  context.restore();
}

class Sprites {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.canvas.width = SPRITE_SHEET;
    this.canvas.height = SPRITE_SHEET;
    this.context = this.canvas.getContext("2d");
    this.clear();
  }

  clear() {
    this.context.clearRect(0, 0, SPRITE_SHEET, SPRITE_SHEET);
    this.places = new Map();
    this.left = 0;
    this.top = 0;
    this.rowHeight = 0;
  }

  /** Draw the stamp of a node ahead: a sheet that changes between two stamps is copied whole. */
  prepare(look, radius) {
    const half = spriteHalves(radius);
    if (half <= 2 * SPRITE_LARGEST && !this.places.has(look.key * 256 + half)) this.make(look, half);
  }

  /**
   * Draw a node.
   *
   * @param {CanvasRenderingContext2D} context in pixels of its bitmap
   * @param {{shape: string, colour: string, rim: string, key: number}} look key: one for each
   * @param {number} radius in pixels
   */
  stamp(context, look, x, y, radius) {
    const half = spriteHalves(radius);
    if (half > 2 * SPRITE_LARGEST) {
      drawShape(context, look.shape, x, y, radius, look.colour, look.rim, spriteRim(radius));
      return;
    }
    const { left, top, size } = this.places.get(look.key * 256 + half) ?? this.make(look, half);
    context.drawImage(this.canvas, left, top, size, size, Math.round(x - size / 2), Math.round(y - size / 2), size, size);
  }

  make(look, half) {
    const radius = half / 2;
    const rim = spriteRim(radius);
    const size = 2 * Math.ceil(radius * 1.25 + rim + 1);
    if (this.left + size > SPRITE_SHEET) {
      this.left = 0;
      this.top += this.rowHeight;
      this.rowHeight = 0;
    }
    if (this.top + size > SPRITE_SHEET) this.clear();
    const place = { left: this.left, top: this.top, size };
    this.context.clearRect(place.left, place.top, size, size);
    const middle = size / 2;
    drawShape(this.context, look.shape, place.left + middle, place.top + middle, radius, look.colour, look.rim, rim);
    this.left += size;
    this.rowHeight = Math.max(this.rowHeight, size);
    this.places.set(look.key * 256 + half, place);
    return place;
  }
}

/** Return a radius in half pixels, the steps in which stamps come. */
const spriteHalves = (radius) => Math.max(2, Math.round(radius * 2));

/** Return the width of the rim around a node of a radius, both in pixels. */
const spriteRim = (radius) => Math.min(1.6, radius * 0.22);
