// Lines between nodes, sorted once: strong and short ones first, so that far away a few
// tell the shape of the whole, and no ball of hair covers it.

const LINE_LEVELS = 32;
const LINE_BATCH = 300; // segments in one path; the canvas slows down on longer ones
const LINE_BUDGET = 14000; // lines on a view that shows the whole map
const LINE_NEAR = 8; // level up to which lines are ever thicker than a hair: thick ones cost ten times as much
const LINE_SHORT = 60; // units of the world below which shorter is no better

/** Lines of one sort, in runs of one style and one level of prominence. */
class Lines {
  /**
   * @param {Uint32Array} from node at one end, by line
   * @param {Uint32Array} to node at the other
   * @param {Uint8Array} style by line, an index into `styles`
   * @param {ArrayLike<number>} strength by line, above 0
   * @param {{kind: number, width: number, dashes: number[]}[]} styles kind: whose colour it has, or -1
   * @param {{x: Float32Array, y: Float32Array}} places of the nodes
   */
  constructor(from, to, style, strength, styles, places) {
    this.from = from;
    this.to = to;
    this.styles = styles;
    this.x = places.x;
    this.y = places.y;
    const levels = lineLevels(this, strength);
    this.order = new Uint32Array(from.length);
    this.starts = new Uint32Array(styles.length * LINE_LEVELS + 1);
    this.upTo = new Uint32Array(LINE_LEVELS); // lines of a level and those before it
    this.sort(style, levels);
  }

  get count() {
    return this.from.length;
  }

  sort(style, levels) {
    const { starts, order, upTo } = this;
    for (let i = 0; i < this.count; i += 1) {
      starts[style[i] * LINE_LEVELS + levels[i] + 1] += 1;
      upTo[levels[i]] += 1;
    }
    for (let run = 1; run < starts.length; run += 1) starts[run] += starts[run - 1];
    for (let level = 1; level < LINE_LEVELS; level += 1) upTo[level] += upTo[level - 1];
    const next = starts.slice();
    for (let i = 0; i < this.count; i += 1) {
      const run = style[i] * LINE_LEVELS + levels[i];
      order[next[run]] = i;
      next[run] += 1;
    }
  }

  /** Return the last level to draw for about so many lines of the whole map. */
  lastLevel(budget) {
    let level = 0;
    while (level + 1 < LINE_LEVELS && this.upTo[level + 1] <= budget) level += 1;
    return level;
  }

