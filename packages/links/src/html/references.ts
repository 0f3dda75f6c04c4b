import type { FoundLink } from "../found-link.ts";
import { cleanUrl } from "../text/clean.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** What the URL parser of browsers drops. */
const DROPPED = /^[\0- ]+|[\0- ]+$|[\t\n\r]+/g;
const AT_ANOTHER_HOST = /^[/\\]{2}/;
/** Only its scheme matters. */
const ANY_BASE = "http://unknown.invalid/";

/**
 * The URL that a reference in HTML or Markdown stands for; `null` if it is relative and there is no base, or if it is
 * empty.
 */
export function resolve(
  value: string,
  base: string | null,
): Pick<FoundLink, "url" | "isDefanged"> | null {
  const reference = value.replace(DROPPED, "");
  if (reference === "") return null;
  const refanged = SCHEME.test(reference) ? null : cleanUrl(reference);
  if (refanged?.isDefanged === true && SCHEME.test(refanged.url)) return refanged;
  if (SCHEME.test(reference)) {
    const cleaned = cleanDefanged(reference);
    if (cleaned !== null) return cleaned;
    // With a base of the same scheme, `http:path` is relative.
    const isRelative = base !== null && /^[a-z]+:(?![/\\])/i.test(reference);
    const url = isRelative ? (tryResolve(reference, base) ?? reference) : reference;
    return { url, isDefanged: false };
  }
  const against = base ?? (AT_ANOTHER_HOST.test(reference) ? ANY_BASE : null);
  const url = against === null ? null : tryResolve(reference, against);
  return url === null ? null : { url, isDefanged: false };
}

function cleanDefanged(reference: string): Pick<FoundLink, "url" | "isDefanged"> | null {
  if (!/^(?:h(?!ttp)|f|x|m|w|https?:[^?#]*[[({\\])/i.test(reference)) return null;
  const cleaned = cleanUrl(reference);
  return cleaned.isDefanged ? cleaned : null;
}

/** A reference resolved against a base; `null` if browsers do not open it. */
export function tryResolve(reference: string, base: string): string | null {
  return URL.canParse(reference, base) ? new URL(reference, base).href : null;
}
