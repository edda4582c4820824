// Which concepts occur together: those that papers of the page name side by side.

const TIES_LEAST = 2; // papers that name both
const TIES_MOST = 4; // of one concept, the strongest

/**
 * Return [one, other, strength] of concepts that occur together in papers, one < other, the
 * strongest few of each: the papers of both over the geometric mean of those of each (Salton's
 * cosine), 0..1.
 */
const conceptTies = oncePerAtlas((atlas) => {
  const papersOf = new Groups(atlas.N, (add) => eachNaming(atlas, (paper, concept) => add(concept, paper)));
  const often = (concept) => papersOf.start[concept + 1] - papersOf.start[concept] >= TIES_LEAST;
  const conceptsOf = new Groups(atlas.P, (add) =>
    eachNaming(atlas, (paper, concept) => often(concept) && add(paper, concept)));
  const kept = new Map();
  const together = new Uint16Array(atlas.N); // papers that name the concept at hand too
  for (let concept = atlas.P; concept < atlas.N; concept += 1) {
    if (!often(concept)) continue;
    for (const [node, strength] of strongestTies(concept, papersOf, conceptsOf, together)) {
      const [one, other] = concept < node ? [concept, node] : [node, concept];
      kept.set(one * atlas.N + other, [one, other, strength]);
    }
  }
  return [...kept.values()];
});

/** Call `add(paper, concept)` for each concept that a paper names, once. */
function eachNaming({ edges, N }, add) {
  const last = new Int32Array(N).fill(-1);
  for (let edge = 0; edge < edges.count; edge += 1) {
    const [paper, concept] = [edges.paper[edge], edges.concept[edge]];
    if (last[concept] !== paper) add(paper, concept); // edges stand by paper
    last[concept] = paper;
  }
}

/** Return [node, strength] of what occurs most with a concept; `together` is 0 before and after. */
function strongestTies(concept, papersOf, conceptsOf, together) {
  const own = papersOf.of(concept);
  const met = [];
  for (const paper of own) {
    for (let at = conceptsOf.start[paper]; at < conceptsOf.start[paper + 1]; at += 1) {
      const other = conceptsOf.values[at];
      together[other] += 1;
      if (together[other] === 1) met.push(other);
    }
  }
  const best = [];
  for (const node of met) {
    const both = together[node];
    together[node] = 0;
    if (both < TIES_LEAST || node === concept) continue;
    const papers = papersOf.start[node + 1] - papersOf.start[node];
    insertTie(best, [node, both / Math.sqrt(own.length * papers)]);
  }
  return best;
}

/** Put a tie among the best few: the strongest first, equal ones by node. */
function insertTie(best, tie) {
  let at = best.length;
  while (at && (best[at - 1][1] < tie[1] || (best[at - 1][1] === tie[1] && best[at - 1][0] > tie[0]))) at -= 1;
  if (at === TIES_MOST) return;
  best.splice(at, 0, tie);
  if (best.length > TIES_MOST) best.pop();
}
