import type { CanonicalUrl } from "@x/canon";
import { type Expression, type ExpressionOptions, expressions } from "@x/expressions";

/**
 * Whether an entry looks as if it covered what lies below, and does not: no URL in the folder, or no host below
 * the host, has the expression.
 */
export function isTooDeep(
  { host, hostType, path }: CanonicalUrl,
  expression: Expression,
  options: ExpressionOptions,
): boolean {
  const isFolder = path.endsWith("/") && expression.length === host.length + path.length;
  if (!isFolder) return false;
  if (path !== "/") return count(path, "/") - 1 > deepestFolder();
  if (hostType !== "domain") return false;
  if (options.registrableDomain === undefined) return count(host, ".") + 1 > deepestHost();
  return !coversSubdomains(host, options);
}

/** Whether the entry of a host covers the hosts below it. */
function coversSubdomains(host: string, rule: ExpressionOptions): boolean {
  return expressions(`http://x.${host}/`, rule).includes(`${host}/`);
}

/** The most labels of a host whose entry covers the hosts below it, when the last labels decide. */
const deepestHost = once(() =>
  deepest((labels) => coversSubdomains(nested("a.", labels - 1, "b"), {})),
);

/** The most folders of a path whose entry covers what is in them. */
const deepestFolder = once(() =>
  deepest((folders) => {
    const entry: Expression = `a.b/${nested("x/", folders, "")}`;
    return expressions(`http://${entry}y`).includes(entry);
  }),
);

/** What {@link expressions} tells of itself is asked once, so that its limits stand in one place. */
function once(find: () => number): () => number {
  let known: number | null = null;
  return () => {
    known ??= find();
    return known;
  };
}

function deepest(covers: (depth: number) => boolean): number {
  let depth = 2;
  while (covers(depth + 1)) depth++;
  return depth;
}

function nested(part: string, times: number, end: string): string {
  return part.repeat(times) + end;
}

function count(text: string, character: string): number {
  let found = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) found++;
  return found;
}
