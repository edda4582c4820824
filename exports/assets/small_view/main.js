// What the user does: select, hide kinds, move about.

/** Select an item, or nothing; from the panel or the search the camera follows. */
function select(id, { fly = false, back = false } = {}) {
  if (id === null) state.trail = [];
  else if (!back && state.selected !== null && state.selected !== id) state.trail.push(state.selected);
  state.selected = id;
  if (id !== null && state.hidden.delete(items[id].kind)) showLegend();
  recolour();
  showPanel();
  if (!fly || id === null) return;
  frame(inFocus());
  byId("details").focus({ preventScroll: true });
}

function goBack() {
  select(state.trail.pop(), { fly: true, back: true });
}

function toggle(pressed, press, ...content) {
  const button = el("button", "", ...content);
  button.type = "button";
  button.setAttribute("aria-pressed", String(pressed));
  button.addEventListener("click", () => {
    press();
    recolour();
    showLegend();
  });
  return button;
}

function kindToggle([kind, look]) {
  const count = [...drawn.keys()].filter((id) => items[id].kind === kind).length;
  if (!count) return null;
  const press = () => state.hidden.has(kind) ? state.hidden.delete(kind) : state.hidden.add(kind);
  const button = toggle(!state.hidden.has(kind), press, icon(look), el("span", "word", look.many), el("span", "count", String(count)));
  button.dataset.kind = kind;
  return button;
}

function linkToggle() {
  const count = edges.filter((edge) => edge.related && edge.hidden).length;
  if (!count) return null;
  const box = el("input");
  box.type = "checkbox";
  box.checked = state.links;
  box.addEventListener("change", () => {
    state.links = box.checked;
    recolour();
  });
  return el("label", "", box, "related papers ", el("span", "count", String(count)));
}

function lineSample({ verb, width, dashes }) {
  const svg = drawing(24, 6, "M0 3H24", "stroke");
  svg.firstChild.setAttribute("stroke-width", width);
  svg.firstChild.setAttribute("stroke-dasharray", dashes.join(" "));
  return el("span", "line", svg, verb);
}

function showLegend() {
  byId("legend").replaceChildren(
    el("div", "", ...Object.entries(data.kinds).map(kindToggle), linkToggle()),
    el("div", "", ...data.roles.map(lineSample)),
    el("div", "", data.notice && el("span", "note", data.notice)),
  );
}

network.on("click", ({ nodes }) => select(nodes.length ? nodes[0] : null));
network.on("hoverNode", ({ node }) => hover(node));
network.on("blurNode", () => hover(null));

function hover(id) {
  state.hovered = id;
  byId("canvas").style.cursor = id === null ? "" : "pointer";
  network.redraw();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") select(null);
  if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
});

byId("nearer").addEventListener("click", () => zoomBy(1.4));
byId("farther").addEventListener("click", () => zoomBy(1 / 1.4));
byId("whole").addEventListener("click", () => whole());
byId("handle").addEventListener("click", () => openPanel(!byId("panel").classList.contains("open")));
byId("details").addEventListener("pointerover", light);
byId("details").addEventListener("focusin", light);
dark.addEventListener("change", () => {
  readPalette();
  recolour();
});
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return; // a phone's keyboard came or went
  width = innerWidth;
  whole({ animate: false });
});

showLegend();
showPanel();
whole({ animate: false });
