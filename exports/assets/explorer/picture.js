// The map as it is seen, as a file.

const PICTURE_SCALE = 2; // pixels of a PNG per CSS pixel

/** Return the map as a PNG, a promise of a blob. */
function mapAsPng(map) {
  const canvas = document.createElement("canvas");
  const { width, height } = map.view;
  canvas.width = Math.round(width * PICTURE_SCALE);
  canvas.height = Math.round(height * PICTURE_SCALE);
  map.drawTo(canvas.getContext("2d"), width, height, PICTURE_SCALE);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Return the map as SVG. */
function mapAsSvg(map) {
  const pen = new SvgPen(document.createElement("canvas").getContext("2d"));
  const frame = map.view.frame(1);
  const painter = new Painter(map.scene, pen);
  painter.all(pen, frame, () => pen.group(() => painter.rest(pen, frame)));
  return pen.picture(frame.width, frame.height, map.atlas.head.title);
}

/** Return a file name that every system takes. */
function pictureName(title, kind) {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, "-").slice(0, 60).replace(/^-+|-+$/g, "");
  return `${[words, "map"].filter(Boolean).join("-")}.${kind}`;
}

/** Offer the map as a file, "png" or "svg". */
async function savePicture(map, atlas, kind) {
  const blob = kind === "png" ? await mapAsPng(map) : new Blob([mapAsSvg(map)], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = pictureName(atlas.head.title, kind);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
