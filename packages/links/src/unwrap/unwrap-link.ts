import { tryParseUrl } from "@x/canon";
import { browserHref } from "@x/canon/browser";
import { readUrl } from "@x/canon/readings";
import { checkTextOrBytes } from "../text-or-bytes.ts";
import { decodePercents } from "./decode.ts";
import { type Guesses, guessUrls, guessUrlsOfScheme } from "./guess.ts";
import { linkParts } from "./link-parts.ts";
import { SCHEMES, type WrappingScheme, wrappersAt } from "./wrappers/table.ts";
import type { Opened, WrappingService } from "./wrappers/wrapper.ts";

/** The maximum depth to which URLs are unwrapped. A URL directly inside the given one has depth 1. */
export const MAX_UNWRAP_DEPTH: number = 8;
/** The maximum number of URLs that are returned for one URL. */
export const MAX_UNWRAPPED_URLS: number = 32;
/** The longest URL that is unwrapped, in UTF-16 code units or bytes. */
export const MAX_UNWRAP_LENGTH: number = 2 ** 16;

/** Guesses may have several readings of a URL that are the same to a list. */
const MOST_GUESSES = 4 * MAX_UNWRAPPED_URLS;

/** A URL inside another one. */
export interface InnerUrl {
  /** The URL, decoded, and with `http://` if it was written without a scheme. */
  readonly url: string;
  /** The wrapper that contains the URL; `null` for a guess. */
  readonly wrapper: WrappingService | WrappingScheme | null;
  /** Whether the wrapper is a service, to which browsers go first, or a scheme; `null` for a guess. */
  readonly wrapperKind: "service" | "scheme" | null;
  /**
   * How certain it is that the outer URL leads to this one. `"certain"`: the URL is in the place where the wrapper
   * keeps the destination. `"hint"`: the wrapper names only a host, which may be wrong. `"guess"`: the URL occurs
   * somewhere in the outer URL, which may lead to it or only mention it.
   */
  readonly certainty: "certain" | "hint" | "guess";
  /** The depth: 1 for a URL that is directly inside the given one. */
  readonly depth: number;
  /** The URL that directly contains this one; `null` if that is the given URL. */
  readonly inside: InnerUrl | null;
}

/** A wrapped link that cannot be opened offline: only its service knows where it leads. */
interface ClosedWrapper {
  readonly url: string;
  readonly wrapper: WrappingService;
  /** The depth of the link: 0 for the given URL itself. */
  readonly depth: number;
}

/**
 * A limit that was reached. There may be more URLs inside than were found. `"depth"`: URLs are nested too deeply, or
 * part of a URL is escaped too many times.
 */
type UnwrapLimit = "depth" | "urls" | "length";

/** The result of `unwrapLink`. */
export interface UnwrappedLink {
  /** The URLs inside, outer ones first. Each occurs once. */
  readonly found: readonly InnerUrl[];
  /** The links that cannot be opened offline. */
  readonly closed: readonly ClosedWrapper[];
  /** The limits that were reached. Usually, there are none. */
  readonly limits: readonly UnwrapLimit[];
}

/** The contents of one URL, one level deep. */
interface Contents {
  readonly by:
    | { readonly wrapper: WrappingService; readonly wrapperKind: "service" }
    | { readonly wrapper: WrappingScheme; readonly wrapperKind: "scheme" }
    | typeof GUESSED;
  /** The values in the places where the wrapper keeps URLs. */
  readonly values: readonly (string | Opened)[];
  /** Returns URLs that occur anywhere else in the outer URL. */
  readonly guesses: () => Guesses;
}

const GUESSED = { wrapper: null, wrapperKind: null } as const;

const decoder = new TextDecoder();

/**
 * Returns the URLs inside a URL, without any request: those that email filters, redirects, caches and archives wrap,
 * and those in its path, parameters or fragment. URLs inside the results are unwrapped, too.
 *
 * Any text is allowed. The time is linear in its length, and the number of URLs is limited. `limits` has the limits
 * that were reached.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { unwrapLink } from "@x/links";
 *
 * const { found } = unwrapLink("https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fevil.example%2F&data=05");
 * found; // → [{ url: "http://evil.example/", wrapper: "Outlook SafeLinks", wrapperKind: "service", certainty: "certain", depth: 1, inside: null }]
 *
 * const opaque = unwrapLink("https://protect-us.mimecast.com/s/abc?domain=evil.example");
 * opaque.found[0]?.certainty; // → "hint"
 * opaque.closed[0]?.wrapper; // → "Mimecast"
 * ```
 */
