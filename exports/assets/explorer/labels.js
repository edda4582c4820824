// Names on the map. They never lie on each other: the most telling are placed first, and
// what finds no room appears on zooming in.

const LABEL_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const LABEL_CELL = 4; // CSS pixels
const LABEL_AREA = 9000; // CSS pixels of the view per name of a node
const LABEL_SURE = 24; // names of nodes that may cover other nodes
const LABEL_SURE_IN_FOCUS = 60;
const LABEL_BESIDE = 12; // CSS pixels of radius above which a node is large
const LABEL_TAKEN = 3;
const LABEL_NEAR = 0.2; // CSS pixels per unit of the world above which islands are named at the rim
const LABEL_LEAST_ISLAND = 16; // CSS pixels of radius
const LABEL_LONGEST = 30; // characters

/** Which parts of a bitmap are taken, in cells: 1 by a node, 2 by a large one, 3 by a name. */
class LabelRoom {
  /**
   * @param {Frame} frame of the bitmap
   * @param {number} margin pixels of the bitmap out of sight on each side
   */
  constructor(frame, margin) {
    this.cell = LABEL_CELL * frame.ratio;
    this.columns = Math.ceil(frame.width / this.cell);
    this.rows = Math.ceil(frame.height / this.cell);
    this.cells = new Uint8Array(this.columns * this.rows);
    this.frame = frame;
    this.margin = margin;
  }

  /** Return whether a box lies within the bitmap, and is not cut by the edge of the view. */
  holds({ left, top, right, bottom }) {
    const { width, height } = this.frame;
    if (left < 0 || top < 0 || right > width || bottom > height) return false;
    const cut = (low, high, edge) => low < edge && high > edge;
    const [across, down] = [width - this.margin, height - this.margin];
    return !cut(left, right, this.margin) && !cut(left, right, across) && !cut(top, bottom, this.margin) && !cut(top, bottom, down);
  }

  /** Return where the middle of something so wide goes that isn't to be cut by the view's edge. */
  inSight(x, width) {
    const [low, high] = [this.margin, this.frame.width - this.margin];
    return x < low || x > high ? x : Math.max(low + width / 2, Math.min(high - width / 2, x));
  }

  span(box) {
    const { cell, columns, rows } = this;
    return [
      Math.max(0, Math.floor(box.left / cell)),
      Math.max(0, Math.floor(box.top / cell)),
      Math.min(columns, Math.ceil(box.right / cell)),
      Math.min(rows, Math.ceil(box.bottom / cell)),
    ];
  }

  take(box, by) {
    const [left, top, right, bottom] = this.span(box);
    for (let row = top; row < bottom; row += 1) {
      for (let at = row * this.columns + left; at < row * this.columns + right; at += 1) {
        if (this.cells[at] < by) this.cells[at] = by;
      }
    }
  }

  /** Return whether there is room for a box that covers nothing of weight `most` or more. */
  free(box, most) {
    if (!this.holds(box)) return false;
    const [left, top, right, bottom] = this.span(box);
    for (let row = top; row < bottom; row += 1) {
      for (let at = row * this.columns + left; at < row * this.columns + right; at += 1) {
        if (this.cells[at] >= most) return false;
      }
    }
    return true;
  }
}

class Labels {
  constructor(atlas) {
    this.atlas = atlas;
    this.widths = new Map();
  }

