import type { CanonicalUrl } from "@x/canon";
import { typeError } from "@x/sha256-prefix/type-error";
import type { Unwrap } from "./inner-url.ts";
import { innerMatches, mayHaveMore } from "./inside.ts";
import type { Match, UrlVerdict } from "./verdict.ts";

/**
 * The matches of the URLs inside a URL.
 *
 * @throws RangeError when nothing is listed, and `unwrap` reached a limit.
 */
export function matchesInside(
  url: string | Uint8Array | CanonicalUrl,
  unwrap: Unwrap,
  checkUrl: (url: string) => UrlVerdict,
  isListed: boolean,
): readonly Match[] {
  if (typeof unwrap !== "function") throw typeError("unwrap", "a function", unwrap);
  const opened = unwrap("href" in Object(url) ? (url as CanonicalUrl).href : (url as string));
  const matches = opened.found.flatMap((inner) => innerMatches(inner, checkUrl(inner.url)));
  if (mayHaveMore(opened, isListed || matches.length > 0)) {
    throw new RangeError(`The URL may have more URLs inside: limit of ${opened.limits.join(", ")}`);
  }
  return matches;
}
