import { tryParseUrl } from "@x/canon";
import { ownOptions } from "@x/canon/own-options";
import { readUrl } from "@x/canon/readings";
import { lookAlikesIn } from "@x/links/look-alikes";
import { decoyIn, decoyText, letterText } from "./disguises.ts";
import type { UrlExplanation } from "./explain-url.ts";
import {
  isShortLink,
  localPlace,
  type SiteOptions,
  sharedPlace,
  shortHost,
  siteOf,
} from "./hosts.ts";
import { type ImitatingPiece, imitatingPiece } from "./imitating-piece.ts";
import { type HostSpan, hostSpan, writtenAddress } from "./written-address.ts";

/** The role of a part of a typed URL. */
export type UrlPartRole =
  | "scheme"
  | "user"
  | "host"
  | "rules-host"
  | "decoy"
  | "end"
  | "port"
  | "path"
  | "query"
  | "fragment"
  | "other";

/** A part of a URL as it was typed and its role. */
export interface UrlPart {
  /** The part as it was typed. Like the label, it may need `printable` before it is shown. */
  readonly text: string;
  readonly role: UrlPartRole;
  /** A few words about an important part; `null` for other parts. */
  readonly label: string | null;
  /** The meaning of a part with a label, in one or more sentences; `null` for other parts. */
  readonly note: string | null;
  /** The letters of the part that look like ASCII characters, in lower case. */
  readonly lookAlikes: readonly string[];
  /**
   * The index at which the registrable domain starts in the host that a browser opens; 0 if it is unknown, and for
   * other parts.
   */
  readonly domainStart: number;
  /** The piece of the host that makes it look like a well-known site; `null` if there is none. */
  readonly imitating: ImitatingPiece | null;
  /** How the part makes the URL look like another, in one sentence; `null` if it does not. */
  readonly disguise: string | null;
}

const USER = "A user name. It says nothing about where the browser goes, and lists ignore it.";
const SECRET = "A user name and a password: show this link to nobody.";

/** The words explain the rules, because most people do not know them. */
const RULES = "Safe Browsing’s rules, which blocklists follow,";
const BOTH = "Both hosts are checked.";

/**
 * A URL as it was typed, split into parts. The parts show where a browser goes, where the rules of Safe Browsing look
 * for the host, which character ends the host, and which letters look like others. The joined texts of all parts are
 * the input. The result is empty if no part of the input can be read as the host.
 */
export function annotateUrl(
  input: string,
  explained: UrlExplanation,
  options: SiteOptions = {},
): readonly UrlPart[] {
  const { browser, refused, opened } = explained;
  const ownHost = refused === null ? explained.host : null;
  const sites = ownOptions(options);
  const goal = browser === null ? explained : tryParseUrl(browser.canonical);
  const opens = goal?.host ?? null;
  const goes = opened === true && opens !== null ? hostSpan(input, "browser", opens) : null;
  const rules = ownHost === null ? null : hostSpan(input, "specification", ownHost);
  const parts: UrlPart[] = [];
  const add = (
    end: number,
    role: UrlPartRole,
    note: string | null = null,
    label: string | null = null,
    { lookAlikes = [], domainStart = 0, imitating = null, disguise = null }: Partial<UrlPart> = {},
  ): void => {
    const start = parts.reduce((sum, { text }) => sum + text.length, 0);
    const text = input.slice(start, end);
    if (end > start)
      parts.push({ text, role, label, note, lookAlikes, domainStart, imitating, disguise });
  };
  const addHost = (span: HostSpan, isGoal: boolean): void => {
    if (!isGoal) add(span.end, "rules-host", ...rulesHost(ownHost!));
    else add(span.end, "host", ...goalHost(goal!, input.slice(span.start, span.end), sites));
  };

  if (goes === null && rules === null) return [];
  const isOneHost = goes === null || rules === null || goes.start === rules.start;
  const [first, second] =
    isOneHost || goes.start < rules.start ? [goes ?? rules!, rules] : [rules, goes];
  add(first.authorityStart, "scheme");
  const user = input.slice(first.authorityStart, first.start);
  const decoy = decoyIn(user);
  const isSecret = decoy === null && /:./.test(user.slice(0, -1));
  if (decoy !== null) {
    const disguise = `Disguised: ${decoyText(decoy)}`;
    add(first.start, "decoy", USER, `only ${decoy.is}`, { disguise });
  } else if (isSecret) add(first.start, "user", SECRET, "a user name and a password");
  else add(first.start, "user");
  addHost(first, first === goes);
  add(first.authorityEnd, "port");
  if (!isOneHost && second!.start >= first.endEnd) {
    const ending = input.slice(first.authorityEnd, first.endEnd);
    add(first.endEnd, "end", endNote(ending, first === goes), `“${ending}” ends the host`);
    add(second!.start, "other");
    addHost(second!, second === goes);
    add(second!.authorityEnd, "port");
  }
  const at = parts.reduce((sum, { text }) => sum + text.length, 0);
  const fragment = indexOrEnd(input, "#", at);
  const query = Math.min(indexOrEnd(input, "?", at), fragment);
  add(query, "path");
  add(fragment, "query");
  add(input.length, "fragment");
  return parts;
}

