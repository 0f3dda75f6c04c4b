import { tryParseUrl } from "@x/canon";
import { counted, listInWords, theseLists } from "../counted.ts";
import type { Refusal } from "../input.ts";
import { annotateUrl } from "./annotate-url.ts";
import { type DisguiseFound, disguisesOfHosts } from "./disguises.ts";
import type { UrlExplanation } from "./explain-url.ts";
import {
  goalOf,
  hostInSentence,
  hostRemark,
  isPartOfName,
  isShortLink,
  localPlace,
  previewAdvice,
  type SiteOptions,
  shortHost,
  unicodeHost,
  unseenSite,
} from "./hosts.ts";
import {
  domainOfAddress,
  linkToNoSite,
  neverLink,
  type OtherText,
  otherText,
  PASTE,
  UNEXPECTED,
} from "./non-links.ts";
import { hasFullHash, type MatchRecord } from "./records.ts";
import {
  APP_LINK,
  isCertainByLength,
  isProbable,
  oddsText,
  UNDECIDED_HOST,
  verdictText,
} from "./verdict-wording.ts";
import { writtenAddress } from "./written-address.ts";

export type SummaryVerdict = "listed" | "not-listed" | "cannot-tell" | "not-a-url";

/**
 * The kind of a text:
 *
 * - `"url"`: a URL, or a text that may be one, although its host cannot be decided or cannot exist.
 * - `"defanged"`: a text that stands for a URL, but opens nothing as it stands.
 * - `"urn"` and `"hashed-uri"`: a URN or a hashed URI.
 * - `"app-link"`: a URL that only phones with Android open, in an app or in the browser.
 * - `"harmful"`: a link that leads to no site, and that nobody should open.
 * - `"no-link"`: another text that is known not to be a link to a site, such as a number.
 * - `"unknown"`: a text that is not a URL, for a reason that only the specification gives.
 */
export type TextKind =
  | "url"
  | "defanged"
  | "urn"
  | "hashed-uri"
  | "app-link"
  | "harmful"
  | "no-link"
  | "unknown";

export interface UrlSummary {
  readonly textKind: TextKind;
  readonly verdict: SummaryVerdict;
  /**
   * The verdict as a label, which is "Probably listed" if a match may be a coincidence, and "Disguised" if a URL that
   * is not listed is built to mislead people.
   */
  readonly badge: string;
  /** A few short sentences that say where a browser goes and which host or kind of text the input looks like. */
  readonly sentence: string;
  /** Sentences with advice and with the evidence for the verdict. Each may need `printable` before it is shown. */
  readonly facts: readonly string[];
  /** What the verdict leaves open about a link whose site is certain, in one sentence; `null` for most other texts. */
  readonly caveat: string | null;
  readonly host: string | null;
  /**
   * Whether the text seems to lead to one place, but leads to another. Such a text is typical of phishing, so no
   * verdict makes it harmless.
   */
  readonly isDisguised: boolean;
}

/** The options of `urlSummary`: facts about a text besides its explanation. */
export interface UrlSummaryOptions extends SiteOptions {
  /** Sentences that say why lists are missing or out of date. If there are any, an unlisted URL is `"cannot-tell"`. */
  readonly doubts?: readonly string[] | undefined;
  /** The kind of text that the input looks like instead of a URL, in words, such as `"a line of a hosts file"`. */
  readonly looksLike?: string | null | undefined;
  /** The URL that a defanged text stands for. */
  readonly meant?: string | null | undefined;
  /** The explanation of the URL in `meant`. */
  readonly restored?: UrlExplanation | Refusal | null | undefined;
  /** Whether URLs inside this one may not have been looked up. If so, an unlisted URL is `"cannot-tell"`. */
  readonly hasUnseen?: boolean | undefined;
}

const CANNOT_TELL = { verdict: "cannot-tell", badge: "Cannot tell" } as const;
const NOT_A_URL = { verdict: "not-a-url", badge: "Not a URL" } as const;
const NOT_A_WEB_LINK = { verdict: "not-a-url", badge: "Not a web link" } as const;
const NOTHING = { host: null, isDisguised: false, caveat: null } as const;

