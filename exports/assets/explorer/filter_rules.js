// What the reader asked to see, and which nodes, edges and links that leaves. No DOM here.

const NO_COMMUNITY = -1;

/** Return the numbers of papers to choose a minimum from: 1, 2, 3, 5, 10, 20, 50 … */
function minimumSteps(most) {
  const steps = [1];
  for (let ten = 1; ten < most; ten *= 10) {
    for (const step of [2, 3, 5, 10]) {
      if (step * ten <= most && step * ten > steps[steps.length - 1]) steps.push(step * ten);
    }
  }
  return steps;
}

class FilterRules {
  constructor(atlas) {
    this.atlas = atlas;
    this.span = yearSpan(atlas.papers.year);
    this.most = atlas.concepts.papers.reduce((a, b) => Math.max(a, b), 1);
    this.hasEdge = new Uint8Array(atlas.C);
    for (let e = 0; e < atlas.edges.count; e++) this.hasEdge[atlas.edges.concept[e] - atlas.P] = 1;
    this.masks = {
      nodes: new Uint8Array(atlas.N).fill(1),
      edges: new Uint8Array(atlas.edges.count).fill(1),
      links: new Uint8Array(atlas.links.count).fill(1),
    };
    this.selected = null;
    this.reset();
  }

  reset() {
    this.hiddenKinds = new Set();
    this.hiddenRoles = new Set();
    this.least = 1;
    this.years = [...this.span];
    this.undated = true;
    this.communities = new Set();
    this.hops = 0;
  }

  get narrowsYears() {
    return this.years[0] > this.span[0] || this.years[1] < this.span[1] || !this.undated;
  }

  get narrowsPapers() {
    return this.narrowsYears || this.communities.size > 0;
  }

  get focused() {
    return this.hops > 0 && this.selected !== null;
  }

  /** What is asked for, in words: empty where everything is shown. */
  get words() {
    const { kinds, roles } = this.atlas.head;
    const { least, years, span, undated, communities, hops } = this;
    const [from, to] = years;
    const inYears = from === to ? `only ${from}` : `${from} to ${to}`;
    return [
      ...[...this.hiddenKinds].sort().map((k) => `without ${kinds[k].many.toLowerCase()}`),
      ...[...this.hiddenRoles].sort().map((r) => `without “${roles[r].verb}”`),
      least > 1 ? `concepts in at least ${least} papers` : "",
      from > span[0] || to < span[1] ? inYears : "",
      undated ? "" : "dated papers only",
      communities.size ? plural(communities.size, "topic") : "",
      this.focused ? (hops === 1 ? "neighbours of the selection" : "two steps from the selection") : "",
    ].filter(Boolean);
  }

  /** Fill the masks anew and return how much each choice would show. */
  apply() {
    const papers = this.#papersInReach();
    const touched = this.#conceptsTouched(papers);
    this.#fillNodes(papers, touched);
    if (this.focused) this.#keepNear();
    this.#fillLines();
    return this.#counts(papers, touched);
  }

  #papersInReach() {
    const { atlas, communities } = this;
    const inReach = new Uint8Array(atlas.P);
    this.byCommunity = new Uint32Array(atlas.communities.length + 1);
    for (let p = 0; p < atlas.P; p++) {
      if (!this.#inYears(atlas.papers.year[p])) continue;
      const community = atlas.community[p];
      this.byCommunity[community + 1]++;
      if (!communities.size || communities.has(community)) inReach[p] = 1;
    }
    return inReach;
  }

