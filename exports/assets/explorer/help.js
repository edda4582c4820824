// The help: keys, gestures, shapes and lines.

const KEYS = [
  ["/", "Search papers, authors, concepts and abstracts"],
  ["↑ ↓ Enter", "Walk through suggestions and go there"],
  ["Esc", "Close what is open; then clear the selection"],
  ["Alt ←", "Back to what you read before"],
  ["?", "This help"],
];

const MAP_KEYS = [
  ["← ↑ → ↓", "Move the map"],
  ["+ −", "Zoom"],
  ["0", "Show the whole map"],
  ["Enter", "Select what is nearest to the middle"],
];

function helpDialog(atlas) {
  const dialog = el("dialog", "help");
  dialog.setAttribute("aria-labelledby", "help-title");
  const title = el("h2", "", "Help");
  title.id = "help-title";
  const close = button("close", "Close help", () => dialog.close(), "×");
  dialog.append(
    el("div", "help-head", title, close),
    el(
      "div",
      "help-body",
      el("div", "", ...keysOf("Anywhere", KEYS), ...keysOf("On the map", MAP_KEYS)),
      el("div", "", ...looksOf(atlas.head)),
    ),
    el(
      "p",
      "quiet",
      "Drag or swipe to move the map, scroll or pinch to zoom, click to select. The list and the matrix show the same papers and concepts as tables. This page is one file: it asks nothing of the network and keeps nothing; the address holds what you look at, so a bookmark brings you back.",
    ),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  return dialog;
}

function keysOf(title, keys) {
  const lines = keys.flatMap(([names, does]) => [
    el("dt", "", ...names.split(" ").map((name) => el("kbd", "", name))),
    el("dd", "", does),
  ]);
  return [el("h3", "", title), el("dl", "keys", ...lines)];
}

function looksOf({ kinds, roles }) {
  const shapes = el("ul", "looks", ...kinds.map((kind) => el("li", "", icon(kind), kind.many)));
  const lines = el(
    "ul",
    "looks",
    ...roles.map((role) => el("li", "", sampleLine(role), `a paper ${role.verb} it`)),
  );
  return [el("h3", "", "Shapes"), shapes, ...(roles.length ? [el("h3", "", "Lines"), lines] : [])];
}

function sampleLine(role) {
  const line = svg("line", {
    x1: 0,
    y1: 4,
    x2: 34,
    y2: 4,
    "stroke-width": role.width,
    "stroke-dasharray": role.dashes.join(" "),
  });
  return svg("svg", { viewBox: "0 0 34 8", class: "sample-line", "aria-hidden": "true" }, line);
}
