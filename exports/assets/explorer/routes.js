// The shortest convincing route between two nodes, over statements that papers make.

const COMMON_COST = 4; // a step over the most common concept costs so many over a rare one
const WEAK_COST = 1.5; // a step over a mere mention, against one over a stronger role

/** A queue that gives the cheapest first; equal costs in the order of the nodes. */
class CheapestFirst {
  #heap = [];

  get size() {
    return this.#heap.length;
  }

  put(cost, node) {
    const heap = this.#heap;
    let at = heap.push({ cost, node }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) break;
      [heap[at], heap[parent]] = [heap[parent], heap[at]];
      at = parent;
    }
  }

  take() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length) {
      heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink() {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && this.#before(left + 1, left) ? left + 1 : left;
      if (!this.#before(child, at)) return;
      [heap[at], heap[child]] = [heap[child], heap[at]];
      at = child;
    }
  }

  #before(a, b) {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    return one.cost < other.cost || (one.cost === other.cost && one.node < other.node);
  }
}

/**
 * Return what each edge costs: concepts of many papers, which tie anything to anything, cost
 * more (by their inverse document frequency, Spärck Jones 1972), and so do mere mentions.
 */
function edgeCosts(atlas) {
  const { edges, concepts, P, head } = atlas;
  const weak = head.roles.findIndex((role) => role.name === "mentions");
  const all = Math.max(head.counts.papers, P, 2);
  const cost = (papers) => 1 + (COMMON_COST - 1) * (Math.log(Math.max(papers, 1)) / Math.log(all));
  const ofConcept = Float64Array.from(concepts.papers, cost);
  const ofRole = (e) => (edges.role[e] === weak ? WEAK_COST : 1);
  return Float64Array.from({ length: edges.count }, (_, e) => ofConcept[edges.concept[e] - P] * ofRole(e));
}

/**
 * Return the cheapest route from one node to another (Dijkstra 1959) as a list of edges, or
 * null if there is none. `allowed` says which edges may be taken; all if it is left out.
 */
function cheapestRoute(atlas, from, to, allowed) {
  const { edges } = atlas;
  const costs = edgeCosts(atlas);
  const best = new Float64Array(atlas.N).fill(Infinity);
  const cameBy = new Int32Array(atlas.N).fill(-1);
  const queue = new CheapestFirst();
  best[from] = 0;
  queue.put(0, from);
  while (queue.size) {
    const { cost, node } = queue.take();
    if (node === to) break;
    if (cost > best[node]) continue;
    for (const e of atlas.edgesOf(node)) {
      const other = otherEnd(edges, e, node);
      const total = cost + costs[e];
      if ((allowed && !allowed[e]) || total >= best[other]) continue;
      best[other] = total;
      cameBy[other] = e;
      queue.put(total, other);
    }
  }
  return best[to] < Infinity ? wayBack(edges, cameBy, from, to) : null;
}

const otherEnd = (edges, e, node) => (edges.paper[e] === node ? edges.concept[e] : edges.paper[e]);

function wayBack(edges, cameBy, from, to) {
  const route = [];
  for (let node = to; node !== from; node = otherEnd(edges, cameBy[node], node)) route.push(cameBy[node]);
  return route.reverse();
}
