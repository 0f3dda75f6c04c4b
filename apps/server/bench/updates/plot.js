const WIDTH = 380;
const [LEFT, RIGHT] = [58, 14];
const ROW = 34;
const STYLE = `
    text { font: 12px system-ui, sans-serif; fill: #24292f; }
    .small { font-size: 11px; fill: #57606a; }
    .title { font-weight: 600; font-size: 13px; }
    line { stroke: #d0d7de; }
    .plain { fill: #b3261e; } .patches { fill: #b25e00; } .static { fill: #0550ae; } .v5 { fill: #1a7f37; }
    .fewest { fill: #57606a; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .small { fill: #9da7b1; } line { stroke: #3d444d; }
      .plain { fill: #ff8a80; } .patches { fill: #f0a84b; } .static { fill: #6cb6ff; } .v5 { fill: #57d36f; }
      .fewest { fill: #9da7b1; }
    }`;

/** A mark of each way has its own shape, so that colors are not needed to tell them apart. */
const SHAPES = {
  plain: (x, y) => `<rect class="plain" x="${x - 5}" y="${y - 5}" width="10" height="10"/>`,
  patches: (x, y) => `<path class="patches" d="M${x} ${y - 7}l7 12h-14z"/>`,
  static: (x, y) => `<circle class="static" cx="${x}" cy="${y}" r="6"/>`,
  v5: (x, y) => `<path class="v5" d="M${x} ${y - 7}l7 7l-7 7l-7-7z"/>`,
  fewest: (x, y) => `<path class="fewest" d="M${x - 1.5} ${y - 9}h3v18h-3z"/>`,
};

const sizeOf = (power) =>
  ["1 kB", "10 kB", "100 kB", "1 MB", "10 MB", "100 MB", "1 GB", "10 GB"][power - 3];

/** Draws what readers download: a panel for each scenario, a row for each interval, and a mark for each way. */
export function plotOf(panels, { names, intervals, title }) {
  const bytes = panels.flatMap(({ ways }) =>
    Object.values(ways).flatMap(({ totals }) => totals.map((total) => total.bytes)),
  );
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...bytes))),
    Math.ceil(Math.log10(Math.max(...bytes))),
  ];
  const scale = (value) =>
    Math.round((LEFT + ((Math.log10(value) - low) / (high - low)) * (WIDTH - LEFT - RIGHT)) * 10) /
    10;
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
  const height = y - 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
  <title>${title}</title>
  <style>${STYLE}
  </style>
  ${lines.join("\n  ")}
</svg>
`;
}
