import type { ReadExpression, UrlExplanation } from "@x/explain";

/** An expression with its hash, and the lists that it is on. */
export interface Cell extends ReadExpression {
  readonly host: string;
  readonly path: string;
  /** The names of the lists. */
  readonly lists: readonly string[];
}

/** The expressions of one reading of a URL: each host suffix with each path prefix. */
export interface Lattice {
  readonly reading: "specification" | "browser";
  /** From the longest to the shortest, so that entries further down cover more. */
  readonly hosts: readonly string[];
  /** From the longest to the shortest, so that entries further to the right cover more. */
  readonly paths: readonly string[];
  /** One row for each host. */
  readonly rows: readonly (readonly Cell[])[];
}

/** The two parts of an expression. No host contains a slash. */
function divide(expression: string): { readonly host: string; readonly path: string } {
  const slash = expression.indexOf("/");
  return { host: expression.slice(0, slash), path: expression.slice(slash) };
}

/** All expressions of a URL, in the order of the specification. */
export function cellsOf({ expressions, matches }: UrlExplanation): readonly Cell[] {
  return expressions.map((read) => {
    const found = matches.filter(({ expression }) => expression === read.expression);
    return { ...read, ...divide(read.expression), lists: found.map(({ list }) => list) };
  });
}

const fromTheLongest = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts)].sort((a, b) => b.length - a.length);

function latticeOf(reading: Lattice["reading"], cells: readonly Cell[]): Lattice {
  const hosts = fromTheLongest(cells.map(({ host }) => host));
  const paths = fromTheLongest(cells.map(({ path }) => path));
  const byExpression = new Map(cells.map((cell) => [cell.expression as string, cell]));
  const rows = hosts.map((host) => paths.map((path) => byExpression.get(host + path)!));
  return { reading, hosts, paths, rows };
}

/** The lattice of a URL, or one for each reading if browsers open a URL that the specification reads differently. */
export function latticesOf(
  { reading, browser }: Pick<UrlExplanation, "reading" | "browser">,
  cells: readonly Cell[],
): Lattice[] {
  const without = (only: Lattice["reading"]) => cells.filter((cell) => cell.reading !== only);
  if (reading === "browser") return [latticeOf("browser", without("specification"))];
  const own = latticeOf("specification", without("browser"));
  return browser === null ? [own] : [own, latticeOf("browser", without("specification"))];
}
