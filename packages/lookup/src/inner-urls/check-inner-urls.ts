import { CanonError, type CanonicalUrl } from "@x/canon";
import { typeError } from "@x/sha256-prefix/type-error";
import type { Match, Unwrap, UrlVerdict } from "../verdict.ts";
import { innerMatches, mayHaveMore, mustBeUrl } from "./inner-verdicts.ts";

/**
 * The matches of the URLs inside a URL.
 *
 * @throws CanonError when nothing is listed, and there is no verdict on a URL that the given one certainly leads to.
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
  const verdicts = opened.found.map((inner) => ({ inner, ...checkUrl(inner.url) }));
  const matches = verdicts.flatMap((verdict) => innerMatches(verdict.inner, verdict));
  const failed = verdicts.find(({ inner, error }) => error !== null && mustBeUrl(inner));
  if (!isListed && matches.length === 0 && failed?.error != null) {
    throw new CanonError(failed.inner.url, failed.error.code, failed.error.index);
  }
  if (mayHaveMore(opened, isListed || matches.length > 0)) {
    throw new RangeError(
      `The URL may contain more URLs, because these limits were reached: ${opened.limits.join(", ")}`,
    );
  }
  return matches;
}