/** The advice on a link that is built to mislead people. */
export const DISGUISED = "Do not open it: such a disguise is typical of phishing.";
const NO_PROOF = `This does not prove that it is safe. ${UNEXPECTED}`;
const REDIRECTS = "Redirects are not followed: the link may lead elsewhere.";
const LOCAL = "Lists do not know it. Open it only if you expected it.";
const NO_LIST = " There is no list to check it against.";
const UNSEEN = "It may have links inside that were not looked at.";

const URN = /^\s*urn:[a-z0-9][a-z0-9-]{0,31}:/i;
const HASHED_URI = /^\s*hashed:/i;

/**
 * Sums up in a few words the verdict on a text that should be a URL. The most important words come first.
 *
 * @param input the text that was explained.
 */
export function urlSummary(
  input: string,
  explained: UrlExplanation | Refusal,
  options: UrlSummaryOptions = {},
): UrlSummary {
  if ("error" in explained) return refusedSummary(input, explained, options);
  const goal = goalOf(explained);
  const isListed = explained.listed === true;
  const hosts = {
    specification: explained.refused === null ? explained.host : null,
    browser: explained.opened === true ? goal.host : null,
  };
  const disguises = disguisesOfHosts(input, hosts, options.imitations);
  const isDisguised = disguises.length > 0;
  const imitating = disguises.find(imitates) ?? null;
  const isEmail = domainOfAddress(input) !== null && imitating?.code !== "user-name";
  if (!isListed) {
    const name = goal.hostType === "domain" ? goal.host : null;
    const other = isDisguised ? null : otherText(input, name);
    if (other !== null) return summaryOfOther(other);
    if (isEmail && isDisguised) return summaryOfAddress(disguises, imitating);
  }
  const verdict = summaryVerdict(explained, options);
  const remark = hostRemark(goal, options);
  const about = {
    input,
    explained,
    options,
    goal,
    verdict,
    remark,
    disguises,
    imitating,
    isEmail,
  };
  return {
    textKind: APP_LINK.test(input) ? "app-link" : "url",
    verdict,
    badge: badgeOf(about),
    sentence: sentenceOf(about),
    facts: [...factsOf(about), ...(options.doubts ?? [])],
    caveat: caveatOf(about),
    host: isListed ? listedHost(explained, goal.host) : goal.host,
    isDisguised,
  };
}

/** A disguise that makes a URL look as if it led to a certain host. */
type Imitating = DisguiseFound & { readonly resembles: string };

function imitates(disguise: DisguiseFound): disguise is Imitating {
  return disguise.resembles !== null;
}

/** Everything that decides how a URL is summed up. */
interface AboutUrl {
  readonly input: string;
  readonly explained: UrlExplanation;
  readonly options: UrlSummaryOptions;
  readonly goal: ReturnType<typeof goalOf>;
  readonly verdict: SummaryVerdict;
  readonly remark: ReturnType<typeof hostRemark>;
  readonly disguises: readonly DisguiseFound[];
  readonly imitating: Imitating | null;
  /** Whether the text is an email address, which browsers read as a URL. */
  readonly isEmail: boolean;
}

function summaryVerdict(
  explained: UrlExplanation,
  { doubts = [], hasUnseen = false }: UrlSummaryOptions,
): SummaryVerdict {
  const { listed } = explained;
  if (listed === true) return "listed";
  const isSure = listed === false && doubts.length === 0 && !hasUnseen;
  return isSure && verdictText(explained).isCertain && unseenSite(explained) === null
    ? "not-listed"
    : "cannot-tell";
}

function badgeOf({ explained, verdict, disguises }: AboutUrl): string {
  if (verdict === "listed") return verdictText(explained).title;
  if (verdict === "cannot-tell") return CANNOT_TELL.badge;
  return disguises.length > 0 ? "Disguised" : `Not on ${theseLists(explained.lists)}`;
}