  #inYears(year) {
    if (year === null) return this.undated;
    return year >= this.years[0] && year <= this.years[1];
  }

  /** Concepts that a paper in reach is tied to by a role that is shown. */
  #conceptsTouched(papers) {
    const { atlas, hiddenRoles } = this;
    const { paper, concept, role, count } = atlas.edges;
    const touched = new Uint8Array(atlas.C);
    const whole = !this.narrowsPapers && !hiddenRoles.size;
    for (let e = 0; e < count; e++) {
      if (papers[paper[e]] && !hiddenRoles.has(role[e])) touched[concept[e] - atlas.P] = 1;
    }
    for (let c = 0; c < atlas.C; c++) if (whole && !this.hasEdge[c]) touched[c] = 1;
    return touched;
  }

  #fillNodes(papers, touched) {
    const { atlas, hiddenKinds, least, masks } = this;
    const { kind, papers: inPapers } = atlas.concepts;
    const shown = atlas.head.kinds.map((_, k) => !hiddenKinds.has(k));
    for (let p = 0; p < atlas.P; p++) masks.nodes[p] = papers[p] && shown[0] ? 1 : 0;
    for (let c = 0; c < atlas.C; c++) {
      const visible = touched[c] && shown[kind[c]] && (least <= 1 || inPapers[c] >= least);
      masks.nodes[atlas.P + c] = visible ? 1 : 0;
    }
  }

  /** Hide what is more steps from the selected node than asked for. */
  #keepNear() {
    const { atlas, masks, selected } = this;
    const near = new Uint8Array(atlas.N);
    near[selected] = 1;
    let rim = [selected];
    for (let step = 0; step < this.hops; step++) {
      const next = [];
      for (const node of rim) {
        for (const other of this.#neighbours(node)) {
          if (near[other] || !masks.nodes[other]) continue;
          near[other] = 1;
          next.push(other);
        }
      }
      rim = next;
    }
    for (let n = 0; n < atlas.N; n++) masks.nodes[n] = near[n] && (masks.nodes[n] || n === selected) ? 1 : 0;
  }

  *#neighbours(node) {
    const { atlas, hiddenRoles } = this;
    const { edges, links, concepts } = atlas;
    const isPaper = atlas.isPaper(node);
    for (const e of atlas.edgesOf(node)) {
      if (!hiddenRoles.has(edges.role[e])) yield isPaper ? edges.concept[e] : edges.paper[e];
    }
    if (isPaper) {
      for (const l of atlas.linksOf(node)) yield links.source[l] === node ? links.target[l] : links.source[l];
    } else {
      yield* concepts.broader[node - atlas.P];
      yield* concepts.related[node - atlas.P];
      yield* atlas.narrower(node);
    }
  }

  #fillLines() {
    const { atlas, masks, hiddenRoles } = this;
    const { edges, links } = atlas;
    for (let e = 0; e < edges.count; e++) {
      const ends = masks.nodes[edges.paper[e]] & masks.nodes[edges.concept[e]];
      masks.edges[e] = ends && !hiddenRoles.has(edges.role[e]) ? 1 : 0;
    }
    for (let l = 0; l < links.count; l++) {
      masks.links[l] = masks.nodes[links.source[l]] & masks.nodes[links.target[l]];
    }
  }

  /** How many papers and concepts are shown, and how many each box of the legend stands for. */
  #counts(papers, touched) {
    const { atlas, masks, least, hiddenKinds } = this;
    const { edges, concepts } = atlas;
    const counts = {
      papers: masks.nodes.subarray(0, atlas.P).reduce((sum, one) => sum + one, 0),
      concepts: masks.nodes.subarray(atlas.P).reduce((sum, one) => sum + one, 0),
      kinds: new Uint32Array(atlas.head.kinds.length),
      roles: new Uint32Array(atlas.head.roles.length),
      communities: this.byCommunity,
    };
    for (let p = 0; p < atlas.P; p++) counts.kinds[0] += papers[p];
    for (let c = 0; c < atlas.C; c++) {
      if (touched[c] && (least <= 1 || concepts.papers[c] >= least)) counts.kinds[concepts.kind[c]]++;
    }
    for (let e = 0; e < edges.count; e++) {
      const c = edges.concept[e] - atlas.P;
      const there = least <= 1 || concepts.papers[c] >= least;
      if (there && papers[edges.paper[e]] && !hiddenKinds.has(concepts.kind[c])) counts.roles[edges.role[e]]++;
    }
    return counts;
  }

  /** Loosen what hides a node, and no more than that; true if something had to change. */
  loosen(node) {
    if (this.masks.nodes[node]) return false;
    if (this.atlas.isPaper(node)) this.#loosenPaper(node);
    else this.#loosenConcept(node - this.atlas.P);
    this.apply();
    if (!this.masks.nodes[node]) this.reset();
    this.apply();
    return true;
  }

  #loosenPaper(paper) {
    const year = this.atlas.papers.year[paper];
    this.hiddenKinds.delete(0);
    if (year === null) this.undated = true;
    else this.years = [Math.min(this.years[0], year), Math.max(this.years[1], year)];
    if (this.communities.size) this.communities.add(this.atlas.community[paper]);
    if (this.hops && this.selected !== paper) this.hops = 0;
  }

  #loosenConcept(concept) {
    const { kind, papers } = this.atlas.concepts;
    this.hiddenKinds.delete(kind[concept]);
    if (papers[concept] < this.least) {
      this.least = minimumSteps(this.most).findLast((step) => step <= papers[concept]) ?? 1;
    }
    if (this.hops && this.selected !== concept + this.atlas.P) this.hops = 0;
  }

  /** The choices as a plain object, without those that leave all as it is. */
  get state() {
    const { kinds, roles } = this.atlas.head;
    const state = {};
    if (this.hiddenKinds.size) state.kinds = [...this.hiddenKinds].sort().map((k) => kinds[k].name);
    if (this.hiddenRoles.size) state.roles = [...this.hiddenRoles].sort().map((r) => roles[r].name);
    if (this.least > 1) state.least = this.least;
    if (this.years[0] > this.span[0] || this.years[1] < this.span[1]) state.years = [...this.years];
    if (!this.undated) state.undated = false;
    if (this.communities.size) state.communities = [...this.communities].sort((a, b) => a - b);
    if (this.hops) state.hops = this.hops;
    return state;
  }

  /** Take choices from the address: what makes no sense in this graph is left out. */
  set state(state) {
    const { head, communities } = this.atlas;
    const listed = (name) => (Array.isArray(state[name]) ? state[name] : []);
    const found = (names, records) =>
      new Set(names.map((name) => records.findIndex((one) => one.name === name)).filter((i) => i >= 0));
    this.reset();
    this.hiddenKinds = found(listed("kinds"), head.kinds);
    this.hiddenRoles = found(listed("roles"), head.roles);
    if (state.least > 1) this.least = Math.min(Number(state.least), this.most);
    const [from, to] = listed("years").map(Number);
    if (from <= to) this.years = [clampYear(from, this.span), clampYear(to, this.span)];
    this.undated = state.undated !== false;
    const known = (c) => Number.isInteger(c) && c >= NO_COMMUNITY && c < communities.length;
    this.communities = new Set(listed("communities").filter(known));
    if (state.hops === 1 || state.hops === 2) this.hops = state.hops;
  }
}

const clampYear = (year, [first, last]) => Math.min(Math.max(year, first), last);

/** The first and the last year of the papers; [0, 0] where none has a year. */
function yearSpan(years) {
  const known = years.filter((year) => year !== null);
  const first = known.reduce((a, b) => Math.min(a, b), Infinity);
  return known.length ? [first, known.reduce((a, b) => Math.max(a, b), -Infinity)] : [0, 0];
}
