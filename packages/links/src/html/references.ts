import type { FoundLink } from "../found-link.ts";
import { cleanUrl } from "../text/clean.ts";
import { scanText } from "../text/scan-text.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** The characters that browsers drop when they parse a URL. */
const DROPPED = /^[\0- ]+|[\0- ]+$|[\t\n\r]+/g;
const AT_ANOTHER_HOST = /^[/\\]{2}/;
/** A placeholder base URL, of which only the scheme matters. */
const ANY_BASE = "http://unknown.invalid/";

/** The URL that a reference stands for. */
type Reading = Pick<FoundLink, "url" | "isDefanged">;

export interface ReferenceContext {
  /** The bases of relative references. Each program uses one of them. A `null` leaves relative references out. */
  readonly bases: readonly (string | null)[];
  /** Whether the document is a mail, which has no URL of its own. */
  readonly isMail: boolean;
}

/**
 * The URLs that a reference in HTML or Markdown may stand for. Empty if the reference is relative and there is no base,
 * or if it is an empty value of an attribute other than `href`.
 */
export function readings(value: string, where: string, context: ReferenceContext): Reading[] {
  const { bases, isMail } = context;
  if (where !== "href" && value.replace(DROPPED, "") === "") return [];
  const found = bases.flatMap((base) => resolve(value, base) ?? []);
  if (where === "href" && (isMail || bases.includes(null))) {
    const bare = bareReference(value);
    if (bare !== null) found.push(bare);
  }
  return found.length < 2 ? found : [...new Map(found.map((each) => [each.url, each])).values()];
}

/**
 * The URL of a reference that begins with a host, as in `www.evil.example/a`; `null` for any other. Some mail programs
 * open such a reference as if it began with `http://`.
 */
function bareReference(value: string): Reading | null {
  const text = value.trim();
  if (SCHEME.test(text) || AT_ANOTHER_HOST.test(text)) return null;
  let found: Reading | null = null;
  scanText({ text, from: 0, isLast: true }, ({ start, url, isDefanged }) => {
    if (start === 0) found = { url, isDefanged };
  });
  return found;
}

/** The URL that a reference stands for; `null` if it is relative and there is no base. */
function resolve(value: string, base: string | null): Reading | null {
  const reference = value.replace(DROPPED, "");
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

function cleanDefanged(reference: string): Reading | null {
  if (!/^(?:h(?!ttp)|f|x|m|w|https?:[^?#]*[[({\\])/i.test(reference)) return null;
  const cleaned = cleanUrl(reference);
  return cleaned.isDefanged ? cleaned : null;
}

/** A reference resolved against a base; `null` if browsers do not open it. */
export function tryResolve(reference: string, base: string): string | null {
  return URL.canParse(reference, base) ? new URL(reference, base).href : null;
}

/**
 * The URL in the value of a `Refresh` header or of `<meta http-equiv="refresh">`. `null` if the value has no URL or is
 * not valid, so that browsers stay on the page.
 *
 * @see HTML Living Standard, "shared declarative refresh steps", 2 to 11
 */
export function refreshUrl(value: string): string | null {
  const time = /^[\t\n\f\r ]*(?:\d+[\d.]*|\.[\d.]*)/.exec(value);
  if (time === null) return null;
  const rest = value.slice(time[0].length);
  const separator = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/.exec(rest)![0];
  if (separator === "") return null;
  const given = rest.slice(separator.length);
  const target = given.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
  if (target === "") return null;
  const quote = target[0];
  if (quote !== '"' && quote !== "'") return target;
  const end = target.indexOf(quote, 1);
  return end < 0 ? target.slice(1) : target.slice(1, end);
}
