/* Helpers for the plots of several benchmarks. */

export const round = (number) => Math.round(number * 10) / 10;

/** A logarithmic scale between the closest powers of ten that enclose all values. */
export function logarithmic(values, from, to) {
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ];
  const at = (value) => round(from + ((Math.log10(value) - low) / (high - low)) * (to - from));
  return { low, high, at };
}

/**
 * Returns an SVG picture of these elements. `colors` has the light and the dark color of each class, and `properties`
 * are the CSS properties that use the color.
 */
export function picture({ title, width, height, colors, properties, rules = "" }, elements) {
  const classes = (mode) =>
    Object.entries(colors).map(([name, values]) => {
      return `.${name} { ${properties.map((each) => `${each}: ${values[mode]};`).join(" ")} }`;
    });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${title}</title>
  <style>
    text { font: 12px system-ui, sans-serif; fill: #24292f; }
    .small { font-size: 11px; fill: #57606a; }
    .title { font-weight: 600; font-size: 13px; }
    line { stroke: #d0d7de; }
    ${[...classes(0), rules].join(" ").trim()}
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .small { fill: #9da7b1; } line { stroke: #3d444d; }
      ${classes(1).join(" ")}
    }
  </style>
  ${elements.join("\n  ")}
</svg>
`;
}
