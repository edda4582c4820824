// What the map shows now: which nodes and lines, in which colours, and what stands out.

const SCENE_SWELL = { both: 1, papers: 1.6, concepts: 1.15 }; // of radii, where others leave room
const SCENE_LINES = { both: linesOfRoles, papers: linesOfLinks, concepts: linesOfConcepts };

class Scene {
  constructor(atlas) {
    this.atlas = atlas;
    this.theme = "light";
    this.way = "kind";
    this.view = "both";
    this.masks = { both: null, papers: null, concepts: null };
    this.allowed = null;
    this.selected = null;
    this.highlighted = null;
    this.lineSets = {};
    this.byRadius = nodesBy(atlas.N, (node) => 4 * atlas.radius[node]);
    this.byWeight = nodesBy(atlas.N, (node) => 16 * Math.sqrt((node < atlas.P ? 0.3 : 1) * atlas.degree[node]));
    this.world = worldOf(atlas);
    this.shown = new Uint8Array(atlas.N);
    this.recolour();
    this.reveal();
  }

  get colours() {
    return this.atlas.head.themes[this.theme];
  }

  /** The lines of the view, sorted when they are first drawn. */
  get lines() {
    this.lineSets[this.view] ??= SCENE_LINES[this.view](this.atlas);
    return this.lineSets[this.view];
  }

  get lineColours() {
    return { line: this.colours.muted, kinds: this.atlas.head.kinds.map((kind) => kind[this.theme]) };
  }

  get mask() {
    return this.masks[this.view];
  }

  recolour() {
    this.colouring = colouringBy(this.way, this.atlas, this.theme);
    this.looks = new Map();
  }

  /** Work out which nodes the view and the filters let through. */
  reveal() {
    const { atlas, view, allowed, shown } = this;
    for (let node = 0; node < atlas.N; node += 1) {
      const viewed = view === "both" || (view === "papers") === node < atlas.P;
      shown[node] = viewed && (allowed === null || allowed[node] === 1) ? 1 : 0;
    }
    this.radius = atlas.radius.map((radius) => radius * SCENE_SWELL[view]);
    this.order = this.byRadius.filter((node) => shown[node] === 1);
    this.telling = this.byWeight.filter((node) => shown[node] === 1);
    this.refocus();
  }

  /** Work out which nodes stand out: the highlighted, or the selected with its neighbours. */
  refocus() {
    const { atlas, highlighted, selected, shown } = this;
    this.focus = null;
    if (highlighted === null && selected === null) return;
    const focus = new Uint8Array(atlas.N);
    for (const node of highlighted ?? this.neighbours(selected)) if (shown[node] === 1) focus[node] = 1;
    if (selected !== null) focus[selected] = 1;
    this.focus = focus;
    this.focused = focus.reduce((a, b) => a + b, 0);
  }

  /** Return the nodes that a node is tied to, whatever the view shows of them. */
  neighbours(node) {
    const { atlas, masks } = this;
    const found = new Set();
    for (const edge of atlas.edgesOf(node)) {
      if (masks.both !== null && masks.both[edge] === 0) continue;
      found.add(node < atlas.P ? atlas.edges.concept[edge] : atlas.edges.paper[edge]);
    }
    for (const other of this.peers(node)) found.add(other);
    return found;
  }

  /** Return the papers that a paper is linked to, or the concepts that a concept is tied to. */
  peers(node) {
    return node < this.atlas.P ? this.linkedPapers(node) : this.tiedConcepts(node);
  }

  linkedPapers(paper) {
    const { source, target } = this.atlas.links;
    const mask = this.masks.papers;
    const kept = [...this.atlas.linksOf(paper)].filter((link) => mask === null || mask[link] === 1);
    return kept.map((link) => (source[link] === paper ? target[link] : source[link]));
  }

  tiedConcepts(concept) {
    const { broader, related } = this.atlas.concepts;
    const at = concept - this.atlas.P;
    return [...broader[at], ...related[at], ...this.atlas.narrower(concept), ...this.companions(concept)];
  }

  /** Return the concepts that occur together with one, where lines show them. */
  companions(concept) {
    if (this.view !== "concepts") return [];
    return conceptTies(this.atlas).flatMap(([one, other]) => (one === concept ? [other] : other === concept ? [one] : []));
  }

  /** Return how a node looks, for `Sprites`. */
  look(node) {
    const colour = this.colouring.index[node];
    const kind = this.atlas.kindOf(node);
    const key = kind * 64 + colour;
    if (!this.looks.has(key)) {
      const { shape } = this.atlas.head.kinds[kind];
      this.looks.set(key, { key, shape, colour: this.colouring.palette[colour], rim: this.colours.canvas });
    }
    return this.looks.get(key);
  }
}

/** Return the nodes 0..count-1 by a value of 0..1023, the highest first. */
function nodesBy(count, value) {
  const most = 1023;
  const step = Uint16Array.from({ length: count }, (_, node) => most - Math.min(most, Math.round(value(node))));
  const next = new Uint32Array(most + 2);
  for (const at of step) next[at + 1] += 1;
  for (let at = 1; at < next.length; at += 1) next[at] += next[at - 1];
  const order = new Uint32Array(count);
  step.forEach((at, node) => {
    order[next[at]] = node;
    next[at] += 1;
  });
  return order;
}

/** Return the box around all nodes and islands. */
function worldOf({ N, x, y, radius, communities }) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const hold = (atX, atY, reach) => {
    box.left = Math.min(box.left, atX - reach);
    box.top = Math.min(box.top, atY - reach);
    box.right = Math.max(box.right, atX + reach);
    box.bottom = Math.max(box.bottom, atY + reach);
  };
  for (let node = 0; node < N; node += 1) hold(x[node], y[node], radius[node]);
  for (const island of communities) if (island.radius > 0) hold(island.x, island.y, island.radius);
  return N > 0 ? box : { left: -100, top: -100, right: 100, bottom: 100 };
}