  /** Draw the prominent lines between shown nodes; `detail` 0..1 brings in their styles. */
  draw(context, frame, { nodes, mask, colours, budget, detail }) {
    const last = this.lastLevel(budget);
    const box = frame.box(4);
    for (let style = 0; style < this.styles.length; style += 1) {
      const { kind, width, dashes } = this.styles[style];
      context.strokeStyle = kind < 0 ? colours.line : colours.kinds[kind];
      const thick = Math.max(1, frame.ratio * (0.7 + (width - 0.7) * detail * 0.8));
      const dashed = dashes.map((length) => length * frame.ratio);
      for (let level = 0; level <= last; level += 1) {
        context.globalAlpha = (0.3 + 0.3 * detail) * (1 - level / LINE_LEVELS) ** 1.8 + 0.015;
        const near = detail > 0 && level <= LINE_NEAR;
        context.lineWidth = near ? thick : 1;
        context.setLineDash(near && detail === 1 ? dashed : []);
        const run = style * LINE_LEVELS + level;
        this.strokeRun(context, frame, box, this.starts[run], this.starts[run + 1], nodes, mask);
      }
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** Stroke the lines of one run of which an end is in sight: the others lead nowhere. */
  strokeRun(context, frame, box, start, end, nodes, mask) {
    const { order, from, to, x, y } = this;
    let open = 0;
    for (let at = start; at < end; at += 1) {
      const i = order[at];
      if (mask !== null && mask[i] === 0) continue;
      const [a, b] = [from[i], to[i]];
      if (nodes[a] === 0 || nodes[b] === 0) continue;
      const [ax, ay, bx, by] = [x[a], y[a], x[b], y[b]];
      const seen = ax > box.left && ax < box.right && ay > box.top && ay < box.bottom;
      if (!seen && !(bx > box.left && bx < box.right && by > box.top && by < box.bottom)) continue;
      if (open === 0) context.beginPath();
      context.moveTo(frame.x(ax), frame.y(ay));
      context.lineTo(frame.x(bx), frame.y(by));
      open += 1;
      if (open === LINE_BATCH) {
        context.stroke();
        open = 0;
      }
    }
    if (open > 0) context.stroke();
  }

  /** Draw in full style the lines that `chosen(a, b, i)` says, the strongest last. */
  drawChosen(context, frame, { mask, colours, chosen }) {
    const box = frame.box(4);
    const picked = [];
    for (let i = 0; i < this.count; i += 1) {
      if ((mask === null || mask[i] === 1) && chosen(this.from[i], this.to[i], i)) picked.push(i);
    }
    const taken = new Uint8Array(this.count);
    for (const i of picked) taken[i] = 1;
    const crowd = Math.min(1, Math.sqrt(120 / Math.max(1, picked.length)));
    const everywhere = new Uint8Array(this.x.length).fill(1);
    for (let style = this.styles.length - 1; style >= 0; style -= 1) {
      const { kind, width, dashes } = this.styles[style];
      context.globalAlpha = Math.max(0.12, 0.85 * crowd);
      context.strokeStyle = kind < 0 ? colours.line : colours.kinds[kind];
      context.lineWidth = frame.ratio * Math.max(0.6, width * Math.max(0.6, crowd));
      context.setLineDash(crowd > 0.5 ? dashes.map((length) => length * frame.ratio) : []);
      const run = style * LINE_LEVELS;
      this.strokeRun(context, frame, box, this.starts[run], this.starts[run + LINE_LEVELS], everywhere, taken);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }
}

/** Return the level of each line, 0 the most prominent: its length by its strength, as a log. */
function lineLevels({ from, to, x, y }, strength) {
  const levels = new Uint8Array(from.length);
  for (let i = 0; i < from.length; i += 1) {
    const length = Math.hypot(x[from[i]] - x[to[i]], y[from[i]] - y[to[i]]);
    const level = 4 * Math.log2(Math.max(length, LINE_SHORT) / LINE_SHORT / strength[i]);
    levels[i] = Math.min(LINE_LEVELS - 1, Math.max(0, Math.round(level)));
  }
  return levels;
}

/** Return the lines from papers to concepts, each in the style of its role. */
function linesOfRoles(atlas) {
  const { head, edges } = atlas;
  const kinds = head.kinds.length;
  const styles = head.roles.flatMap(({ width, dashes }) => head.kinds.map((_, kind) => ({ kind, width, dashes })));
  const style = Uint8Array.from(edges.role, (role, i) => role * kinds + atlas.kindOf(edges.concept[i]));
  const strength = Float32Array.from(edges.role, (role) => 1 / (1 + 0.25 * role));
  return new Lines(edges.paper, edges.concept, style, strength, styles, atlas);
}

/** Return the lines between related papers. */
function linesOfLinks(atlas) {
  const { source, target, weight } = atlas.links;
  const most = weight.reduce((a, b) => Math.max(a, b), 1e-6);
  const strength = weight.map((value) => Math.max(0.05, value / most));
  const styles = [{ kind: -1, width: 1.3, dashes: [] }];
  return new Lines(source, target, new Uint8Array(source.length), strength, styles, atlas);
}

/** Return the lines between concepts: to a broader one solid, to a related one dotted, thin between those that occur together. */
function linesOfConcepts(atlas) {
  const [from, to, style, strength] = [[], [], [], []];
  const add = (concept, others, look) => {
    for (const other of others) {
      if (look === 1 && other < concept) continue; // related goes both ways
      from.push(concept);
      to.push(other);
      style.push(look);
      strength.push(1);
    }
  };
  for (let concept = atlas.P; concept < atlas.N; concept += 1) {
    add(concept, atlas.concepts.broader[concept - atlas.P], 0);
    add(concept, atlas.concepts.related[concept - atlas.P], 1);
  }
  for (const [one, other, share] of conceptTies(atlas)) {
    from.push(one);
    to.push(other);
    style.push(2);
    strength.push(Math.max(0.05, share));
  }
  const styles = [
    { kind: -1, width: 1.6, dashes: [] },
    { kind: -1, width: 1.3, dashes: [3, 4] },
    { kind: -1, width: 0.8, dashes: [] },
  ];
  return new Lines(Uint32Array.from(from), Uint32Array.from(to), Uint8Array.from(style), strength, styles, atlas);
}
