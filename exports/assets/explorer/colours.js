// The colour of each node: by kind, by community or by year.

const COMMUNITY_COLOURS = {
  light: ["#0072b2", "#c04a00", "#007d59", "#a5467c", "#6b6536", "#5b4db8", "#b03a3a", "#2b7a8c", "#7a5230", "#55606e"],
  dark: ["#56b4e9", "#f0853f", "#2ec598", "#e094be", "#ecd06a", "#a79df0", "#f08080", "#6fc7d6", "#d0a27a", "#a9b4c2"],
};

/** Matplotlib's plasma, as far as it stands out from the canvas: the newest stand out most. */
const YEAR_COLOURS = {
  light: ["#d8576b", "#cc4778", "#b12a90", "#8f0da4", "#6a00a8", "#41049d", "#0d0887"],
  dark: ["#b83289", "#cc4778", "#de5f65", "#ed7953", "#f89540", "#fdb42f", "#f0f921"],
};

/** What colours a map: an index into `palette` for each node, and what each colour means. */
class Colouring {
  /**
   * @param {Uint8Array} index of each node's colour
   * @param {string[]} palette as #rrggbb
   * @param {{label: string, colour: string}[]} key for the legend
   */
  constructor(index, palette, key) {
    this.index = index;
    this.palette = palette;
    this.key = key;
  }

  of(node) {
    return this.palette[this.index[node]];
  }
}

const COLOURINGS = { kind: colouringByKind, community: colouringByCommunity, year: colouringByYear };

/** Return the colouring of an atlas by "kind", "community" or "year", for a theme. */
const colouringBy = (way, atlas, theme) => COLOURINGS[way](atlas, theme);

function colouringByKind(atlas, theme) {
  const { kinds } = atlas.head;
  const palette = kinds.map((kind) => kind[theme]);
  const index = Uint8Array.from({ length: atlas.N }, (_, node) => atlas.kindOf(node));
  return new Colouring(index, palette, kinds.map((kind) => ({ label: kind.many, colour: kind[theme] })));
}

function colouringByCommunity(atlas, theme) {
  const palette = [...COMMUNITY_COLOURS[theme], atlas.head.themes[theme].muted];
  const none = palette.length - 1;
  const slots = communitySlots(atlas);
  const index = Uint8Array.from(atlas.community, (community) => (community < 0 ? none : slots[community]));
  const key = atlas.communities.map((community, i) => ({ label: community.label, colour: palette[slots[i]] }));
  if (index.includes(none)) key.push({ label: "On their own", colour: palette[none] });
  return new Colouring(index, palette, key);
}

function colouringByYear(atlas, theme) {
  const palette = [...YEAR_COLOURS[theme], atlas.head.themes[theme].muted];
  const unknown = palette.length - 1;
  const scale = yearScale(atlas);
  const index = Uint8Array.from(yearsOf(atlas), (year) => (Number.isNaN(year) ? unknown : scale.step(year)));
  const key = scale.steps.map(({ first, last, colour }) => ({
    label: first === last ? `${first}` : `${first}–${last}`,
    colour: palette[colour],
  }));
  if (index.includes(unknown)) key.push({ label: "Year unknown", colour: palette[unknown] });
  return new Colouring(index, palette, key);
}

function communityColour(atlas, community, theme) {
  return community < 0 ? atlas.head.themes[theme].muted : COMMUNITY_COLOURS[theme][communitySlots(atlas)[community]];
}

function yearColour(atlas, year, theme) {
  return year === null ? atlas.head.themes[theme].muted : YEAR_COLOURS[theme][yearScale(atlas).step(year)];
}

/** Return a function that works once for an atlas, and remembers. */
function oncePerAtlas(work) {
  const done = new WeakMap();
  return (atlas) => {
    if (!done.has(atlas)) done.set(atlas, work(atlas));
    return done.get(atlas);
  };
}

/** Give each community, the largest first, the colour whose nearest bearer is furthest away. */
const communitySlots = oncePerAtlas(({ communities }) => {
  const slots = new Uint8Array(communities.length);
  communities.forEach((island, i) => {
    const nearest = COMMUNITY_COLOURS.light.map(() => Infinity);
    for (let other = 0; other < i; other += 1) {
      const { x, y, radius } = communities[other];
      const gap = Math.hypot(x - island.x, y - island.y) - radius - island.radius;
      nearest[slots[other]] = Math.min(nearest[slots[other]], gap);
    }
    slots[i] = nearest.indexOf(Math.max(...nearest));
  });
  return slots;
});

/** Return the year of each node: a paper's own, a concept's median over its papers, or NaN. */
const yearsOf = oncePerAtlas((atlas) => {
  const years = new Float64Array(atlas.N).fill(NaN);
  const listed = Array.from({ length: atlas.N - atlas.P }, () => []);
  for (let paper = 0; paper < atlas.P; paper += 1) {
    const year = atlas.papers.year[paper];
    if (Number.isFinite(year)) years[paper] = year;
  }
  for (let edge = 0; edge < atlas.edges.count; edge += 1) {
    const year = years[atlas.edges.paper[edge]];
    if (!Number.isNaN(year)) listed[atlas.edges.concept[edge] - atlas.P].push(year);
  }
  listed.forEach((own, i) => {
    if (own.length) years[atlas.P + i] = own.sort((a, b) => a - b)[own.length >> 1];
  });
  return years;
});

/** Return steps of consecutive years that hold about as many papers each. */
const yearScale = oncePerAtlas((atlas) => {
  const years = Array.from(atlas.papers.year).filter(Number.isFinite).sort((a, b) => a - b);
  const most = YEAR_COLOURS.light.length;
  const distinct = [...new Set(years)];
  const quantiles = Array.from({ length: most }, (_, i) => years[Math.floor((i * years.length) / most)]);
  const cuts = distinct.length <= most ? distinct : [...new Set(quantiles)];
  const step = (year) => {
    const at = Math.max(0, cuts.filter((first) => first <= year).length - 1);
    return cuts.length < 2 ? most - 1 : Math.round((at * (most - 1)) / (cuts.length - 1));
  };
  const steps = cuts.map((first, i) => {
    const last = i + 1 < cuts.length ? distinct[distinct.indexOf(cuts[i + 1]) - 1] : distinct[distinct.length - 1];
    return { first, last, colour: step(first) };
  });
  return { step, steps };
});
