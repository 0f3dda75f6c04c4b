import type { CanonicalUrl } from "@x/canon";
import { type Coverage, coverage, type RegistrableDomain } from "@x/expressions";

/** Returns the coverage that an expression of a URL has as an entry in a list. */
export function coverageOf(
  expression: string,
  url: CanonicalUrl,
  registrableDomain: RegistrableDomain | undefined,
): Coverage {
  // An expression has no scheme, so parsing it could give another URL. Instead, its parts replace those of the URL that
  // it comes from.
  const [, host, path, query] = /^([^/]*)(\/[^?]*)(?:\?(.*))?$/s.exec(expression)!;
  const entry = { ...url, host, path, query: query ?? null } as CanonicalUrl;
  return coverage(entry, { registrableDomain });
}

/** Puts the coverage of an entry into a sentence. The expression may need `printable` before it is shown. */
export function coverageText(expression: string, covers: Coverage): string {
  const { pathsBelow, hostsBelow } = covers;
  const slash = expression.indexOf("/");
  const host = expression.slice(0, slash);
  const path = expression.slice(slash);
  if (path === "/" && pathsBelow) {
    const what = hostsBelow ? "this host and everything below it" : "everything on this host";
    return `${expression} covers ${what}${hostsBelow ? "" : `, but no host below it`}.`;
  }
  const also = hostsBelow ? `, also on the hosts below ${host}` : "";
  if (pathsBelow) return `${expression} covers everything in this folder${also}.`;
  if (!covers.anyQuery) {
    return `${expression} covers this path and query${also === "" ? ", and nothing else" : also}.`;
  }
  const tooDeep = path.endsWith("/")
    ? " It covers nothing in this folder: expressions do not reach that deep."
    : "";
  return `${expression} covers this path with any query${also}.${tooDeep}`;
}