function sentenceOf(about: AboutUrl): string {
  const { explained, options, goal, verdict, isEmail } = about;
  if (isEmail && verdict === "listed")
    return `This is an email address at ${shortHost(goal.host)}.`;
  const seeming = explained.opened === true ? seemingSite(about) : null;
  const sentence = seeming ?? plainSentence(about);
  return options.hasUnseen === true && verdict === "cannot-tell"
    ? `${sentence} ${UNSEEN}`
    : sentence;
}

/** Says which other site the host looks like, or begins like; `null` if it does neither. */
function seemingSite({ options, goal, imitating, remark }: AboutUrl): string | null {
  if (imitating === null) return remark?.code === "leading-name" ? remark.message : null;
  const isNot = imitating.code === "look-alike" ? ", but is not" : "";
  return `Looks like ${resembledHost(imitating)}${isNot}. Opens ${hostInSentence(goal.host, options)}.`;
}

function factsOf(about: AboutUrl): readonly string[] {
  const { explained, disguises, isEmail } = about;
  if (explained.listed === true) {
    return [isEmail ? "Do not answer it." : "Do not open it.", ...listedFacts(explained)];
  }
  const advice = disguises.length > 0 ? [DISGUISED, ...reasonsOf(disguises)] : [];
  if (explained.listed === false) return [...advice, ...unlistedFacts(about)];
  return [...(advice.length > 0 ? advice : [UNEXPECTED]), "No list is loaded."];
}

function caveatOf({ explained, goal, disguises }: AboutUrl): string | null {
  const { listed, opened } = explained;
  const mayLeadOn = listed === false && opened === true && disguises.length === 0;
  return mayLeadOn && !isShortLink(goal) && localPlace(goal.host) === null ? REDIRECTS : null;
}

function unlistedFacts({ explained, goal, verdict, remark, disguises }: AboutUrl): string[] {
  const { lists, opened } = explained;
  const isDisguised = disguises.length > 0;
  const isNotListed = verdict === "not-listed";
  const isOpened = opened === true;
  const isShort = isOpened && isShortLink(goal);
  const isLocal = isOpened && localPlace(goal.host) !== null;
  const facts: string[] = [];
  if (isShort) {
    const where = previewAdvice(goal.host) ?? `Only ${goal.host} knows where it leads.`;
    facts.push(isDisguised ? where : `${where} ${UNEXPECTED}`);
  } else if (!isNotListed) facts.push("Not listed, but not for certain.");
  else if (!isDisguised) facts.push(isLocal ? LOCAL : NO_PROOF);
  if (remark?.code === "shared") facts.push(remark.message);
  if (isOpened && !isDisguised && !isLocal && goal.hostType !== "domain")
    facts.push("Real firms rarely link to a bare IP address.");
  const where = isDisguised && isNotListed ? "The link is not on" : "Looked up in";
  facts.push(`${where} ${listsOfDay(lists)}.`);
  for (const { name, size } of lists) if (size === 0) facts.push(`${name} has no entries.`);
  return facts;
}

const NAMED: ReadonlySet<DisguiseFound["code"]> = new Set(["address", "user-name"]);

/**
 * The reasons why a URL is disguised, except for those that the sentence of the summary or the labels of `annotateUrl`
 * name.
 */
function reasonsOf(disguises: readonly DisguiseFound[]): string[] {
  return disguises.filter(({ code }) => !NAMED.has(code)).map(({ reason }) => reason);
}

function summaryOfOther({ sentence, facts, harm }: OtherText): UrlSummary {
  const textKind = harm === undefined ? "no-link" : "harmful";
  const badge = harm ?? NOT_A_WEB_LINK.badge;
  return { ...NOTHING, ...NOT_A_WEB_LINK, badge, textKind, sentence, facts };
}

/** The summary of an email address whose domain is built to mislead people. */
function summaryOfAddress(
  disguises: readonly DisguiseFound[],
  imitating: Imitating | null,
): UrlSummary {
  const sentence =
    imitating === null
      ? "This is an email address whose domain is disguised."
      : `Looks like an address at ${resembledHost(imitating)}, but is not.`;
  const advice = "Do not answer it: such a disguise is typical of phishing.";
  const facts = [advice, ...reasonsOf(disguises)];
  const about = { textKind: "harmful", badge: "Disguised", sentence, facts } as const;
  return { ...NOTHING, ...NOT_A_WEB_LINK, ...about, isDisguised: true };
}

