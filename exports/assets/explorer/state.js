// Where one is in the page, as its address says: #paper=10.1000/fern&view=list&theme=dark.
// Names stand in the address rather than numbers, so that it holds when the file is made anew.

const VIEWS = ["map", "list", "matrix"];
const THEMES = ["", "light", "dark"];
const NOWHERE = { node: null, author: null, venue: null, year: null, community: null, path: null };
const KEPT = ["view", "theme", "filters", "list", "matrix", "basket"]; // from place to place
const BASKET_IN_ADDRESS = 200; // papers
const LONGEST = 200; // characters of a name in an address; above, its number

/** Look names up: papers by id, concepts by label, authors and venues by name. */
class Names {
  constructor(atlas) {
    this.atlas = atlas;
    this.maps = new Map();
  }

  columns(kind) {
    const { papers, concepts, people, venues } = this.atlas;
    return { paper: papers.id, concept: concepts.label, author: people, venue: venues }[kind];
  }

  find(kind, name) {
    if (!this.maps.has(kind)) {
      const map = new Map();
      this.columns(kind).forEach((known, at) => map.has(known) || map.set(known, at));
      this.maps.set(kind, map);
    }
    return this.maps.get(kind).get(name) ?? null;
  }

  /** Return the name at a place of its column, or its number where the name would mislead. */
  name(kind, at) {
    const name = this.columns(kind)[at];
    const sound = name && name.length <= LONGEST && !/^~|[\ud800-\udfff]/.test(name);
    return sound && this.find(kind, name) === at ? name : `~${at}`;
  }

  place(kind, name) {
    if (name === null) return null;
    return name.startsWith("~")
      ? whole(name.slice(1), this.columns(kind).length)
      : this.find(kind, name);
  }

  nodeName(n) {
    const paper = this.atlas.isPaper(n);
    return [
      paper ? "paper" : "concept",
      this.name(paper ? "paper" : "concept", paper ? n : n - this.atlas.P),
    ];
  }

  node(kind, name) {
    const at = this.place(kind, name);
    return at === null ? null : kind === "paper" ? at : at + this.atlas.P;
  }
}

/** Return a text as a whole number below a bound, or null. */
function whole(text, bound) {
  const number = /^\d{1,9}$/.test(text ?? "") ? Number(text) : NaN;
  return number < bound ? number : null;
}

/** Return a text as a year that a paper has, or null. */
function yearAt(atlas, text) {
  const year = /^-?\d{1,9}$/.test(text ?? "") ? Number(text) : NaN;
  return atlas.papers.year.includes(year) ? year : null;
}

