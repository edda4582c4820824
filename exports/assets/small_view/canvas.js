// The map: vis-network holds nodes and edges at their computed places; what is selected
// and which kinds are hidden decides how each of them looks.

const state = { selected: null, hovered: null, hidden: new Set(), links: false, trail: [] };
const tall = byId("map").clientHeight > 1.2 * byId("map").clientWidth;
const placed = data.network.nodes.map((node) => (tall ? { ...node, x: node.y, y: node.x } : node));
const drawn = new Map(placed.map((node) => [node.id, node]));
const nodeSet = new vis.DataSet();
const edgeSet = new vis.DataSet();
const edges = data.network.edges.map((edge, id) => ({ ...edge, id }));
const visibility = Math.min(0.85, Math.max(0.35, 1.05 - edges.length / 1500));
let palette = {};

function readPalette() {
  palette = { kinds: {} };
  for (const name of ["canvas", "island", "ink", "muted", "line", "accent", "border"]) palette[name] = styled(`--${name}`);
  for (const look of Object.values(data.kinds)) palette.kinds[look.style] = styled(`--kind-${look.style}`);
}

const colourOf = (id) => palette.kinds[items[id].look.style];
const shown = (id) => drawn.has(id) && !state.hidden.has(items[id].kind);

/** Return the items that stay clear while one is selected, or null where all do. */
function inFocus() {
  if (state.selected === null) return null;
  return new Set([state.selected, ...items[state.selected].neighbours]);
}

function nodeLook(node, focus) {
  const chosen = node.id === state.selected;
  const colour = { background: colourOf(node.id), border: chosen ? palette.accent : palette.canvas };
  return {
    id: node.id, hidden: !shown(node.id), opacity: focus && !focus.has(node.id) ? 0.13 : 1,
    borderWidth: chosen ? 3 : 1, color: { ...colour, highlight: colour, hover: colour },
  };
}

function edgeLook(edge, focus) {
  const touches = (edge.from === state.selected || edge.to === state.selected) && focus.has(edge.from) && focus.has(edge.to);
  const wanted = !edge.related || touches || state.links || !edge.hidden;
  const colour = touches ? (edge.related ? palette.accent : colourOf(edge.to)) : palette.line;
  return {
    id: edge.id, hidden: !(wanted && shown(edge.from) && shown(edge.to)),
    width: touches && !edge.related ? edge.width + 1 : edge.width,
    color: { color: colour, hover: colour, highlight: colour, opacity: touches ? 0.9 : focus ? 0.15 : edge.related ? 0.5 * visibility : visibility },
  };
}

function recolour() {
  const focus = inFocus();
  nodeSet.update([...drawn.values()].map((node) => nodeLook(node, focus)));
  edgeSet.update(edges.map((edge) => edgeLook(edge, focus)));
}

readPalette();
nodeSet.add([...drawn.values()].map(({ label, color, ...node }) => ({ ...node, ...nodeLook(node, null) })));
edgeSet.add(edges.map((edge) => ({ ...edge, ...edgeLook(edge, null) })));
const network = new vis.Network(byId("canvas"), { nodes: nodeSet, edges: edgeSet }, data.network.options);

/** Move the camera so that these nodes fill the part of the map that is in sight. */
function frame(ids, { animate = true, closest = 1.5 } = {}) {
  const at = Object.entries(network.getPositions([...ids].filter((id) => drawn.has(id))));
  if (!at.length) return;
  const size = (id) => drawn.get(Number(id)).size + 12;
  const left = Math.min(...at.map(([id, p]) => p.x - size(id)));
  const right = Math.max(...at.map(([id, p]) => p.x + size(id)));
  const top = Math.min(...at.map(([id, p]) => p.y - size(id)));
  const bottom = Math.max(...at.map(([id, p]) => p.y + size(id)));
  const box = byId("map").getBoundingClientRect();
  const inset = narrow.matches
    ? { side: 16, top: 60, bottom: byId("panel").classList.contains("open") ? box.height * 0.58 : 58 }
    : { side: 30, top: 26, bottom: byId("legend").offsetHeight + 34 };
  const width = box.width - 2 * inset.side;
  const height = box.height - inset.top - inset.bottom;
  network.moveTo({
    position: { x: (left + right) / 2, y: (top + bottom) / 2 },
    scale: Math.min(width / (right - left), height / (bottom - top), closest),
    offset: { x: 0, y: (inset.top - inset.bottom) / 2 },
    animation: animate && !calm.matches ? { duration: 450, easingFunction: "easeInOutQuad" } : false,
  });
}

const whole = (options) => frame(drawn.keys(), options);

function zoomBy(factor) {
  network.moveTo({ scale: network.getScale() * factor, animation: calm.matches ? false : { duration: 180, easingFunction: "easeOutQuad" } });
}