function resembledHost({ resembles }: Imitating): string {
  return shortHost(resembles.replace(/^www\.(?=[^.]+\.)/, ""));
}

/** The host of the first matching entry for `goal` or a host above it; if there is none, `goal`. */
function listedHost({ matches }: UrlExplanation, goal: string): string {
  for (const { expression } of matches) {
    const host = expression.slice(0, expression.indexOf("/"));
    if (goal === host || goal.endsWith(`.${host}`)) return host;
  }
  return goal;
}

function plainSentence({
  input,
  explained,
  options,
  goal: { host: goal },
  verdict,
  disguises,
}: AboutUrl): string {
  const { opened, matches, listed, hostType } = explained;
  const isNamed = opened === true;
  const isUnopened = opened === false && !APP_LINK.test(input);
  const end = isUnopened ? " Browsers do not open this link." : "";
  const verb = isNamed ? "Opens" : "Contains";
  const is =
    verdict === "cannot-tell"
      ? "may be listed"
      : `is ${isProbable(explained) ? "probably " : ""}listed`;
  if (disguises.some(({ code }) => code === "address")) {
    const parts = annotateUrl(input, explained);
    const typed = parts.find(({ role }) => role === "host" || role === "rules-host")?.text ?? "";
    const { notation } = writtenAddress(typed, goal);
    const start = `${verb} ${goal}, an IP address written ${notation}.`;
    if (listed === null) return start + NO_LIST + end;
    return `${start}${verdict === "not-listed" ? "" : ` It ${is}.`}${end}`;
  }
  const isAddress = hostType !== "domain" && goal === explained.host;
  const letters = listed === true || disguises.length > 0 ? null : unicodeHost(goal);
  const short = hostInSentence(goal, options);
  const name = letters === null ? short : `${short} (${shortHost(letters)})`;
  const start = `${verb} ${isAddress ? "the IP address " : ""}${name}`;
  if (listed === null) return `${start}.${NO_LIST}${end}`;
  if (isNamed && listed === false && isShortLink(goalOf(explained))) {
    return `${start}, a link shortener. The site that it leads to was not checked.`;
  }
  if (isNamed && listed === false && isPartOfName(goal)) {
    return `${start}, which is no whole name. Was the link cut off?`;
  }
  if (verdict === "cannot-tell") {
    // The URL itself is not listed, but a URL inside it may be.
    return options.hasUnseen === true ? `${start}.${end}` : `${start}, which ${is}.${end}`;
  }
  const place = isNamed ? localPlace(goal) : null;
  if (place !== null && verdict === "not-listed") return `${start}: ${place}.`;
  // The badge says that it is on no list.
  if (verdict === "not-listed") return `${start}.${end}`;
  const isOnlyRules = isNamed && matches.every(({ reading }) => reading === "specification");
  if (isOnlyRules) return `${start}. Safe Browsing’s rules read another URL, which ${is}.${end}`;
  // The badge says that the site is listed.
  return matches.some(listsWholeHost) ? `${start}.${end}` : `${start}. This page ${is}.${end}`;
}

function listsWholeHost({ expression }: MatchRecord): boolean {
  return expression.indexOf("/") === expression.length - 1;
}

function listedFacts(explained: UrlExplanation): string[] {
  const { matches, chanceOfFalseMatch } = explained;
  const entries = [...new Set(matches.map(({ expression }) => expression))];
  const more = entries.length - 1;
  const are = more === 0 ? "is" : `and ${counted(more, "more entry", "more entries")} are`;
  const lists = matches.map(({ list, created }) => ({ name: list, created }));
  const entry = `${entries[0]!} ${are} on ${listsOfDay(lists)}.`;
  if (matches.some(hasFullHash)) return [entry, "Its full hash is on the list."];
  if (isCertainByLength(explained))
    return [entry, "Its hash prefix is too long to match by chance."];
  // Odds that are too small for “probably” are only in `verdictText`.
  if (!isProbable(explained)) return [entry];
  const odds = oddsText(chanceOfFalseMatch ?? 0);
  return [entry, `${odds.charAt(0).toUpperCase()}${odds.slice(1)}.`];
}

