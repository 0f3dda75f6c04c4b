import { logarithmic, picture, round } from "../plot.js";

const WIDTH = 560;
const [LEFT, RIGHT] = [150, 20];
const ROW = 22;
/** The colors of each way in light mode and in dark mode. */
const COLORS = {
  direct: ["#b3261e", "#ff8a80"],
  many: ["#b25e00", "#f0a84b"],
  one: ["#0550ae", "#6cb6ff"],
};
const RULES = "polyline { stroke-width: 1.5; } polyline[class] { fill: none; }";

/** The mark of each way has its own shape, so that colors are not needed to tell them apart. */
const SHAPES = {
  direct: (x, y) => `<rect class="direct" x="${x - 5}" y="${y - 5}" width="10" height="10"/>`,
  many: (x, y) => `<path class="many" d="M${x} ${y - 6}l6 11h-12z"/>`,
  one: (x, y) => `<circle class="one" cx="${x}" cy="${y}" r="5"/>`,
};
const DASHES = { direct: "", many: "6 3", one: "2 3" };

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];
const nameOf = (power) => `${10 ** (power % 3)} ${UNITS[Math.floor(power / 3)]}`;
const thousands = (number) => number.toLocaleString("en").replaceAll(",", " ");

/**
 * Draws the bytes that the server sends in a month, with a row for each list and window and a mark for each way. Also
 * draws the requests that reach the server in a week.
 */
export function plotOf({ rows, series, places, clients }) {
  const names = {
    direct: "without a cache",
    many: `caches in ${places[1]} places`,
    one: "one cache",
  };
  const title = `What the server sends to ${thousands(clients)} clients in 28 days`;
  const lines = [`<text class="title" x="8" y="20">${title}</text>`];
  let y = 42;
  for (const [i, [way, name]] of Object.entries(names).entries()) {
    const x = 16 + i * 170;
    lines.push(SHAPES[way](x, y), `<text x="${x + 13}" y="${y + 4}">${name}</text>`);
  }
  const values = rows.flatMap(({ direct, cached }) => [direct, ...cached]);
  const bytes = logarithmic(values, LEFT, WIDTH - RIGHT);
  const [top, bottom] = [y + 18, y + 24 + rows.length * ROW];
  for (let power = bytes.low; power <= bytes.high; power++) {
    const x = bytes.at(10 ** power);
    lines.push(`<line x1="${x}" y1="${top}" x2="${x}" y2="${bottom}"/>`);
    lines.push(
      `<text class="small" x="${x}" y="${bottom + 15}" text-anchor="middle">${nameOf(power)}</text>`,
    );
  }
  for (const [i, { size, window, direct, cached }] of rows.entries()) {
    y = top + 14 + i * ROW;
    lines.push(`<text x="8" y="${y + 4}">${thousands(size)}, ${window}</text>`);
    for (const [way, value] of [
      ["direct", direct],
      ["many", cached[1]],
      ["one", cached[0]],
    ]) {
      lines.push(SHAPES[way](bytes.at(value), y));
    }
  }
  y = bottom + 28;
  lines.push(
    `<text class="small" x="8" y="${y}">The number of entries on the list, and of versions from which clients get differences.</text>`,
  );

  y += 34;
  lines.push(
    `<text class="title" x="8" y="${y}">Requests a second that reach it, in a week from Monday</text>`,
  );
  const [ceiling, floor] = [y + 16, y + 146];
  const ways = { direct: series.direct, many: series.cached[1], one: series.cached[0] };
  const rate = (way) =>
    ways[way].map(
      (hour) => Math.max(hour[way === "direct" ? "requests" : "originRequests"], 1) / 3600,
    );
  const rates = logarithmic(Object.keys(ways).flatMap(rate), floor, ceiling);
  for (let power = rates.low; power <= rates.high; power++) {
    const at = rates.at(10 ** power);
    lines.push(`<line x1="50" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}"/>`);
    lines.push(
      `<text class="small" x="44" y="${at + 4}" text-anchor="end">${thousands(10 ** power)}</text>`,
    );
  }
  const hours = series.direct.length;
  const across = (hour) => round(50 + (hour / (hours - 1)) * (WIDTH - RIGHT - 50));
  for (const way of Object.keys(ways)) {
    const points = rate(way).map((value, hour) => `${across(hour)},${rates.at(value)}`);
    const dashes = DASHES[way] === "" ? "" : ` stroke-dasharray="${DASHES[way]}"`;
    lines.push(`<polyline class="${way}"${dashes} points="${points.join(" ")}"/>`);
  }
  for (const [i, day] of ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].entries()) {
    lines.push(
      `<text class="small" x="${across(i * 24 + 12)}" y="${floor + 16}" text-anchor="middle">${day}</text>`,
    );
  }
  const properties = ["fill", "stroke"];
  const frame = { title, width: WIDTH, height: floor + 28, colors: COLORS, properties };
  return picture({ ...frame, rules: RULES }, lines);
}