export function unwrapLink(url: string | Uint8Array): UnwrappedLink {
  checkTextOrBytes("url", url);
  if (url.length > MAX_UNWRAP_LENGTH) return { found: [], closed: [], limits: ["length"] };
  const text = typeof url === "string" ? url : decoder.decode(url);
  const found: InnerUrl[] = [];
  const closed: ClosedWrapper[] = [];
  const limits = new Set<UnwrapLimit>();
  const seen = new Set([text]);
  for (let next = -1; next < found.length; next++) {
    const inside = found[next] ?? null;
    const outer = inside?.url ?? text;
    const { by, values, guesses } = contentsOf(outer);
    const depth = (inside?.depth ?? 0) + 1;
    let isOpened = false;
    let isClosed = true;
    for (const value of values) {
      const { url, isHint = false } = typeof value === "string" ? { url: value } : value;
      const isUrl = add(url, { ...by, certainty: isHint ? "hint" : "certain", depth, inside });
      // Where the wrapper's value is no URL to browsers, it may be escaped once more.
      if (isUrl && isOpenedByBrowsers(url)) isOpened = true;
      if (isUrl && !isHint) isClosed = false;
    }
    if (by.wrapperKind === "service" && isClosed)
      closed.push({ url: outer, wrapper: by.wrapper, depth: depth - 1 });
    if (isOpened) continue;
    const { urls, isDeeper } = guesses();
    if (isDeeper) limits.add("depth");
    for (const url of urls) add(url, { ...GUESSED, certainty: "guess", depth, inside });
  }
  return { found, closed, limits: [...limits] };

  /** Adds a URL inside, unless it is known already or a limit is reached. Returns whether the value is a URL. */
  function add(value: string, about: Omit<InnerUrl, "url">): boolean {
    const url = innerUrl(value);
    if (url === null) return false;
    if (seen.has(url)) return true;
    if (!isUrl(url)) return false;
    const key = about.certainty === "guess" ? keyOf(url) : url;
    if (seen.has(key)) return true;
    if (about.depth > MAX_UNWRAP_DEPTH) limits.add("depth");
    else if (found.length === MAX_UNWRAPPED_URLS) limits.add("urls");
    else {
      seen.add(url).add(keyOf(url));
      found.push({ url, ...about });
    }
    return true;
  }
}

const NO_GUESSES: Guesses = Object.freeze({ urls: Object.freeze([]), isDeeper: false });
const none = () => NO_GUESSES;

function contentsOf(url: string): Contents {
  for (const { name, start, open } of SCHEMES) {
    const found = start.exec(url);
    if (found === null) continue;
    const by = { wrapper: name, wrapperKind: "scheme" } as const;
    return { by, values: open(url.slice(found[0].length)), guesses: none };
  }
  const parts = linkParts(url);
  if (parts === null) {
    const guesses = () => ({ ...NO_GUESSES, urls: guessUrlsOfScheme(url, MOST_GUESSES) });
    return { by: GUESSED, values: [], guesses };
  }
  const wrapper = wrappersAt(parts.host).find(({ path }) => path.test(parts.path));
  return {
    by: wrapper === undefined ? GUESSED : { wrapper: wrapper.name, wrapperKind: "service" },
    values: wrapper?.open(parts) ?? [],
    guesses: () => guessUrls(parts.rest, MOST_GUESSES),
  };
}

function isOpenedByBrowsers(value: string): boolean {
  const url = innerUrl(value) ?? value;
  const { browser, problem } = readUrl(url);
  const isUndecided = problem?.code === "host-undecided";
  return browser !== null || isUndecided || SCHEMES.some(({ start }) => start.test(url));
}

/** Equal for URLs that lists treat as equal and that have the same fragment, in which more URLs may be. */
function keyOf(url: string): string {
  const { specification, browser } = readUrl(url);
  const fragment = url.indexOf("#");
  const end = fragment < 0 ? "" : url.slice(fragment);
  return `${specification?.href}\n${browser?.href}\n${end}`;
}

function isUrl(url: string): boolean {
  return (
    SCHEMES.some(({ start }) => start.test(url)) ||
    browserHref(url) !== null ||
    tryParseUrl(url) !== null ||
    // Callers that check the URL must learn that its host cannot be decided.
    readUrl(url).problem?.code === "host-undecided"
  );
}

const ABSOLUTE = /^(?:https?|ftp|wss?|view-source|blob|filesystem|intent):/i;
/** A URL that was percent-encoded as a whole once more. */
const ESCAPED = /^(?:https?|ftp)%3a/i;
/**
 * The slashes before a host name without a scheme. The name may have any character beyond ASCII, even an unassigned
 * one.
 */
const WITHOUT_SCHEME =
  /^(?:[/\\]{2})?(?=(?:[\w\u0080-\u{10ffff}-]+\.)+[a-z\u0080-\u{10ffff}][a-z\d\u0080-\u{10ffff}-]*(?::\d+)?(?:[/?#]|$))/iu;

/**
 * A host without a scheme that is longer than this is not recognized, because no host name has that many characters.
 */
const LONGEST_NAME = 255;

/**
 * The URL in a value that a wrapped link contains. A value without a scheme counts if it begins with a host name.
 * `null` for any other value, such as a path.
 */
function innerUrl(value: string): string | null {
  const trimmed = value.trim();
  const text = ESCAPED.test(trimmed) ? decodePercents(trimmed) : trimmed;
  if (ABSOLUTE.test(text)) return withTwoSlashes(text);
  const end = text.slice(2).search(/[/?#]/);
  if ((end < 0 ? text.length : end) > LONGEST_NAME) return null;
  const start = WITHOUT_SCHEME.exec(text)?.[0];
  return start === undefined ? null : `http://${text.slice(start.length)}`;
}

/** Restores the two slashes after a scheme, which some servers and wrappers merge in a path. */
function withTwoSlashes(text: string): string {
  return text.replace(/^((?:https?|ftp|wss?):)[/\\]*(?=[^/\\])/i, "$1//");
}