  /** Return the width of a text in CSS pixels. */
  width(context, text, font) {
    const key = font + text;
    let width = this.widths.get(key);
    if (width === undefined) {
      context.font = font;
      width = context.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }

  /**
   * Find room for names.
   *
   * @param {CanvasRenderingContext2D} context to measure with
   * @param {Frame} frame
   * @param {Scene} scene
   * @param {number} margin pixels of the frame out of sight on each side
   * @param {object[]} covered boxes in pixels of the frame on which no name may lie
   * @returns {object[]} names with their boxes in pixels, the most important first
   */
  place(context, frame, scene, margin, covered) {
    const room = new LabelRoom(frame, margin);
    for (const box of covered) room.take(box, LABEL_TAKEN);
    const placed = [];
    const add = (label) => {
      if (label === null) return;
      room.take(label, LABEL_TAKEN);
      placed.push(label);
    };
    const nodes = this.candidates(frame, scene);
    for (const node of nodes) {
      const large = scene.radius[node] * frame.zoom > LABEL_BESIDE;
      room.take(nodeBox(frame, scene, node), large ? 2 : 1);
    }
    if (scene.selected !== null) add(this.placeSurely(context, frame, scene, room, scene.selected));
    if (scene.focus === null) {
      this.atlas.communities.forEach((_, island) => add(this.placeIsland(context, frame, scene, room, island)));
    }
    const sure = scene.focus ? LABEL_SURE_IN_FOCUS : LABEL_SURE;
    const said = new Set(placed.flatMap(({ island }) => (island < 0 ? [] : islandNames(this.atlas, island))));
    nodes.forEach((node, rank) => {
      if (node === scene.selected || said.has(this.atlas.label(node))) return;
      if (rank < sure) add(this.placeSurely(context, frame, scene, room, node));
      else add(this.placeNode(context, frame, scene, room, node, 1));
    });
    return placed;
  }

  /** Return the nodes in sight that may have a name at this zoom, the largest first. */
  candidates(frame, scene) {
    const { x, y } = this.atlas;
    const area = (frame.width * frame.height) / (LABEL_AREA * frame.ratio ** 2);
    const most = scene.focus ? Infinity : area * frame.share(scene.world) * 1.5;
    const box = frame.box();
    const found = [];
    for (const node of scene.telling) {
      if (scene.focus && scene.focus[node] === 0) continue;
      if (x[node] > box.left && x[node] < box.right && y[node] > box.top && y[node] < box.bottom) found.push(node);
      if (found.length >= 4 * area) break;
    }
    return scene.focus ? found : found.slice(0, Math.min(found.length, most));
  }

  /** Place the name of a node where it covers as little as can be, but no other name. */
  placeSurely(context, frame, scene, room, node) {
    for (let most = 1; most <= LABEL_TAKEN; most += 1) {
      const label = this.placeNode(context, frame, scene, room, node, most);
      if (label !== null) return label;
    }
    return null;
  }

  /** Place the name of a node where it covers nothing of weight `most` or more, or nowhere. */
  placeNode(context, frame, scene, room, node, most) {
    const { atlas } = this;
    const paper = node < atlas.P;
    const strong = node === scene.selected;
    const size = paper ? 11.5 : Math.min(14, 11 + atlas.radius[node] / 8);
    const font = `${strong ? 700 : paper ? 400 : 600} ${size}px ${LABEL_FONT}`;
    const text = shortened(atlas.label(node), LABEL_LONGEST);
    const width = (this.width(context, text, font) + 4) * frame.ratio;
    const height = (size + 3) * frame.ratio;
    const drawn = Math.max(scene.radius[node] * frame.scale, scene.focus ? PAINT_LEAST * frame.ratio : 0);
    const gap = strong ? drawn * 1.3 + 5 * frame.ratio : drawn * 1.1 + 2 * frame.ratio; // beside the ring
    const [x, y] = [frame.x(atlas.x[node]), frame.y(atlas.y[node])];
    const colour = scene.way === "kind" && !paper ? scene.look(node).colour : scene.colours.ink;
    for (const [left, top] of labelSpots(x, y, gap, width, height)) {
      const box = { left, top, right: left + width, bottom: top + height };
      if (room.free(box, most)) return { ...box, node, island: -1, lines: [{ text, font }], size, colour };
    }
    return null;
  }

  /** Place an island's names: on it from afar, at its rim where its nodes can be told apart. */
  placeIsland(context, frame, scene, room, index) {
    const island = this.atlas.communities[index];
    const reach = island.radius * frame.scale;
    if (!island.label || reach / frame.ratio < LABEL_LEAST_ISLAND) return null;
    const near = frame.zoom > LABEL_NEAR;
    const wordings = islandNames(this.atlas, index);
    for (const names of wordings.length > 1 ? [wordings, [wordings[0]]] : [wordings]) {
      const block = this.islandBlock(context, names, near, reach / frame.ratio);
      const [width, height] = [block.width * frame.ratio, block.height * frame.ratio];
      const x = room.inSight(frame.x(island.x), width);
      const boxes = islandSpots(reach, height, near).map((dy) => {
        const y = frame.y(island.y) + dy;
        return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
      });
      const box = boxes.find((one) => near && room.free(one, 1)) ?? boxes.find((one) => room.free(one, LABEL_TAKEN));
      if (box) return { ...box, node: -1, island: index, lines: block.lines, size: block.size, colour: scene.colours.ink };
    }
    return null;
  }

  /** Return an island's names in lines, the first name in bold, with the size of them all. */
  islandBlock(context, names, near, pixels) {
    const size = Math.min(near ? 15 : 18, Math.max(10, 8 + pixels * 0.07));
    const widest = Math.max(80, 1.7 * pixels);
    const lines = names.flatMap((name, i) => {
      const font = `${i === 0 ? 700 : 400} ${size}px ${LABEL_FONT}`;
      return wrapped(name, widest, 3, (text) => this.width(context, text, font)).map((text) => ({ text, font }));
    });
    const width = Math.max(...lines.map(({ text, font }) => this.width(context, text, font))) + 6;
    return { lines, size, width, height: lines.length * size * 1.2 + 4 };
  }

  /** Draw placed names, each with a halo in the colour of the canvas. */
  draw(context, frame, scene, placed) {
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.strokeStyle = scene.colours.canvas;
    context.lineWidth = 3.2 * frame.ratio;
    for (const { lines, size, colour, left, top, right, bottom } of placed) {
      const step = (bottom - top) / lines.length;
      context.fillStyle = colour;
      lines.forEach(({ text, font }, i) => {
        context.font = font.replace(`${size}px`, `${size * frame.ratio}px`);
        context.strokeText(text, (left + right) / 2, top + (i + 0.5) * step);
        context.fillText(text, (left + right) / 2, top + (i + 0.5) * step);
      });
    }
  }
}

/** Return the names in which a community is told: "parsing · machine translation" has two. */
const islandNames = (atlas, island) => atlas.communities[island].label.split(" · ").map((name) => shortened(name, 40));

/** Return how far below an island's middle its names go, the best first: on it, or at its rim. */
function islandSpots(reach, height, near) {
  if (!near) return [0, -0.5 * reach, 0.5 * reach];
  return [0.65 * height - reach, -0.55 * height - reach, reach - 0.65 * height];
}

function nodeBox(frame, { atlas: { x, y }, radius }, node) {
  const reach = radius[node] * frame.scale * 0.9;
  const [atX, atY] = [frame.x(x[node]), frame.y(y[node])];
  return { left: atX - reach, top: atY - reach, right: atX + reach, bottom: atY + reach };
}

/** Return places for a name beside its node, the best first. */
function labelSpots(x, y, gap, width, height) {
  return [
    [x + gap, y - height / 2],
    [x - width / 2, y + gap],
    [x - gap - width, y - height / 2],
    [x - width / 2, y - gap - height],
    [x + 0.7 * gap, y + 0.7 * gap],
    [x + 0.7 * gap, y - 0.7 * gap - height],
    [x - 0.7 * gap - width, y + 0.7 * gap],
    [x - 0.7 * gap - width, y - 0.7 * gap - height],
  ];
}

function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** Return a text in lines no wider than asked, where words allow. */
function wrapped(text, widest, most, widthOf) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const joined = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && (widthOf(joined) <= widest || lines.length === most)) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}