/** Where the domain that shows whose site a browser opens is in a typed URL; `null` if that is not certain. */
export function domainSpan(
  input: string,
  options: SiteOptions,
): { readonly start: number; readonly end: number } | null {
  const host = readUrl(input).browser?.host;
  const span = host === undefined ? null : hostSpan(input, "browser", host);
  if (span === null) return null;
  const { start, end } = span;
  const domain = siteOf(host!, options);
  const before = domain === null ? 0 : domainStartIn(input.slice(start, end), domain);
  return { start: start + before, end };
}

type AboutHost = readonly [note: string | null, label: string, more: Partial<UrlPart>];

function rulesHost(host: string): AboutHost {
  const note = `${RULES} find the host here: ${shortHost(host)}.`;
  return withLookAlikes(host, note, "not where it goes");
}

function goalHost(goal: Goal, text: string, options: SiteOptions): AboutHost {
  const { host } = goal;
  const domain = siteOf(host, options);
  const start = domain === null || domain === host ? 0 : domainStartIn(text, domain);
  const note = goalNote(goal, domain, text, options);
  const [, label, more] = withLookAlikes(host, note, "browser goes here");
  const isByLetters = more.lookAlikes!.length > 0;
  const imitation = isByLetters ? null : (options.imitations?.imitationOf(host) ?? null);
  const piece = imitation && imitatingPiece(host, domain ?? host, imitation);
  // Where the host was typed in another way, the place of the piece is not known.
  const imitating = text.toLowerCase().startsWith(host) ? piece : null;
  const disguise = piece?.note ?? more.disguise!;
  return [note, label, { ...more, domainStart: start, imitating, disguise }];
}

type Goal = Pick<UrlExplanation, "host" | "hostType" | "path">;

function withLookAlikes(host: string, note: string | null, label: string): AboutHost {
  const letters = lookAlikesIn(host)?.letters ?? [];
  const texts = letters.slice(0, MOST_LETTERS).map(letterText);
  const disguise = texts.length === 0 ? null : `Disguised: ${texts.join("; ")}.`;
  const lookAlikes = letters.map(({ letter }) => letter);
  const marked = letters.length > 1 ? [`${letters.length} letters only look like a to z`] : texts;
  return [note, [label, ...marked].join("; "), { lookAlikes, disguise }];
}

/** A dot of a host, as browsers read it. */
const DOT = /[.\u3002\uff0e\uff61]|%(?:25)*2e/gi;

/**
 * The index at which a domain starts in a host as it was typed; 0 unless the rest of the host is read as that domain.
 */
function domainStartIn(text: string, domain: string): number {
  const starts = [...text.matchAll(DOT)].map((dot) => dot.index + dot[0].length);
  const labels = domain.split(".").length;
  // A dot may follow the host.
  const start = starts
    .slice(-labels - 1)
    .find((index) => readUrl(`http://${text.slice(index)}`).browser?.host === domain);
  return start ?? 0;
}

/** Says where a browser goes and how to see whose site that is; `null` if the host is that site. */
function goalNote(
  goal: Goal,
  domain: string | null,
  text: string,
  options: SiteOptions,
): string | null {
  const { host, hostType } = goal;
  const start = `The browser connects to ${shortHost(host)}`;
  const place = localPlace(host);
  const sum = hostType === "ipv4" ? writtenAddress(text, host).sum : null;
  const because = sum === null ? "" : `: ${sum}`;
  if (place !== null) return `${start}${because}. It is ${place}.`;
  if (hostType !== "domain")
    return `${start}${because}. An IP address does not say whose site it is.`;
  if (isShortLink(goal)) return `${start}, a link shortener, which sends it on to another site.`;
  const shared = sharedPlace(host, options);
  if (shared === host) return `${start}. Anyone can publish there.`;
  if (shared !== null)
    return `${start}, at ${shortHost(shared)}. Anyone can publish there, with any name before it.`;
  if (domain === host) return null;
  const end = domain === null ? "" : `: ${shortHost(domain)}`;
  const counts = `What counts is the end of the name${end}. Anything can stand before it.`;
  return text.toLowerCase() === host ? counts : `${start}. ${counts}`;
}

function endNote(ending: string, isBrowsers: boolean): string {
  if (!isBrowsers)
    return `${RULES} decode ${ending} before they look for the host, so the host ends here. Browsers do not. ${BOTH}`;
  if (ending === "\\")
    return `Browsers treat a backslash as a slash, so the host ends here. ${RULES} do not. ${BOTH}`;
  return `For browsers, the host ends here. ${RULES} read on. ${BOTH}`;
}

/** The maximum number of look-alike letters of a host that are named. */
const MOST_LETTERS = 3;

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? text.length : index;
}
