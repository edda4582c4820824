/* The graph of the page: columns read at once, texts unpacked when they are asked for.
   Nodes are numbers: papers 0..P-1, then concepts P..N-1. */

const BLOCK = 256; // papers whose texts are packed together
const KEPT_BLOCKS = 4;
const WIDEST_GAP = 100; // years without a paper that are listed
const FIELDS = ["title", "abstract", "keywords"];
const NUMBERS_OF_EVIDENCE = 6; // field, sentence (start, length), quote (the same), confidence

/** Return the JSON value that stands packed (raw deflate, base64) in the page. */
async function unpack(packed) {
  const binary = atob(packed);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

/** Wait until the browser has nothing better to do. */
function idle() {
  return new Promise((resolve) => {
    if (window.requestIdleCallback) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 20);
  });
}

/** Lists of numbers under keys 0..count-1, in two typed arrays. */
class Groups {
  /** @param {number} count keys
   *  @param {(add: (key: number, value: number) => void) => void} each calls add for every
   *  value, the same ones in the same order each time it is called */
  constructor(count, each) {
    this.start = new Uint32Array(count + 1);
    each((key) => this.start[key + 1]++);
    for (let key = 0; key < count; key++) this.start[key + 1] += this.start[key];
    this.values = new Uint32Array(this.start[count]);
    const next = this.start.slice();
    each((key, value) => (this.values[next[key]++] = value));
  }

  of(key) {
    return this.values.subarray(this.start[key], this.start[key + 1]);
  }
}

class Atlas {
  /** Return the graph that stands in a document. */
  static async read(page) {
    const head = JSON.parse(page.getElementById("head").textContent);
    const body = await unpack(head.body);
    delete head.body;
    return new Atlas(head, body, [...page.querySelectorAll("script.block")]);
  }

  constructor(head, body, blocks) {
    this.head = head;
    this.papers = body.papers;
    this.concepts = body.concepts;
    this.people = body.people;
    this.venues = body.venues;
    this.communities = body.communities;
    this.P = body.papers.id.length;
    this.C = body.concepts.label.length;
    this.N = this.P + this.C;
    this.x = Float32Array.from(body.x);
    this.y = Float32Array.from(body.y);
    this.radius = Float32Array.from(body.radius);
    this.community = Int32Array.from(body.community);
    this.edges = {
      count: body.edges.paper.length,
      paper: Uint32Array.from(body.edges.paper),
      concept: Uint32Array.from(body.edges.concept),
      role: Uint8Array.from(body.edges.role),
    };
    this.links = {
      count: body.links.source.length,
      source: Uint32Array.from(body.links.source),
      target: Uint32Array.from(body.links.target),
      weight: Float32Array.from(body.links.weight),
      similarity: Float32Array.from(body.links.similarity),
    };
    this._blocks = blocks;
    this._unpacked = new Map();
    this._group();
  }

  _group() {
    const { edges, links } = this;
    this._edges = new Groups(this.N, (add) => {
      for (let edge = 0; edge < edges.count; edge++) add(edges.paper[edge], edge);
      for (let role = 0; role < this.head.roles.length; role++) {
        for (let edge = 0; edge < edges.count; edge++) {
          if (edges.role[edge] === role) add(edges.concept[edge], edge);
        }
      }
    });
    const order = Uint32Array.from(links.weight.keys());
    order.sort((a, b) => links.weight[b] - links.weight[a] || a - b);
    this._links = new Groups(this.P, (add) => {
      for (const link of order) {
        add(links.source[link], link);
        add(links.target[link], link);
      }
    });
    this._firstLink = new Groups(this.P, (add) => links.source.forEach(add)).start;
    this._narrower = new Groups(this.N, (add) => {
      this.concepts.broader.forEach((broader, i) => broader.forEach((node) => add(node, this.P + i)));
    });
    this.degree = new Uint32Array(this.N);
    for (let node = 0; node < this.N; node++) this.degree[node] = this._edges.of(node).length;
  }

  isPaper(node) {
    return node < this.P;
  }

  label(node) {
    return node < this.P ? this.papers.label[node] : this.concepts.label[node - this.P];
  }

  title(node) {
    return node < this.P ? this.papers.title[node] : this.concepts.label[node - this.P];
  }

