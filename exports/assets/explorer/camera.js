// Where one looks from: the point of the world in the middle of the view, and the scale.

const CAMERA_CLOSEST = 8; // CSS pixels per unit of the world
const CAMERA_EASE = (t) => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2);

/** What is seen of the world, in pixels of a bitmap: screen = world * scale + offset. */
class Frame {
  /**
   * @param {{x: number, y: number, scale: number}} look the middle, and CSS pixels per unit
   * @param {number} width of the bitmap, in its own pixels
   * @param {number} height of the bitmap
   * @param {number} ratio pixels of the bitmap per CSS pixel
   * @param {number} dx by how many pixels the middle lies right of the bitmap's
   * @param {number} dy by how many it lies below
   */
  constructor(look, width, height, ratio, dx = 0, dy = 0) {
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.zoom = look.scale;
    this.scale = look.scale * ratio;
    this.dx = width / 2 + dx - look.x * this.scale;
    this.dy = height / 2 + dy - look.y * this.scale;
  }

  x(worldX) {
    return worldX * this.scale + this.dx;
  }

  y(worldY) {
    return worldY * this.scale + this.dy;
  }

  /** Return the part of the world in the frame, widened by a margin in pixels. */
  box(margin = 0) {
    return {
      left: (-margin - this.dx) / this.scale,
      top: (-margin - this.dy) / this.scale,
      right: (this.width + margin - this.dx) / this.scale,
      bottom: (this.height + margin - this.dy) / this.scale,
    };
  }

  /** Return how many frames of this size the world would fill, at least 1. */
  share(world) {
    const area = (world.right - world.left) * (world.bottom - world.top) * this.scale ** 2;
    return Math.max(1, area / (this.width * this.height));
  }

  equals(other) {
    return (
      this.scale === other.scale &&
      this.dx === other.dx &&
      this.dy === other.dy &&
      this.width === other.width &&
      this.height === other.height &&
      this.ratio === other.ratio
    );
  }
}

class Camera {
  /** @param {{left: number, top: number, right: number, bottom: number}} world its bounds */
  constructor(world) {
    this.world = world;
    this.width = 1;
    this.height = 1;
    this.padding = { left: 0, top: 0, right: 0, bottom: 0 };
    this.look = { x: (world.left + world.right) / 2, y: (world.top + world.bottom) / 2, scale: 1 };
  }

  get shiftX() {
    return (this.padding.left - this.padding.right) / 2;
  }

  get shiftY() {
    return (this.padding.top - this.padding.bottom) / 2;
  }

  get freeWidth() {
    return Math.max(80, this.width - this.padding.left - this.padding.right);
  }

  get freeHeight() {
    return Math.max(80, this.height - this.padding.top - this.padding.bottom);
  }

  /** Return the frame of the view, a margin in CSS pixels around it, on whole pixels. */
  frame(ratio, margin = 0) {
    const width = Math.round((this.width + 2 * margin) * ratio);
    const height = Math.round((this.height + 2 * margin) * ratio);
    return new Frame(this.look, width, height, ratio, this.shiftX * ratio, this.shiftY * ratio);
  }

  toScreen(x, y) {
    const { look } = this;
    return {
      x: (x - look.x) * look.scale + this.width / 2 + this.shiftX,
      y: (y - look.y) * look.scale + this.height / 2 + this.shiftY,
    };
  }

  toWorld(x, y) {
    const { look } = this;
    return {
      x: look.x + (x - this.width / 2 - this.shiftX) / look.scale,
      y: look.y + (y - this.height / 2 - this.shiftY) / look.scale,
    };
  }

  /** Return the look that shows a box of the world whole with a little room around it. */
  fitting({ left, top, right, bottom }) {
    const across = (0.96 * this.freeWidth) / Math.max(right - left, 1);
    const down = (0.93 * this.freeHeight) / Math.max(bottom - top, 1);
    return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.min(across, down, 2) };
  }

  /** Return the look nearest to one asked for that still shows something. */
  allowed({ x, y, scale }) {
    const { left, top, right, bottom } = this.world;
    const furthest = this.fitting(this.world).scale * 0.6;
    const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
    return {
      x: clamp(x, left, right),
      y: clamp(y, top, bottom),
      scale: clamp(scale, Math.min(furthest, CAMERA_CLOSEST), CAMERA_CLOSEST),
    };
  }

  /** Zoom about a point of the screen, which stays where it is. */
  zoomAt(screenX, screenY, factor) {
    const held = this.toWorld(screenX, screenY);
    const scale = this.allowed({ ...this.look, scale: this.look.scale * factor }).scale;
    const share = this.look.scale / scale;
    this.look = this.allowed({
      x: held.x + (this.look.x - held.x) * share,
      y: held.y + (this.look.y - held.y) * share,
      scale,
    });
  }

  pan(screenDx, screenDy) {
    const { x, y, scale } = this.look;
    this.look = this.allowed({ x: x - screenDx / scale, y: y - screenDy / scale, scale });
  }

  /**
   * Return the way to another look as a function of 0..1, with its length in milliseconds:
   * out, across and in again along the shortest path a viewer perceives (van Wijk and Nuij,
   * 2003).
   */
  flight(goal) {
    const from = this.look;
    const size = Math.max(this.freeWidth, this.freeHeight);
    const [w0, w1] = [size / from.scale, size / goal.scale];
    const distance = Math.hypot(goal.x - from.x, goal.y - from.y);
    const way = distance < w0 * 1e-3 ? flightInPlace(w0, w1) : flightAcross(w0, w1, distance);
    const at = (t) => {
      if (t >= 1) return goal;
      const { along, width } = way.at(CAMERA_EASE(t) * way.length);
      return {
        x: from.x + (goal.x - from.x) * along,
        y: from.y + (goal.y - from.y) * along,
        scale: size / width,
      };
    };
    return { at, duration: Math.min(900, 250 + 260 * way.length) };
  }
}

const FLIGHT_CURVE = 1.3;

function flightInPlace(w0, w1) {
  const length = Math.abs(Math.log(w1 / w0)) / FLIGHT_CURVE;
  const sign = Math.sign(w1 - w0);
  return { length, at: (s) => ({ along: length ? s / length : 1, width: w0 * Math.exp(sign * FLIGHT_CURVE * s) }) };
}

function flightAcross(w0, w1, distance) {
  const rho2 = FLIGHT_CURVE ** 2;
  const bend = (w, sign) => {
    const b = (w1 ** 2 - w0 ** 2 + sign * rho2 ** 2 * distance ** 2) / (2 * w * rho2 * distance);
    return Math.log(Math.sqrt(b * b + 1) - b);
  };
  const [r0, r1] = [bend(w0, 1), bend(w1, -1)];
  return {
    length: (r1 - r0) / FLIGHT_CURVE,
    at(s) {
      const r = FLIGHT_CURVE * s + r0;
      const run = (w0 / (rho2 * distance)) * (Math.cosh(r0) * Math.tanh(r) - Math.sinh(r0));
      return { along: run, width: (w0 * Math.cosh(r0)) / Math.cosh(r) };
    },
  };
}
