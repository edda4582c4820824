// A stand-in for a canvas context that writes SVG, so that one painter serves both.

/** Return a text as it may stand in XML: escaped, without what XML does not know. */
function escapedForXml(text) {
  const known = text
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD")
    .replace(/[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, "\uFFFD");
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return known.replace(/[&<>"']/g, (letter) => names[letter]);
}

const svgNumber = (value) => String(Math.round(value * 10) / 10);

class SvgPen {
  /** @param {CanvasRenderingContext2D} ruler what measures text */
  constructor(ruler) {
    this.ruler = ruler;
    this.parts = [];
    this.shapes = new Set();
    this.path = "";
    this.dash = [];
    this.globalAlpha = 1;
    this.font = "";
  }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = "";
  }

  moveTo(x, y) {
    this.path += `M${svgNumber(x)} ${svgNumber(y)}`;
  }

  lineTo(x, y) {
    this.path += `L${svgNumber(x)} ${svgNumber(y)}`;
  }

  rect(x, y, width, height) {
    this.path += `M${svgNumber(x)} ${svgNumber(y)}h${svgNumber(width)}v${svgNumber(height)}h${svgNumber(-width)}z`;
  }

  /** Add a whole circle. */
  arc(x, y, radius) {
    const [reach, across] = [svgNumber(radius), svgNumber(2 * radius)];
    this.path += `M${svgNumber(x - radius)} ${svgNumber(y)}a${reach} ${reach} 0 1 0 ${across} 0a${reach} ${reach} 0 1 0 -${across} 0z`;
  }

  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  fill() {
    this.add("path", { d: this.path, fill: this.fillStyle, ...this.faint() });
  }

  stroke() {
    const dash = this.dash.length ? { "stroke-dasharray": this.dash.map(svgNumber).join(" ") } : {};
    const look = { fill: "none", stroke: this.strokeStyle, "stroke-width": svgNumber(this.lineWidth) };
    this.add("path", { d: this.path, ...look, ...dash, ...this.faint() });
  }

  /** Say nothing: `fillText` writes the halo with the text. */
  strokeText() {}

  fillText(text, x, y) {
    const [, weight, size, family] = /^(\d+) ([\d.]+)px (.*)$/.exec(this.font);
    const halo = { stroke: this.strokeStyle, "stroke-width": svgNumber(this.lineWidth), "paint-order": "stroke" };
    const type = { "font-family": family, "font-size": size, "font-weight": weight, "text-anchor": "middle", "dominant-baseline": "central" };
    this.add("text", { x: svgNumber(x), y: svgNumber(y), fill: this.fillStyle, ...halo, "stroke-linejoin": "round", ...type }, text);
  }

  prepare() {}

  /** Draw a node, as `Sprites` does. */
  stamp(context, look, x, y, radius) {
    const shape = look.shape in SHAPES ? look.shape : "dot";
    const unit = radius / SHAPE_UNIT;
    this.shapes.add(shape);
    const place = `translate(${svgNumber(x)} ${svgNumber(y)}) scale(${unit.toFixed(3)}) translate(-8 -8)`;
    const rim = { stroke: look.rim, "stroke-width": ((2 * spriteRim(radius)) / unit).toFixed(2), "paint-order": "stroke" };
    this.add("use", { href: `#${shape}`, transform: place, fill: look.colour, ...rim });
  }

  /** Draw what `work` draws, all of it at the alpha of now. */
  group(work) {
    this.parts.push(`<g opacity="${this.globalAlpha}">`);
    this.globalAlpha = 1;
    work();
    this.parts.push("</g>");
  }

  faint() {
    return this.globalAlpha < 1 ? { opacity: this.globalAlpha.toFixed(3) } : {};
  }

  add(tag, attributes, text = "") {
    const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapedForXml(String(value))}"`);
    this.parts.push(`<${tag}${written.join("")}${text ? `>${escapedForXml(text)}</${tag}>` : "/>"}`);
  }

  /** Return the whole picture. */
  picture(width, height, title) {
    const shapes = [...this.shapes].sort().map((shape) => `<path id="${shape}" d="${SHAPES[shape]}"/>`);
    const size = `width="${svgNumber(width)}" height="${svgNumber(height)}" viewBox="0 0 ${svgNumber(width)} ${svgNumber(height)}"`;
    const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`;
    return [open, `<title>${escapedForXml(title)}</title>`, `<defs>${shapes.join("")}</defs>`, ...this.parts, "</svg>", ""].join("\n");
  }
}
