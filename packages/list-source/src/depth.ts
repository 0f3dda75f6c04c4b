import type { CanonicalUrl } from "@x/canon";
import { coverage, type Expression, type ExpressionOptions } from "@x/expressions";

/**
 * Whether an entry looks as if it covers everything below it, but does not: no URL in the folder, or no host
 * below the host, has the expression.
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
  return !coverage(`http://${host}/`, options).hostsBelow;
}

/** The most labels of a host whose entry covers the hosts below it, without `registrableDomain`. */
const deepestHost = once(() =>
  deepest((labels) => coverage(`${"a.".repeat(labels - 1)}b`).hostsBelow),
);

/** The most folders of a path whose entry covers the paths in it. */
const deepestFolder = once(() =>
  deepest((folders) => coverage(`a.b/${"x/".repeat(folders)}`).pathsBelow),
);

/** `@x/expressions` defines the limits. They are found once, because millions of entries need them. */
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

function count(text: string, character: string): number {
  let found = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) found++;
  return found;
}