/** Return the object that a text says, or an empty one. */
function asObject(text) {
  try {
    const value = JSON.parse(text ?? "{}");
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

const namesIn = new WeakMap();

function namesOf(atlas) {
  if (!namesIn.has(atlas)) namesIn.set(atlas, new Names(atlas));
  return namesIn.get(atlas);
}

function encoded(pairs) {
  const plain = (text) =>
    encodeURIComponent(text)
      .replace(/%20/g, "+")
      .replace(/%2F/g, "/")
      .replace(/%3A/g, ":")
      .replace(/%2C/g, ",");
  return pairs.map(([key, value]) => `${key}=${plain(value)}`).join("&");
}

/** Return the address of a place: {node}, {author}, {venue}, {community}, {path: [a, b]}, {view} … */
function hrefOf(atlas, place) {
  const names = namesOf(atlas);
  const pairs = [];
  const known = (value) => value !== null && value !== undefined;
  if (known(place.node)) pairs.push(names.nodeName(place.node));
  for (const kind of ["author", "venue"])
    if (known(place[kind])) pairs.push([kind, names.name(kind, place[kind])]);
  if (known(place.year)) pairs.push(["year", String(place.year)]);
  if (known(place.community)) pairs.push(["community", String(place.community)]);
  if (place.path)
    pairs.push(
      ...["from", "to"].map((key, end) => [key, names.nodeName(place.path[end]).join(":")]),
    );
  if (place.view && place.view !== "map") pairs.push(["view", place.view]);
  if (place.theme) pairs.push(["theme", place.theme]);
  for (const key of ["filters", "list", "matrix"])
    if (Object.keys(place[key] ?? {}).length) pairs.push([key, JSON.stringify(place[key])]);
  if (place.basket?.length <= BASKET_IN_ADDRESS)
    pairs.push(...place.basket.map((paper) => ["basket", names.name("paper", paper)]));
  if (place.query) pairs.push(["q", place.query]);
  if (place.camera) pairs.push(["at", place.camera]);
  return `#${encoded(pairs)}`;
}

/** Read an address; what it cannot mean is left out. */
function placeAt(atlas, hash) {
  const names = namesOf(atlas);
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const end = (key) => {
    const [kind, ...rest] = (said.get(key) ?? "").split(":");
    return kind === "paper" || kind === "concept" ? names.node(kind, rest.join(":")) : null;
  };
  const path = [end("from"), end("to")];
  const camera = /^-?[\d.]{1,12},-?[\d.]{1,12},[\d.]{1,12}$/.test(said.get("at") ?? "")
    ? said.get("at")
    : null;
  return {
    node:
      names.node("paper", said.get("paper")) ??
      names.node("concept", said.get("concept")) ??
      whole(said.get("n"), atlas.N),
    author: names.place("author", said.get("author")),
    venue: names.place("venue", said.get("venue")),
    year: yearAt(atlas, said.get("year")),
    community: whole(said.get("community"), atlas.communities.length),
    path: path.includes(null) ? null : path,
    view: VIEWS.includes(said.get("view")) ? said.get("view") : "map",
    theme: THEMES.includes(said.get("theme")) ? said.get("theme") : "",
    filters: asObject(said.get("filters")),
    list: asObject(said.get("list")),
    matrix: asObject(said.get("matrix")),
    basket: said
      .getAll("basket")
      .slice(0, BASKET_IN_ADDRESS)
      .map((name) => names.place("paper", name))
      .filter((paper) => paper !== null),
    query: (said.get("q") ?? "").slice(0, LONGEST),
    camera,
  };
}

/** The address of the page: where one is, and the way there and back. */
class Address {
  constructor(atlas, onMove) {
    this.atlas = atlas;
    this.onMove = onMove;
    this.now = placeAt(atlas, location.hash);
    this.written = location.hash;
    addEventListener("hashchange", () => this.follow());
  }

  follow() {
    if (location.hash === this.written) return;
    this.written = location.hash;
    this.now = placeAt(this.atlas, location.hash);
    this.onMove(this.now, "back");
  }

  /** Go to a place; what goes along from place to place stays as it is unless it names that. */
  go(place, how = "link") {
    const kept = Object.fromEntries(KEPT.map((key) => [key, this.now[key]]));
    const next = { ...NOWHERE, ...kept, query: "", camera: null, ...place };
    const address = hrefOf(this.atlas, next);
    if (address !== (this.written || "#")) {
      location.hash = address;
      this.written = location.hash;
    }
    this.now = next;
    this.onMove(next, how);
  }

  /** Note a change that is no step: theme, words searched for, camera. */
  note(changes) {
    this.follow(); // where the reader has gone since
    this.now = { ...this.now, ...changes };
    const address = hrefOf(this.atlas, this.now);
    if (address === (this.written || "#")) return;
    try {
      history.replaceState(null, "", address);
      this.written = location.hash;
    } catch {
      // A page inside a page (a notebook) may not be allowed an address of its own.
    }
  }
}

const hasTarget = (place) =>
  Object.keys(NOWHERE).some((key) => place[key] !== null && place[key] !== undefined);

/** Return a link to a node. */
const nodeLink = (atlas, n, className, ...children) =>
  inside(hrefOf(atlas, { node: n }), className, ...children);
