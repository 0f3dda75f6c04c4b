import { logarithmic, picture } from "../plot.js";

const WIDTH = 380;
const [LEFT, RIGHT] = [58, 14];
const ROW = 34;
/** The colors of each way in light mode and in dark mode. */
const COLORS = {
  plain: ["#b3261e", "#ff8a80"],
  patches: ["#b25e00", "#f0a84b"],
  static: ["#0550ae", "#6cb6ff"],
  v5: ["#1a7f37", "#57d36f"],
  fewest: ["#57606a", "#9da7b1"],
};

/** The mark of each way has its own shape, so that colors are not needed to tell them apart. */
const SHAPES = {
  plain: (x, y) => `<rect class="plain" x="${x - 5}" y="${y - 5}" width="10" height="10"/>`,
  patches: (x, y) => `<path class="patches" d="M${x} ${y - 7}l7 12h-14z"/>`,
  static: (x, y) => `<circle class="static" cx="${x}" cy="${y}" r="6"/>`,
  v5: (x, y) => `<path class="v5" d="M${x} ${y - 7}l7 7l-7 7l-7-7z"/>`,
  fewest: (x, y) => `<path class="fewest" d="M${x - 1.5} ${y - 9}h3v18h-3z"/>`,
};

const sizeOf = (power) =>
  ["1 kB", "10 kB", "100 kB", "1 MB", "10 MB", "100 MB", "1 GB", "10 GB"][power - 3];

/** Draws the downloads of readers, with a panel for each scenario, a row for each interval and a mark for each way. */
export function plotOf(panels, { names, intervals, title }) {
  const bytes = panels.flatMap(({ ways }) =>
    Object.values(ways).flatMap(({ totals }) => totals.map((total) => total.bytes)),
  );
  const { low, high, at: scale } = logarithmic(bytes, LEFT, WIDTH - RIGHT);
  const lines = [`<text class="title" x="8" y="20">${title}</text>`];
  let y = 42;
  for (const [i, [way, name]] of Object.entries(names).entries()) {
    const [x, at] = [16 + (i % 2) * 180, y + Math.floor(i / 2) * 20];
    lines.push(SHAPES[way](x, at), `<text x="${x + 13}" y="${at + 4}">${name}</text>`);
  }
  y += Math.ceil(Object.keys(names).length / 2) * 20 + 16;
  for (const { heading, ways } of panels) {
    lines.push(`<text class="title" x="8" y="${y}">${heading}</text>`);
    const [top, bottom] = [y + 10, y + 10 + intervals.length * ROW];
    for (let power = low; power <= high; power++) {
      const x = scale(10 ** power);
      lines.push(`<line x1="${x}" y1="${top}" x2="${x}" y2="${bottom}"/>`);
      const anchor = power === high ? "end" : "middle";
      lines.push(
        `<text class="small" x="${power === high ? x + 10 : x}" y="${bottom + 15}" text-anchor="${anchor}">${sizeOf(power)}</text>`,
      );
    }
    for (const [i, hours] of intervals.entries()) {
      const at = top + (i + 0.5) * ROW;
      lines.push(`<text x="8" y="${at + 4}">${hours} h</text>`);
      for (const way of Object.keys(names))
        lines.push(SHAPES[way](scale(ways[way].totals[i].bytes), at));
    }
    y = bottom + 44;
  }
  const frame = { title, width: WIDTH, height: y - 20, colors: COLORS, properties: ["fill"] };
  return picture(frame, lines);
}