/** The names of lists and the days on which they were made, if these are known. */
function listsOfDay(lists: readonly { readonly name: string; readonly created: string }[]): string {
  const names = new Set(lists.map(({ name }) => name));
  const days = new Set(lists.map(({ created }) => dayOf(created)));
  if (days.size > 1) {
    return listInWords(
      new Set(lists.map(({ name, created }) => `${name} (${dayOf(created) ?? "of unknown age"})`)),
    );
  }
  const [day] = days;
  const named = listInWords(names);
  return day == null ? named : `${named}, ${names.size > 1 ? "lists" : "a list"} of ${day}`;
}

function dayOf(created: string): string | null {
  const day = created.slice(0, 10);
  return day === "1970-01-01" ? null : day;
}

/**
 * The sentence about a restored URL. Without a host, the sentence is not about a URL that opens, so it stays as it is.
 */
function restoredSentence({ sentence, host }: UrlSummary): string {
  if (host === null) return sentence;
  return `Restored, it ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function refusedSummary(input: string, refusal: Refusal, options: UrlSummaryOptions): UrlSummary {
  const { error } = refusal;
  const { looksLike = null, meant = null } = options;
  if (error.code === "host-undecided") {
    const facts = [UNDECIDED_HOST.advice, UNDECIDED_HOST.reason];
    const sentence = "No verdict on this host.";
    return { ...NOTHING, ...CANNOT_TELL, textKind: "url", sentence, facts };
  }
  if (meant !== null) return defangedSummary(input, meant, options);
  if (HASHED_URI.test(input)) {
    const sentence = "This is a hashed URI, not a link.";
    return { ...NOTHING, ...NOT_A_WEB_LINK, textKind: "hashed-uri", sentence, facts: [] };
  }
  const host = tryParseUrl(domainOfAddress(input) ?? "")?.host ?? null;
  const disguises = disguisesOfHosts(
    null,
    { specification: host, browser: host },
    options.imitations,
  );
  if (disguises.length > 0) return summaryOfAddress(disguises, disguises.find(imitates) ?? null);
  const other =
    looksLike === null ? otherText(input, null) : (neverLink(input) ?? linkToNoSite(input, null));
  if (other !== null) return summaryOfOther(other);
  const nothing = { ...NOTHING, ...NOT_A_URL };
  if (URN.test(input)) {
    const sentence = "This is a URN: a name, not an address.";
    return { ...nothing, textKind: "urn", sentence, facts: ["Browsers do not open it."] };
  }
  const sentence = "This is not a URL.";
  if (error.code === "host-invalid") {
    const { detail } = verdictText(refusal);
    return { ...nothing, textKind: "url", sentence, facts: [detail, PASTE] };
  }
  const facts =
    looksLike === null
      ? [PASTE, `Expected ${error.expected}.`]
      : [`It looks like ${looksLike}.`, PASTE];
  return { ...nothing, textKind: "unknown", sentence, facts };
}

/** Sums up a text that stands for the URL `meant`. It has no verdict of its own. */
function defangedSummary(input: string, meant: string, options: UrlSummaryOptions): UrlSummary {
  const { restored = null, looksLike, ...about } = options;
  const summary = restored === null ? null : urlSummary(meant, restored, { ...about, meant: null });
  const host = summary === null ? (tryParseUrl(meant)?.host ?? null) : summary.host;
  const means =
    summary === null
      ? `Means ${shortHost(host ?? meant)}. Not checked yet.`
      : restoredSentence(summary);
  const start = input.replace(/\s+/g, "") === meant ? "Written with spaces." : "Defanged.";
  const facts = ["As it stands, this text opens nothing.", ...(summary?.facts ?? [])];
  const sentence = `${start} ${means}`;
  const own = { ...NOTHING, ...CANNOT_TELL, textKind: "defanged", sentence, facts, host } as const;
  return { ...own, caveat: summary?.caveat ?? null };
}
