import type { CanonicalUrl } from "@x/canon";
import { coverage, type Expression } from "@x/expressions";

/*
 * Whether a host with a number of dots covers all hosts below it, and a folder at a depth all paths below it. Each
 * answer is computed once and kept, because millions of entries may need it.
 */
const hostCovers: boolean[] = [];
const folderCovers: boolean[] = [];

/**
 * Whether an entry looks as if it covered everything below it, but is not an expression of the URLs in its folder or of
 * the hosts below its host.
 */
export function isTooDeep({ host, hostType, path }: CanonicalUrl, expression: Expression): boolean {
  const isFolder = path.endsWith("/") && expression.length === host.length + path.length;
  if (!isFolder) return false;
  if (path !== "/") {
    const depth = count(path, "/") - 1;
    folderCovers[depth] ??= coverage(`a.b/${"x/".repeat(depth)}`).pathsBelow;
    return !folderCovers[depth];
  }
  const dots = count(host, ".");
  if (hostType !== "domain" || dots === 0) return false;
  hostCovers[dots] ??= coverage(`${"a.".repeat(dots)}b`).hostsBelow;
  return !hostCovers[dots];
}

function count(text: string, character: string): number {
  let found = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) found++;
  return found;
}