  kindOf(node) {
    return node < this.P ? 0 : this.concepts.kind[node - this.P];
  }

  kind(node) {
    return this.head.kinds[this.kindOf(node)];
  }

  role(number) {
    return this.head.roles[number];
  }

  /** Edges of a node, the strongest role first. */
  edgesOf(node) {
    return this._edges.of(node);
  }

  /** Links of a paper, the strongest first. */
  linksOf(paper) {
    return this._links.of(paper);
  }

  /** Concepts of which a concept is the broader one. */
  narrower(concept) {
    return this._narrower.of(concept);
  }

  /** Papers of a concept by year, and their share of all papers of the year: all years from
      the first to the last that the papers of the page have, but for gaps of centuries. */
  byYear(concept) {
    if (!this._perYear) {
      this._perYear = new Map();
      for (const year of this.papers.year) {
        if (year !== null) this._perYear.set(year, (this._perYear.get(year) || 0) + 1);
      }
    }
    const found = new Map();
    for (const paper of new Set(Array.from(this.edgesOf(concept), (edge) => this.edges.paper[edge]))) {
      const year = this.papers.year[paper];
      if (year !== null) found.set(year, (found.get(year) || 0) + 1);
    }
    return withoutGaps([...this._perYear.keys()]).map((year) => {
      const papers = found.get(year) || 0;
      const all = this._perYear.get(year) || 0;
      return { year, papers, share: all ? papers / all : 0 };
    });
  }

  /** The text of a paper with all that stands in it. */
  async text(paper) {
    const block = await this._block(Math.floor(paper / BLOCK));
    const row = {};
    for (const column of Object.keys(block)) row[column] = block[column][paper % BLOCK];
    return this._text(paper, row);
  }

  /** Call onBlock(firstPaper, texts) for each block of papers, in idle time. */
  async allTexts(onBlock) {
    for (let block = 0; block < this._blocks.length; block++) {
      await idle();
      const packed = JSON.parse(this._blocks[block].textContent);
      onBlock(block * BLOCK, (await unpack(packed)).t);
    }
  }

  /** Return a block, kept for a while: papers that are looked at are often neighbours. */
  _block(number) {
    const known = this._unpacked.get(number);
    const block = known || unpack(JSON.parse(this._blocks[number].textContent));
    this._unpacked.delete(number);
    this._unpacked.set(number, block); // the last used stands last
    if (this._unpacked.size > KEPT_BLOCKS) {
      this._unpacked.delete(this._unpacked.keys().next().value);
    }
    return block;
  }

  _text(paper, row) {
    const firstEdge = this._edges.start[paper];
    const firstLink = this._firstLink[paper];
    return {
      text: row.t,
      keywords: row.k,
      marks: marksOf(row.m),
      results: row.r,
      evidence: (edge) => this._evidence(paper, row, edge - firstEdge),
      shared: (link) => row.l[link - firstLink] || [],
    };
  }

  _evidence(paper, row, place) {
    const at = place * NUMBERS_OF_EVIDENCE;
    const [field, first, length, start, size, confidence] = row.e.slice(at, at + NUMBERS_OF_EVIDENCE);
    if (!(field >= 0)) return null;
    const keyword = field === 2 ? row.k[first] : null; // stands in place of a sentence
    const from = keyword === null ? first : 0;
    return {
      field,
      sentence: [from, from + (keyword === null ? length : keyword.length)],
      quote: [from + start, from + start + size],
      confidence: confidence / 100,
      source: FIELDS[field],
      full: keyword === null ? (field === 0 ? this.papers.title[paper] : row.t) : keyword,
    };
  }
}

/** Return years in order with those between them; a gap of more than a century stays one. */
function withoutGaps(years) {
  const filled = [];
  for (const year of years.sort((a, b) => a - b)) {
    const last = filled[filled.length - 1] ?? year;
    if (year - last <= WIDEST_GAP) for (let between = last + 1; between < year; between++) filled.push(between);
    filled.push(year);
  }
  return filled;
}

/** Return the marks of a text: node, start, end. */
function marksOf(numbers) {
  const marks = [];
  let end = 0;
  for (let i = 0; i < numbers.length; i += 3) {
    const start = end + numbers[i + 1];
    end = start + numbers[i + 2];
    marks.push({ node: numbers[i], start, end });
  }
  return marks;
}
