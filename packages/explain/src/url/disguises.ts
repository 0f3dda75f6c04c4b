import { PUNYCODE } from "@x/canon/punycode";
import type { UrlReadings } from "@x/canon/readings";
import { hostAlikeIn, type Imitations, type LookAlike, lookAlikesIn } from "@x/links/look-alikes";
import { decodeUtf8 } from "../printable.ts";
import { shortHost } from "./hosts.ts";
import { neverLink } from "./non-links.ts";
import { hostSpan, writtenAddress } from "./written-address.ts";

/** How a URL is built to mislead people. */
export type DisguiseCode =
  /** The URL seems to lead to one host, but browsers open another. */
  | "other-host"
  /** The user name or the password of the URL looks like a host. */
  | "user-name"
  /** The host of the URL is an IPv4 address that is not written as four decimal numbers. */
  | "address"
  /** The host of the URL has letters that look like ASCII characters, or imitates that of a well-known site. */
  | "look-alike"
  /** The URL has characters that change the order in which text is shown. */
  | "bidi";

export interface Disguise {
  readonly code: DisguiseCode;
  /** The host that the URL seems to lead to; `null` if that is not certain. */
  readonly resembles: string | null;
  /** The disguise in one sentence, which may need `printable` before it is shown. */
  readonly message: string;
}

/** The canonical host of a text in each reading; `null` in a reading in which the text is not a URL. */
export interface ReadHosts {
  readonly specification: string | null;
  readonly browser: string | null;
}

/** A disguise, with its message in two parts. */
export interface DisguiseFound extends Pick<Disguise, "code" | "resembles"> {
  readonly reason: string;
  /** A sentence about the letters of the host, with a space before it; empty if `reason` is about them, or none is. */
  readonly letters?: string;
  /** A sentence that says where the URL leads, with a space before it; empty if `reason` already says where. */
  readonly opens: string;
}

const encoder = new TextEncoder();
const NONE: readonly never[] = Object.freeze([]);

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
/** A user name that could be mistaken for a host. */
const LIKE_A_HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}/i;
/** A later piece of a user name or a password that could. Tokens, too, have dots, but seldom end in letters only. */
const LATER_HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?![a-z0-9]|\.[a-z0-9])/i;
const COLON_SIGN = /:|%(?:25)*3a/i;
const AT_SIGN = /@|%(?:25)*40/i;
const HASH = 0x23;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const COLON = 0x3a;

/** A text before the host of a URL that could be mistaken for a host. */
interface Decoy {
  /** In lower case. */
  readonly name: string;
  /** What the text is, in words: `"a user name"`. */
  readonly is: string;
}

/** The first host that a user name or a password could be mistaken for; `null` if there is none. */
export function decoyIn(user: string): Decoy | null {
  for (const [i, word] of user.split(COLON_SIGN).entries()) {
    for (const [j, piece] of word.split(AT_SIGN).entries()) {
      const isFirst = i === 0 && j === 0;
      if (!(isFirst ? LIKE_A_HOST : LATER_HOST).test(piece)) continue;
      const name = /^[a-z0-9.-]+/i.exec(piece)![0].toLowerCase();
      return {
        name,
        is: isFirst ? "a user name" : `part of a ${i === 0 ? "user name" : "password"}`,
      };
    }
  }
  return null;
}

/**
 * Returns the ways in which a URL is built to mislead people about where it leads, which is typical of phishing. The
 * result is empty for nearly all URLs. A call for a URL that is already canonical is cheap enough for every line of a
 * file.
 *
 * @param readings the `readings` of a verdict of `@x/lookup`, which are `null` for a URL that is already canonical.
 */
export function disguisesOf(
  url: string | Uint8Array,
  readings: Pick<UrlReadings, "specification" | "browser"> | null,
  imitations: Imitations | null = null,
): readonly Disguise[] {
  if (readings === null && isPlain(url) && !mayImitate(url, imitations)) return NONE;
  const text = typeof url === "string" ? url : decodeUtf8(url);
  return disguisesOfHosts(text, hostsOf(text, readings), imitations).map(
    ({ code, resembles, reason, letters = "", opens }) => ({
      code,
      resembles,
      message: reason + letters + opens,
    }),
  );
}

function mayImitate(url: string | Uint8Array, imitations: Imitations | null): boolean {
  if (imitations === null || typeof url === "string") return imitations !== null;
  const start = url.indexOf(SLASH) + 2;
  let end = start;
  while (end < url.length && url[end] !== SLASH && url[end] !== COLON) end++;
  return imitations.quickTest()(url, start, end);
}

