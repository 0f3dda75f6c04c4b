import type { CanonicalUrl } from "@x/canon";
import type { Expression } from "./expressions.ts";
import { toCanonicalUrl } from "./to-canonical-url.ts";
import { wholeText } from "./whole-text.ts";

/**
 * The one expression that stands for exactly this host, path and query: the first of `expressions(url)`, and
 * the one to put on a list.
 *
 * On a list it matches what lies below it, too: `"b.c/1/"` all of that folder, `"b.c/"` the host and those
 * below it. The other expressions of a URL stand for folders and hosts above it: who lists one of them lists
 * more than the URL.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or octets that are not a URL with a host.
 * @throws TypeError when `url` is anything else than text, octets or a `CanonicalUrl`.
 * @example
 * ```ts
 * import { exactExpression } from "@x/expressions";
 *
 * exactExpression("http://A.b.c:80/1/./2?q#top"); // → "a.b.c/1/2?q"
 * exactExpression("b.c"); // → "b.c/"
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function exactExpression(url: string | Uint8Array | CanonicalUrl): Expression {
  return wholeText(toCanonicalUrl(url));
}
