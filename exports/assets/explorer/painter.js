// The order in which a map is drawn, on whatever context: the screen's, a picture's, SVG.

const PAINT_FADED = { light: 0.2, dark: 0.22 };
const PAINT_SPECK = 2.1; // CSS pixels of radius below which a shape can't be told
const PAINT_PALE = 0.7; // alpha of specks at rest, so that names and hubs stand out from them
const PAINT_LEAST = 3; // CSS pixels of radius of what stands out, where it is few nodes
const PAINT_FEW = 800;
const PAINT_BATCH = 200; // specks in one path

class Painter {
  /**
   * @param {Scene} scene
   * @param {{prepare: Function, stamp: Function}} stamps draws a node: `Sprites`, or what has its `prepare` and `stamp`
   */
  constructor(scene, stamps) {
    this.scene = scene;
    this.stamps = stamps;
    this.labels = new Labels(scene.atlas);
  }

  /** Fill the bitmap and draw the islands. */
  ground(context, frame) {
    const { colours, atlas, colouring, way } = this.scene;
    context.fillStyle = colours.canvas;
    context.fillRect(0, 0, frame.width, frame.height);
    atlas.communities.forEach((island, i) => {
      if (!(island.radius > 0)) return;
      context.beginPath();
      context.arc(frame.x(island.x), frame.y(island.y), island.radius * frame.scale, 0, 2 * Math.PI);
      context.fillStyle = colours.island;
      context.fill();
      if (way === "community") {
        context.globalAlpha = 0.1;
        context.fillStyle = colouring.key[i].colour;
        context.fill();
        context.globalAlpha = 1;
      }
      context.lineWidth = frame.ratio;
      context.strokeStyle = colours.border;
      context.stroke();
    });
  }

  /** Draw lines and nodes as they are when nothing stands out. */
  rest(context, frame) {
    const { scene } = this;
    const share = frame.share(scene.world);
    const detail = Math.min(1, Math.max(0, (frame.zoom - 0.4) / 0.6));
    scene.lines.draw(context, frame, {
      nodes: scene.shown,
      mask: scene.mask,
      colours: scene.lineColours,
      budget: LINE_BUDGET * share,
      detail,
    });
    this.nodes(context, frame, null);
  }

  /** Draw the nodes, or those in focus: the small as specks, the others in their shapes. */
  nodes(context, frame, focus) {
    const { scene } = this;
    const { x, y } = scene.atlas;
    const { radius } = scene;
    const box = frame.box(40 * frame.ratio);
    const specks = scene.colouring.palette.map(() => []);
    const large = [];
    const least = focus !== null && scene.focused < PAINT_FEW ? PAINT_LEAST : 0;
    for (const node of scene.order) {
      if (focus !== null && focus[node] === 0) continue;
      const [atX, atY] = [x[node], y[node]];
      if (atX < box.left || atX > box.right || atY < box.top || atY > box.bottom) continue;
      if (Math.max(least, radius[node] * frame.zoom) < PAINT_SPECK) specks[scene.colouring.index[node]].push(node);
      else large.push(node);
    }
    context.globalAlpha = focus === null ? PAINT_PALE : 1;
    specks.forEach((nodes, colour) => this.specks(context, frame, nodes, scene.colouring.palette[colour]));
    context.globalAlpha = 1;
    const reachOf = (node) => Math.max(least * frame.ratio, radius[node] * frame.scale);
    for (const node of large) this.stamps.prepare(scene.look(node), reachOf(node));
    for (const node of large) {
      const reach = reachOf(node);
      this.stamps.stamp(context, scene.look(node), frame.x(x[node]), frame.y(y[node]), reach);
    }
  }

  specks(context, frame, nodes, colour) {
    const { x, y } = this.scene.atlas;
    const { radius } = this.scene;
    context.fillStyle = colour;
    for (let start = 0; start < nodes.length; start += PAINT_BATCH) {
      context.beginPath();
      for (const node of nodes.slice(start, start + PAINT_BATCH)) {
        const side = Math.max(2, Math.round(radius[node] * frame.scale * 1.8));
        context.rect(Math.round(frame.x(x[node]) - side / 2), Math.round(frame.y(y[node]) - side / 2), side, side);
      }
      context.fill();
    }
  }

  /** Draw what stands out, over the faded rest. */
  focus(context, frame) {
    const { scene } = this;
    const { focus, selected, highlighted } = scene;
    const own = (a, b) => a === selected || b === selected;
    scene.lines.drawChosen(context, frame, {
      mask: scene.mask,
      colours: scene.lineColours,
      chosen: (a, b) => focus[a] === 1 && focus[b] === 1 && (highlighted !== null || own(a, b)),
    });
    if (highlighted === null && scene.view === "both") this.ties(context, frame, selected);
    this.nodes(context, frame, focus);
    if (selected !== null) this.ring(context, frame, selected, scene.colours.accent, 2.6);
  }

  /** Draw lines from a node to others of its sort, in the view that has none of them. */
  ties(context, frame, node) {
    const { atlas, colours, shown } = this.scene;
    context.strokeStyle = colours.muted;
    context.lineWidth = frame.ratio;
    context.globalAlpha = 0.6;
    context.setLineDash([2 * frame.ratio, 3 * frame.ratio]);
    context.beginPath();
    for (const other of this.scene.peers(node)) {
      if (shown[other] === 0) continue;
      context.moveTo(frame.x(atlas.x[node]), frame.y(atlas.y[node]));
      context.lineTo(frame.x(atlas.x[other]), frame.y(atlas.y[other]));
    }
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  ring(context, frame, node, colour, width) {
    const { scene } = this;
    const { x, y } = scene.atlas;
    const { radius } = scene;
    const reach = Math.max(3 * frame.ratio, radius[node] * frame.scale);
    const [atX, atY] = [frame.x(x[node]), frame.y(y[node])];
    this.stamps.stamp(context, scene.look(node), atX, atY, reach);
    context.beginPath();
    context.arc(atX, atY, reach * 1.3 + 3 * frame.ratio, 0, 2 * Math.PI);
    context.strokeStyle = colour;
    context.lineWidth = width * frame.ratio;
    context.stroke();
  }

  /** Draw the names; return them with their boxes. */
  names(context, frame, margin, covered) {
    const placed = this.labels.place(context, frame, this.scene, margin, covered);
    this.labels.draw(context, frame, this.scene, placed);
    return placed;
  }

  /**
   * Draw everything, the rest faded where something stands out.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Frame} frame
   * @param {Function} rest draws what `rest` draws, at the context's alpha
   * @param {number} margin pixels of the frame out of sight on each side
   * @param {object[]} covered boxes in pixels of the frame on which no name may lie
   * @returns {object[]} the names with their boxes
   */
  all(context, frame, rest, margin = 0, covered = []) {
    const { scene } = this;
    this.ground(context, frame);
    context.globalAlpha = scene.focus ? PAINT_FADED[scene.theme] : 1;
    rest();
    context.globalAlpha = 1;
    if (scene.focus) this.focus(context, frame);
    return this.names(context, frame, margin, covered);
  }
}
