// Names on the map, of one size at every zoom: the most telling first, each where it
// covers no other name and no node; those that find no room appear on zooming in.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const PAD = 3;
const widths = new Map();

const weightOf = (item) => (isPaper(item) ? 2 + 0.3 * item.links.length : 1.6 * papersOf(item)) + (drawn.get(item.id)?.size ?? 0) / 8;
const ranked = [...drawn.keys()].sort((a, b) => weightOf(items[b]) - weightOf(items[a]) || a - b);


/** How much of other nodes a name may cover: the most telling must be read. */
const allowed = new Map(ranked.slice(0, 16).map((id, rank) => [id, rank < 6 ? 9 : 3]));

function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

function measure(ctx, text, font) {
  const key = `${font}\n${text}`;
  ctx.font = font;
  if (!widths.has(key)) widths.set(key, ctx.measureText(text).width);
  return widths.get(key);
}

/** The boxes that are taken; a label asks before it is drawn. */
class Room {
  constructor(width, height) {
    this.boxes = [];
    this.width = width;
    this.height = height;
  }

  take(box) {
    this.boxes.push(box);
  }

  /** Return how much of other nodes a box would cover; infinite if it covers a name. */
  cost(box, own = null) {
    if (box.left < 2 || box.top < 2 || box.right > this.width - 2 || box.bottom > this.height - 2) return Infinity;
    let covered = 0;
    for (const other of this.boxes) {
      if (box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top) continue;
      if (other.node === undefined) return Infinity;
      if (other.node !== own) covered += (other.right - other.left) / 6;
    }
    return covered;
  }

  /** Return the box that covers least, if that is not more than allowed. */
  best(boxes, most, own = null) {
    const costs = boxes.map((box) => this.cost(box, own));
    const least = Math.min(...costs);
    return least <= most ? boxes[costs.indexOf(least)] : null;
  }
}

function around(point, radius, width, height) {
  const gap = radius + 3;
  const box = (left, top) => ({ left, top, right: left + width, bottom: top + height });
  return [
    box(point.x - width / 2, point.y + gap),
    box(point.x + gap, point.y - height / 2),
    box(point.x - width / 2, point.y - gap - height),
    box(point.x - gap - width, point.y - height / 2),
    box(point.x + 0.7 * gap, point.y + 0.7 * gap),
    box(point.x + 0.7 * gap, point.y - 0.7 * gap - height),
    box(point.x - 0.7 * gap - width, point.y + 0.7 * gap),
    box(point.x - 0.7 * gap - width, point.y - 0.7 * gap - height),
    box(point.x - width / 2, point.y + gap + height),
    box(point.x - width / 2, point.y - gap - 2 * height),
  ];
}

/** Return a box moved sideways until it is in sight. */
function within(box, { width }) {
  const move = Math.max(2 - box.left, Math.min(0, width - 2 - box.right));
  return { ...box, left: box.left + move, right: box.right + move };
}

function write(ctx, text, font, colour, box) {
  ctx.font = font;
  ctx.lineJoin = "round";
  ctx.lineWidth = 4;
  ctx.strokeStyle = palette.canvas;
  ctx.strokeText(text, box.left + PAD, (box.top + box.bottom) / 2);
  ctx.fillStyle = colour;
  ctx.fillText(text, box.left + PAD, (box.top + box.bottom) / 2);
}

function labelNode(ctx, room, id, points, scale, sure) {
  const item = items[id];
  const whole = id === state.hovered && id !== state.selected && isPaper(item);
  const text = whole ? shortened(item.record.title, 60) : shortened(item.label, 32);
  const size = isPaper(item) ? 12.5 : Math.min(11.5 + 0.35 * papersOf(item), 15);
  const font = `${isPaper(item) || sure ? 600 : 450} ${size}px ${FONT}`;
  const places = around(points[id], drawn.get(id).size * scale, measure(ctx, text, font) + 2 * PAD, size + 3);
  const box = room.best(places, allowed.get(id) ?? 0, id) ?? (sure ? within(places[0], room) : null);
  if (!box) return false;
  room.take(box);
  write(ctx, text, font, colourOf(id), box);
  return true;
}

function labelNodes(ctx, width, height) {
  const scale = network.getScale();
  const focus = inFocus();
  const visible = ranked.filter(shown);
  const points = {};
  for (const [id, point] of Object.entries(network.getPositions(visible))) points[id] = network.canvasToDOM(point);
  const near = visible.filter((id) => points[id].x > -50 && points[id].x < width + 50 && points[id].y > -30 && points[id].y < height + 30);
  const room = new Room(width, height);
  reserveCards(room);
  for (const id of near) {
    const half = drawn.get(id).size * scale;
    if (!focus || focus.has(id)) room.take({ left: points[id].x - half, right: points[id].x + half, top: points[id].y - half, bottom: points[id].y + half, node: id });
  }
  for (const id of new Set([state.selected, state.hovered])) {
    if (id !== null && near.includes(id)) labelNode(ctx, room, id, points, scale, true);
  }
  if (!focus) labelIslands(ctx, room);
  let left = Math.round((width * height) / 9000);
  for (const id of near.slice(0, 5 * left)) {
    if (left <= 0) break;
    if (id === state.selected || id === state.hovered || (focus && !focus.has(id))) continue;
    if (labelNode(ctx, room, id, points, scale, false)) left -= 1;
  }
}

/** Keep names from under the legend and the buttons. */
function reserveCards(room) {
  const map = byId("map").getBoundingClientRect();
  for (const card of ["legend", "zoom"]) {
    const box = byId(card).getBoundingClientRect();
    room.take({ left: box.left - map.left, right: box.right - map.left, top: box.top - map.top, bottom: box.bottom - map.top });
  }
}

function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  const half = (list) => {
    const kept = [];
    for (const point of list) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function islandPoints(island) {
  return Object.values(network.getPositions(island.nodes.filter(shown)));
}

function drawIslands(ctx) {
  ctx.lineJoin = "round";
  ctx.lineWidth = 64;
  ctx.fillStyle = ctx.strokeStyle = palette.island;
  for (const island of data.islands) {
    const points = hull(islandPoints(island));
    if (points.length < 2) continue;
    ctx.beginPath();
    for (const { x, y } of points) ctx.lineTo(x, y);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
  }
}

function labelIslands(ctx, room) {
  const font = `650 12px ${FONT}`;
  for (const island of data.islands) {
    const points = islandPoints(island).map((point) => network.canvasToDOM(point));
    if (!island.label || points.length < 2) continue;
    const text = shortened(island.label, 44);
    const width = measure(ctx, text, font) + 2 * PAD;
    const middle = (Math.min(...points.map((p) => p.x)) + Math.max(...points.map((p) => p.x))) / 2;
    const reach = 30 * network.getScale();
    const tops = [Math.min(...points.map((p) => p.y)) - reach - 16, Math.max(...points.map((p) => p.y)) + reach];
    const box = room.best(tops.map((top) => ({ left: middle - width / 2, right: middle + width / 2, top, bottom: top + 16 })), 1);
    if (!box) continue;
    room.take(box);
    write(ctx, text, font, palette.muted, box);
  }
}

network.on("beforeDrawing", drawIslands);
network.on("afterDrawing", (ctx) => {
  const ratio = ctx.canvas.width / ctx.canvas.clientWidth;
  ctx.save();
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  labelNodes(ctx, ctx.canvas.clientWidth, ctx.canvas.clientHeight);
  ctx.restore();
});
