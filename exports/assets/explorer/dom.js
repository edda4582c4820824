// Making elements. Text from a record becomes a text node or an attribute, never markup.

const byId = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(max-width: 640px)");
const night = matchMedia("(prefers-color-scheme: dark)");

/** Return the number with its noun: "1 paper", "2,000 papers". */
const plural = (count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Return the number with its noun and, where it is not all, of how many: "3 of 20 papers". */
const partOf = (some, all, noun) =>
  (some < all ? `${some.toLocaleString("en")} of ` : "") + plural(all, noun);

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Return text without case and accents, as search compares it. */
function folded(text) {
  const plain = /^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "");
  return plain
    .toLowerCase()
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/[\u2018\u2019]/g, "'");
}

/** Make an element; children are elements, strings, which become text, or nothing. */
function el(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(
    ...children.filter((child) => child !== null && child !== undefined && child !== ""),
  );
  return element;
}

function button(className, label, onClick, ...children) {
  const made = el("button", className, ...(children.length ? children : [label]));
  made.type = "button";
  if (children.length) made.setAttribute("aria-label", label);
  made.addEventListener("click", onClick);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Make an SVG element with its attributes. */
function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
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

const PICTOGRAMS = {
  person:
    "M8 8.2a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8zM1.8 14.8c.3-3.2 2.8-5 6.2-5s5.9 1.8 6.2 5z",
  quote:
    "M2 11.5c0-4 1.4-6.5 4.6-8l.7 1.3C5.5 5.9 4.8 7 4.7 8.3h2.4v4.2H2zm7 0c0-4 1.4-6.5 4.6-8l.7 1.3c-1.8 1.1-2.5 2.2-2.6 3.5h2.4v4.2H9z",
  sliders:
    "M1 3.2h7.2a2.3 2.3 0 0 1 4.4 0H15v1.6h-2.4a2.3 2.3 0 0 1-4.4 0H1zm0 8h2.4a2.3 2.3 0 0 1 4.4 0H15v1.6H7.8a2.3 2.3 0 0 1-4.4 0H1z",
  theme: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6a5.4 5.4 0 0 1 0 10.8z",
};

const STYLED = new Set(["paper", "method", "dataset", "task", "metric", "keyword"]);

/** Return the name under which the style sheet knows a kind. */
const styleOf = (kind) => (STYLED.has(kind.name) ? kind.name : "other");

function drawing(path, className) {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: className, "aria-hidden": "true" },
    svg("path", { d: path }),
  );
}

/** Return the shape of a kind, in its colour. */
const icon = (kind) => drawing(SHAPES[kind.shape] ?? SHAPES.dot, `icon fill-${styleOf(kind)}`);

/** Return a small picture that is no kind: "person", "quote". */
const pictogram = (name) => drawing(PICTOGRAMS[name], "icon fill-muted");

/** Return a link to the web, or nothing where the address is no http or https one. */
function outside(address, text) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const link = el("a", "outside", text || url.hostname.replace(/^www\./, ""));
  link.href = url.href;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  return link;
}

/** Return a link to a place in this page; app.js takes the click. */
function inside(href, className, ...children) {
  const link = el("a", className, ...children);
  link.href = href;
  return link;
}

/** Say something to those who do not see the page. */
function say(text) {
  byId("live").textContent = text;
}
