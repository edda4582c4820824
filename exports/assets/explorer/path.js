// The page of a path: how one paper or concept leads to another, a sentence for each step.

/**
 * Return {title, elements, nodes, edges}: the route between two nodes; `masks` says what is
 * shown, and the route keeps to that if it can.
 */
function pathPage(atlas, from, to, masks = null) {
  const shown = masks && cheapestRoute(atlas, from, to, masks.edges);
  const edges = shown || cheapestRoute(atlas, from, to);
  const title = `From ${atlas.label(from)} to ${atlas.label(to)}`;
  if (!edges) return { title, elements: noPath(atlas, from, to), nodes: [from, to], edges: [] };
  const nodes = nodesAlong(atlas, from, edges);
  const hidden = masks && !shown && edges.length > 0;
  const elements = [
    el("p", "path-note", pathInWords(edges), hidden ? " Parts of it are hidden by the filters." : ""),
    el("ol", "path", ...nodes.map((node, i) => stopOf(atlas, node, edges[i]))),
  ];
  return { title, elements, nodes, edges };
}

function nodesAlong(atlas, from, edges) {
  const nodes = [from];
  for (const e of edges) nodes.push(otherEnd(atlas.edges, e, nodes.at(-1)));
  return nodes;
}

function pathInWords(edges) {
  if (!edges.length) return "Both ends are the same.";
  return `${plural(edges.length, "step")}, by way of what few papers share rather than what all do.`;
}

function noPath(atlas, from, to) {
  const words = "No paper and no concept ties the two together in this graph.";
  return [el("p", "path-note", words), el("ol", "path broken", stopOf(atlas, from), stopOf(atlas, to))];
}

/** A node on the way, with the statement that leads on to the next. */
function stopOf(atlas, node, e) {
  const title = atlas.isPaper(node) ? atlas.title(node) || atlas.label(node) : atlas.label(node);
  const link = nodeLink(atlas, node, "path-node", icon(atlas.kind(node)), el("span", "word", title));
  return el("li", "", link, e === undefined ? null : stepOf(atlas, node, e));
}

function stepOf(atlas, node, e) {
  const role = atlas.role(atlas.edges.role[e]);
  const words = atlas.isPaper(node) ? role.verb : role.passive.toLowerCase();
  return el("div", "path-step", el("p", "says", words), quotes.of(atlas, e));
}