function hostsOf(text: string | null, readings: Parameters<typeof disguisesOf>[1]): ReadHosts {
  if (readings !== null) {
    const { specification, browser } = readings;
    return { specification: specification?.host ?? null, browser: browser?.host ?? null };
  }
  const host = /^[a-z]*:?\/*([^/?#:]*)/i.exec(text ?? "")![1]!;
  return { specification: host, browser: host };
}

/**
 * Whether an already canonical URL is certainly not disguised, because it has no Punycode and no fragment. Canonical
 * URLs contain only ASCII characters, and no user name.
 */
function isPlain(url: string | Uint8Array): boolean {
  if (typeof url === "string") return !url.includes(PUNYCODE) && !url.includes("#");
  if (url.includes(HASH)) return false;
  for (let i = url.indexOf(HYPHEN); i >= 0; i = url.indexOf(HYPHEN, i + 1)) {
    if (url[i + 1] === HYPHEN) return false;
  }
  return true;
}

/** Like {@link disguisesOf}, for the hosts of a URL. `text` is `null` if the URL is not in UTF-8. */
export function disguisesOfHosts(
  text: string | null,
  { specification, browser }: ReadHosts,
  imitations: Imitations | null = null,
): readonly DisguiseFound[] {
  const goal = browser ?? specification;
  if (goal === null || (text !== null && neverLink(text) !== null)) return NONE;
  const opens = ` It opens ${shortHost(goal)}.`;
  const found: DisguiseFound[] = [];
  if (browser !== null && specification !== null && specification !== browser) {
    const reason = `It seems to lead to ${shortHost(specification)}, but does not.`;
    found.push({ code: "other-host", resembles: specification, reason, opens });
  }
  const inner = hostAlikeIn(goal);
  if (inner !== null) {
    const { resembles, end } = inner;
    const reason = `It seems to lead to ${shortHost(resembles)}, but “${end}” is part of its host.`;
    found.push({ code: "other-host", resembles, reason, opens });
  }
  const span =
    text !== null && (text.includes("@") || isHidden(text, goal)) ? spanOf(text, goal) : null;
  const user =
    browser === null || span === null ? "" : text!.slice(span.authorityStart, span.start);
  const decoy = decoyIn(user);
  if (decoy !== null) {
    const reason = decoyText(decoy);
    found.push({ code: "user-name", resembles: decoy.name, reason, opens });
  }
  if (text !== null && isHidden(text, goal) && (specification ?? goal) === goal) {
    const written = span === null ? "" : text.slice(span.start, span.end);
    const { notation } = writtenAddress(written, goal);
    const reason = `Its host is ${goal}, an IP address written ${notation}.`;
    found.push({ code: "address", resembles: null, reason, opens: "" });
  }
  const alike = lookAlikesIn(goal);
  const site = siteImitatedBy(goal, imitations);
  if (alike !== null || site !== null) {
    const about = alike === null ? "" : `In its host, ${letterText(alike.letters[0]!)}.`;
    const reason = site === null ? about : `Did you mean ${site}?`;
    const letters = site === null || alike === null ? "" : ` ${about}`;
    const resembles = site ?? alike!.resembles;
    found.push({ code: "look-alike", resembles, reason, letters, opens });
  }
  if (text !== null && BIDI.test(text)) {
    const reason = "It has invisible characters that reorder its text.";
    found.push({ code: "bidi", resembles: null, reason, opens: "" });
  }
  return found.length === 0 ? NONE : found;
}

export function decoyText({ name, is }: Decoy): string {
  return `${shortHost(name)} is only ${is}.`;
}

/** Says which letter it is not. ASCII letters are Latin, so the script of another Latin letter says nothing. */
export function letterText({ letter, like, script }: LookAlike): string {
  const code = letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const is = script === "Latin" ? "a different letter from" : `${script}, not`;
  return `“${letter}” (U+${code}) is ${is} “${like}”`;
}

function siteImitatedBy(host: string, imitations: Imitations | null): string | null {
  const bytes = encoder.encode(host);
  // This excludes nearly all hosts in a fraction of the time.
  if (!imitations?.quickTest()(bytes, 0, bytes.length)) return null;
  return imitations.imitationOf(host)?.site ?? null;
}

/** Whether a host is an IPv4 address that is not written as four decimal numbers. */
function isHidden(text: string, host: string): boolean {
  return IPV4.test(host) && !text.includes(host);
}

function spanOf(text: string, host: string) {
  return hostSpan(text, "browser", host) ?? hostSpan(text, "specification", host);
}
