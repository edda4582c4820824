// How many papers have both: methods by data sets, tasks by years …

const ANY_ROLE = -1;
const AXIS_MOST = 30;

/** The things that can stand along a side of the matrix: kinds of concepts, years, venues … */
function matrixSides(atlas) {
  const kinds = atlas.head.kinds.flatMap((kind, k) =>
    k && atlas.concepts.kind.includes(k) ? [{ name: kind.name, title: kind.many, one: kind.one, kind: k }] : []);
  const { year, venue } = atlas.papers;
  const has = (column, none) => column.some((value) => value !== none && value !== undefined);
  return [
    ...kinds,
    ...(has(year, null) ? [{ name: "year", title: "Years", one: "Year" }] : []),
    ...(has(venue, -1) ? [{ name: "venue", title: "Venues", one: "Venue" }] : []),
    ...(atlas.communities.length ? [{ name: "community", title: "Topics", one: "Topic" }] : []),
  ];
}

/** One side: which items a paper has there. Items are nodes for kinds, else values of a column. */
class MatrixSide {
  constructor(atlas, side, role, edgeMask) {
    Object.assign(this, { atlas, side, role, edgeMask });
  }

  /** The items of a paper, each once. */
  of(paper) {
    const { atlas, side } = this;
    if (side.kind === undefined) return this.#ownValue(paper);
    const items = [];
    for (const e of atlas.edgesOf(paper)) if (this.takes(e)) items.push(atlas.edges.concept[e]);
    return [...new Set(items)];
  }

  /** True if an edge ties a paper to an item of this side in the role asked for. */
  takes(e) {
    const { atlas, side, role, edgeMask } = this;
    if (edgeMask && !edgeMask[e]) return false;
    if (role !== ANY_ROLE && atlas.edges.role[e] !== role) return false;
    return atlas.kindOf(atlas.edges.concept[e]) === side.kind;
  }

  #ownValue(paper) {
    const { papers, community } = this.atlas;
    if (this.side.name === "year") return papers.year[paper] === null ? [] : [papers.year[paper]];
    const value = this.side.name === "venue" ? papers.venue[paper] : community[paper];
    return value < 0 ? [] : [value];
  }

  label(item) {
    const { name, kind } = this.side;
    if (kind !== undefined) return this.atlas.label(item);
    if (name === "year") return String(item);
    return name === "venue" ? this.atlas.venues[item] : this.atlas.communities[item].label || `Topic ${item + 1}`;
  }

  /** The name of an item, leading to its page. */
  link(item) {
    const { name, kind } = this.side;
    const label = this.label(item);
    if (kind !== undefined) return nodeLink(this.atlas, item, "", label);
    return inside(hrefOf(this.atlas, { [name]: item }), "", label);
  }

  /** The edges that tie a paper to an item: none for years, venues and communities. */
  edgesTo(paper, item) {
    if (this.side.kind === undefined) return [];
    return [...this.atlas.edgesOf(paper)].filter((e) => this.takes(e) && this.atlas.edges.concept[e] === item);
  }
}

/**
 * Return {rows, columns, cells, most}: the items of both sides that most papers have together
 * with one of the other side, `order`ed by "papers", "name" or "alike", and the lists of papers
 * that have both, rows.length × columns.length.
 */
function crossTable(rowSide, columnSide, papers, order) {
  const pairs = papers.map((p) => ({ paper: p, rows: rowSide.of(p), columns: columnSide.of(p) }));
  const both = pairs.filter((pair) => pair.rows.length && pair.columns.length);
  const rows = mostCommon(both, "rows");
  const columns = mostCommon(both, "columns");
  const rowAt = new Map(rows.map((row, i) => [row.item, i]));
  const columnAt = new Map(columns.map((column, i) => [column.item, i]));
  const same = rowSide.side.name === columnSide.side.name;
  const cells = rows.map(() => columns.map(() => []));
  for (const pair of both) {
    for (const r of pair.rows) {
      for (const c of pair.columns) {
        const inTable = rowAt.has(r) && columnAt.has(c) && !(same && r === c);
        if (inTable) cells[rowAt.get(r)][columnAt.get(c)].push(pair.paper);
      }
    }
  }
  return arranged({ rows, columns, cells }, rowSide, columnSide, order);
}

/** The items of a side that most papers have, with their numbers of papers. */
function mostCommon(pairs, side) {
  const counts = new Map();
  for (const pair of pairs) for (const item of pair[side]) counts.set(item, (counts.get(item) ?? 0) + 1);
  const items = [...counts].map(([item, count]) => ({ item, count }));
  return items.sort((a, b) => b.count - a.count || a.item - b.item).slice(0, AXIS_MOST);
}

function arranged({ rows, columns, cells }, rowSide, columnSide, order) {
  const counts = cells.map((row) => row.map((papers) => papers.length));
  const turned = columns.map((_, c) => counts.map((row) => row[c]));
  const places = order === "alike" ? placesAlike(counts, turned) : null;
  const rowOrder = ordering(rows, rowSide, order, places?.rows);
  const columnOrder = ordering(columns, columnSide, order, places?.columns);
  return {
    rows: rowOrder.map((r) => rows[r]),
    columns: columnOrder.map((c) => columns[c]),
    cells: rowOrder.map((r) => columnOrder.map((c) => cells[r][c])),
    most: Math.max(0, ...counts.flat()),
  };
}

/** Years always stand in their own order. */
function ordering(items, side, order, places) {
  const all = [...items.keys()];
  if (side.side.name === "year") return all.sort((a, b) => items[a].item - items[b].item);
  if (order === "papers") return all;
  if (places) return all.sort((a, b) => places[a] - places[b] || a - b);
  const names = items.map(({ item }) => folded(side.label(item)));
  return all.sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b));
}

/** Reciprocal averaging: each row moves to the mean of its columns, and the other way round. */
function placesAlike(counts, turned) {
  let rows = counts.map((_, r) => r);
  let columns = turned.map((_, c) => c);
  for (let round = 0; round < 40; round++) {
    columns = ranksOf(turned.map((column) => meanPlace(column, rows)));
    rows = ranksOf(counts.map((row) => meanPlace(row, columns)));
  }
  return { rows, columns };
}

function meanPlace(weights, places) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum ? weights.reduce((total, weight, i) => total + weight * places[i], 0) / sum : places.length;
}

function ranksOf(values) {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b] || a - b);
  const ranks = new Array(values.length);
  order.forEach((at, rank) => (ranks[at] = rank));
  return ranks;
}

/** Return the table as rows of a spreadsheet: names along both sides, numbers of papers. */
function crossTableRows({ rows, columns, cells }, rowSide, columnSide) {
  const corner = `${rowSide.side.title} / ${columnSide.side.title}`;
  const head = [corner, ...columns.map(({ item }) => columnSide.label(item))];
  return [head, ...rows.map(({ item }, r) => [rowSide.label(item), ...cells[r].map((papers) => papers.length)])];
}
