import type { CanonicalUrl } from "@x/canon";
import { type Coverage, coverage, type RegistrableDomain } from "@x/expressions";

/** What an expression of a URL covers as an entry of a list. */
export function coverageOf(
  expression: string,
  url: CanonicalUrl,
  registrableDomain: RegistrableDomain | undefined,
): Coverage {
  // An expression has no scheme and could be read as another URL, so its parts replace those of its own URL.
  const slash = expression.indexOf("/");
  const mark = expression.indexOf("?");
  const pathEnd = mark < 0 ? expression.length : mark;
  const entry = {
    ...url,
    host: expression.slice(0, slash),
    path: expression.slice(slash, pathEnd) as CanonicalUrl["path"],
    query: mark < 0 ? null : expression.slice(mark + 1),
  };
  return coverage(entry, { registrableDomain });
}

/**
 * What an entry of a list covers, as a sentence. The expression may need `printable` before it is shown.
 *
 * @example
 * ```ts
 * import { coverageText } from "@x/explain";
 * import { coverage } from "@x/expressions";
 *
 * const text = (entry: string) => coverageText(entry, coverage(entry));
 * text("evil.example/"); // → "evil.example/ covers this host and everything below it."
 * text("evil.example/a/b/"); // → "evil.example/a/b/ covers everything in this folder, also on the hosts below evil.example."
 * text("evil.example/1/2/3/4/"); // → "evil.example/1/2/3/4/ covers this path with any query, also on the hosts below evil.example. It covers nothing in this folder: expressions do not reach that deep."
 * text("1.2.3.4/a?b"); // → "1.2.3.4/a?b covers this path and query, and nothing else."
 * ```
 */
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
