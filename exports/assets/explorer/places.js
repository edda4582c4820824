// Which node stands where: a grid over the world, for the pointer.

const PLACES_PER_CELL = 4;

class Places {
  constructor(atlas) {
    this.atlas = atlas;
    const { N, x, y, radius } = atlas;
    this.box = worldOf(atlas);
    const { left, top, right, bottom } = this.box;
    this.size = Math.max(1, Math.sqrt(((right - left) * (bottom - top) * PLACES_PER_CELL) / Math.max(1, N)));
    this.columns = Math.floor((right - left) / this.size) + 1;
    this.rows = Math.floor((bottom - top) / this.size) + 1;
    this.largest = radius.reduce((a, b) => Math.max(a, b), 0);
    this.starts = new Uint32Array(this.columns * this.rows + 1);
    this.nodes = new Uint32Array(N);
    const cells = Uint32Array.from({ length: N }, (_, node) => this.row(y[node]) * this.columns + this.column(x[node]));
    for (const cell of cells) this.starts[cell + 1] += 1;
    for (let i = 1; i < this.starts.length; i += 1) this.starts[i] += this.starts[i - 1];
    const next = this.starts.slice();
    cells.forEach((cell, node) => {
      this.nodes[next[cell]] = node;
      next[cell] += 1;
    });
  }

  column(x) {
    return Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.box.left) / this.size)));
  }

  row(y) {
    return Math.min(this.rows - 1, Math.max(0, Math.floor((y - this.box.top) / this.size)));
  }

  /** Return the shown node whose disc is nearest to a point, no further than `reach` from its middle or on it. */
  nearest(x, y, reach, scene) {
    const { atlas, columns } = this;
    const far = Math.max(reach, this.largest * 2);
    let [best, least] = [null, Infinity];
    for (let row = this.row(y - far); row <= this.row(y + far); row += 1) {
      const first = row * columns + this.column(x - far);
      const last = row * columns + this.column(x + far);
      for (let at = this.starts[first]; at < this.starts[last + 1]; at += 1) {
        const node = this.nodes[at];
        if (scene.shown[node] === 0 && node !== scene.selected) continue;
        const distance = Math.hypot(atlas.x[node] - x, atlas.y[node] - y);
        if (distance > Math.max(reach, scene.radius[node] * 1.1)) continue;
        const faded = scene.focus !== null && scene.focus[node] === 0 ? reach : 0;
        const cost = Math.max(0, distance - scene.radius[node]) + distance * 1e-3 + faded;
        if (cost < least) [best, least] = [node, cost];
      }
    }
    return best;
  }
}
