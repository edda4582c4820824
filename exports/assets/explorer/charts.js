// The share of papers by year, as bars.

const CHART = { width: 340, height: 96, foot: 16, head: 12 };

const percent = (share) =>
  `${(100 * share).toLocaleString("en", { maximumSignificantDigits: share < 0.1 ? 2 : 3 })} %`;

/** Return the years from shortly before the first with a paper; a few at least. */
function fromTheFirst(years) {
  const first = years.findIndex((one) => one.papers);
  return years.slice(Math.max(0, Math.min(first - 1, years.length - 8)));
}

/** Return bars of the share of each year's papers; years is [{year, papers, share}]. */
function yearChart(years, about) {
  const { width, height, foot, head } = CHART;
  const [first, last] = [years[0].year, years[years.length - 1].year];
  const most = years.reduce((best, one) => (one.share > best.share ? one : best));
  const step = width / years.length;
  const tall = (share) => (share / most.share) * (height - foot - head);
  const bars = years.map(({ year, papers, share }, at) => {
    const size = {
      x: at * step + Math.min(2, step / 6),
      width: Math.max(1, step - Math.min(4, step / 3)),
      y: height - foot - tall(share),
      height: tall(share),
      rx: 1.5,
    };
    return svg(
      "g",
      { class: "bar" },
      svg("rect", { ...size }),
      named(`${year}: ${plural(papers, "paper")}, ${percent(share)} of that year’s`),
    );
  });
  const word = (x, y, text, anchor) => svg("text", { x, y, "text-anchor": anchor }, text);
  const peak = (years.indexOf(most) + 0.5) * step;
  const anchor = peak < 30 ? "start" : peak > width - 30 ? "end" : "middle";
  const marks = [
    word(0, height - 3, String(first), "start"),
    word(width, height - 3, String(last), "end"),
    word(
      anchor === "middle" ? peak : anchor === "start" ? 0 : width,
      head - 3,
      percent(most.share),
      anchor,
    ),
  ];
  const spoken = years
    .filter((one) => one.papers)
    .map(({ year, papers, share }) => `${year}: ${papers} (${percent(share)})`)
    .join(", ");
  const ground = svg("line", {
    x1: 0,
    x2: width,
    y1: height - foot + 0.5,
    y2: height - foot + 0.5,
  });
  return svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `${about}. ${spoken}`,
    },
    ground,
    ...bars,
    ...marks,
  );
}

const named = (text) => svg("title", {}, text);
