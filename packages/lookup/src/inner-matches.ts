import type { CanonicalUrl } from "@x/canon";
import { typeError } from "@x/sha256-prefix/type-error";
import type { Unwrap } from "./inner-url.ts";
import type { Match, UrlVerdict } from "./verdict.ts";

/**
 * The matches of the URLs inside a URL.
 *
 * @throws RangeError when nothing is listed, and `unwrap` reached a limit.
 */
export function innerMatches(
  url: string | Uint8Array | CanonicalUrl,
  unwrap: Unwrap,
  checkUrl: (url: string) => UrlVerdict,
  isListed: boolean,
): readonly Match[] {
  if (typeof unwrap !== "function") throw typeError("unwrap", "a function", unwrap);
  const { found, limits } = unwrap(
    "href" in Object(url) ? (url as CanonicalUrl).href : (url as string),
  );
  const matches = found.flatMap((inner) =>
    checkUrl(inner.url).matches.map((match): Match => ({ ...match, inner })),
  );
  if (!isListed && matches.length === 0 && limits.length > 0) {
    throw new RangeError(`The URL may have more URLs inside: limit of ${limits.join(", ")}`);
  }
  return matches;
}
