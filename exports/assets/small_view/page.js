"use strict";
// The records of the page and how they become elements. Text from a record is only ever
// handed to textContent or drawn on the canvas.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const styled = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const CLOSEST = 8; // related papers that a selected paper brings into focus
const narrow = matchMedia("(max-width: 760px)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

const items = [
  ...data.papers.map((record) => ({ kind: "paper", record })),
  ...data.concepts.map((record) => ({ kind: record.kind, record })),
].map((item, id) => ({
  ...item, id, label: item.record.label || item.record.title || "Untitled",
  look: data.kinds[item.kind], edges: [], links: [],
}));

for (const [paper, concept, role, ...place] of data.edges) {
  const edge = { paper, concept, role, place };
  items[paper].edges.push(edge);
  items[concept].edges.push(edge);
}
for (const [source, target, weight, similarity, shared] of data.links) {
  items[source].links.push({ paper: target, weight, similarity, shared });
  items[target].links.push({ paper: source, weight, similarity, shared });
}
for (const item of items) {
  item.links.sort((a, b) => b.weight - a.weight || a.paper - b.paper);
  item.neighbours = new Set(item.kind === "paper"
    ? [...item.edges.map((e) => e.concept), ...item.links.slice(0, CLOSEST).map((l) => l.paper)]
    : item.edges.map((e) => e.paper));
}

const isPaper = (item) => item.kind === "paper";
const papersOf = (concept) => new Set(concept.edges.map((edge) => edge.paper)).size;
const plural = (count, one, many = one + "s") => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Make an element; children are elements or strings, which become text. */
function el(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const SHAPES = {
  dot: "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z",
  square: "M2 2h12v12H2z",
  diamond: "M8 .5L15.5 8L8 15.5L.5 8z",
  triangle: "M8 1.5L15 14H1z",
  triangleDown: "M8 14.5L1 2h14z",
  star: "M8 .5l2.3 4.9 5.3.7-3.9 3.7 1 5.3L8 12.5l-4.7 2.6 1-5.3L.4 6.1l5.3-.7z",
  hexagon: "M4 1.2h8L16 8l-4 6.8H4L0 8z",
};

function drawing(width, height, path, className) {
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(name, "path");
  shape.setAttribute("d", path);
  shape.setAttribute("class", className);
  svg.append(shape);
  return svg;
}

function icon(look) {
  const svg = drawing(16, 16, SHAPES[look.shape], `fill-${look.style}`);
  svg.setAttribute("class", "icon");
  return svg;
}

/** Return a link to the web, or nothing where the address is no http or https one. */
function outside(address, text) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const link = el("a", "", text || url.hostname.replace(/^www\./, ""));
  link.href = url.href;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}

/** Return a link that selects an item of this page. */
function inside(id, className, ...children) {
  const link = el("a", className, ...children);
  link.href = "#";
  link.addEventListener("click", (event) => {
    event.preventDefault();
    select(id, { fly: true });
  });
  return link;
}
