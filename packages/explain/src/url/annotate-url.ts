import { tryParseUrl } from "@x/canon";
import type { UrlExplanation } from "./explain-url.ts";
import { type HostSpan, hostSpan } from "./host-span.ts";
import { lookAlike, lookAlikesIn } from "./look-alikes.ts";

/** The role of a part of a typed URL. */
export type UrlPartRole =
  | "scheme"
  | "user"
  | "host"
  | "rules-host"
  | "decoy"
  | "look-alike"
  | "end"
  | "port"
  | "path"
  | "query"
  | "fragment"
  | "other";

/** A part of a URL as it was typed, and what it is for. */
export interface UrlPart {
  /** The part as it was typed. It may need `printable` before it is shown. */
  readonly text: string;
  readonly role: UrlPartRole;
  /** A few words for the parts that matter; otherwise `null`. They may need `printable`, too. */
  readonly label: string | null;
  /** One or two sentences. */
  readonly note: string;
}

const NOTES = {
  scheme: "How the browser connects. Lists ignore it.",
  user: "A user name. It says nothing about where the browser goes, and lists ignore it.",
  port: "The port. Lists ignore it.",
  path: "The path: what the browser asks the host for.",
  query: "The query, which the host gets with the path.",
  fragment: "The fragment. Browsers never send it, and lists ignore it.",
  other: "Neither browsers nor the rules of the lists look here for the host.",
} as const;

/** A user name that could be mistaken for a host. */
const LIKE_A_HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}/i;

/**
 * A URL as it was typed, cut into parts: where a browser goes, where the rules of the lists look for the host, what ends the host, and
 * letters that look like others. The texts of all parts together are the input. The result is empty if the host is not in the input as it stands.
 *
 * @example
 * ```ts
 * import { annotateUrl, explainUrl } from "@x/explain";
 *
 * const url = "http://evil.example\\@good.example/";
 * const explained = explainUrl(url, []);
 * if (!("error" in explained)) {
 *   annotateUrl(url, explained).map(({ text }) => text); // → ["http://", "evil.example", "\\", "@", "good.example", "/"]
 *   annotateUrl(url, explained).map(({ label }) => label); // → [null, "browser goes here", "“\\” ends the host", null, "the rules look here", null]
 * }
 * ```
 */
export function annotateUrl(input: string, explained: UrlExplanation): readonly UrlPart[] {
  const { browser, refused, opened } = explained;
  const ownHost = refused === null ? explained.host : null;
  const opens = browser === null ? explained.host : (tryParseUrl(browser.canonical)?.host ?? null);
  const goes = opened === true && opens !== null ? hostSpan(input, "browser", opens) : null;
  const rules = ownHost === null ? null : hostSpan(input, "specification", ownHost);
  const parts: UrlPart[] = [];
  const add = (end: number, role: UrlPartRole, note: string, label: string | null = null): void => {
    const start = parts.reduce((sum, { text }) => sum + text.length, 0);
    if (end > start) parts.push({ text: input.slice(start, end), role, label, note });
  };
  const addHost = (span: HostSpan, isGoal: boolean): void => {
    const host = isGoal ? opens! : ownHost!;
    const label = isGoal ? "browser goes here" : "the rules look here";
    addLetters(parts, input.slice(span.start, span.end), host, isGoal, label);
  };

  if (goes === null && rules === null) return [];
  const isOneHost = goes === null || rules === null || goes.start === rules.start;
  const [first, second] =
    isOneHost || goes.start < rules.start ? [goes ?? rules!, rules] : [rules, goes];
  add(first.authorityStart, "scheme", NOTES.scheme);
  const user = input.slice(first.authorityStart, first.start);
  const isDecoy = LIKE_A_HOST.test(user);
  add(first.start, isDecoy ? "decoy" : "user", NOTES.user, isDecoy ? "only a user name" : null);
  addHost(first, first === goes);
  add(first.authorityEnd, "port", NOTES.port);
  if (!isOneHost && second!.start >= first.endEnd) {
    const ending = input.slice(first.authorityEnd, first.endEnd);
    add(first.endEnd, "end", endNote(ending, first === goes), `“${ending}” ends the host`);
    add(second!.start, "other", NOTES.other);
    addHost(second!, second === goes);
    add(second!.authorityEnd, "port", NOTES.port);
  }
  const at = parts.reduce((sum, { text }) => sum + text.length, 0);
  const fragment = indexOrEnd(input, "#", at);
  const query = Math.min(indexOrEnd(input, "?", at), fragment);
  add(query, "path", NOTES.path);
  add(fragment, "query", NOTES.query);
  add(input.length, "fragment", NOTES.fragment);
  return parts;
}

function endNote(ending: string, isBrowsers: boolean): string {
  if (!isBrowsers)
    return `The rules decode ${ending} before they look for the host, so the host ends here. Browsers do not.`;
  if (ending === "\\")
    return "Browsers treat a backslash as a slash, so the host ends here. The rules do not.";
  return "For browsers, the host ends here. For the rules, it does not.";
}

/** Adds a host, with its look-alike letters as parts of their own. */
function addLetters(
  parts: UrlPart[],
  text: string,
  host: string,
  isGoal: boolean,
  label: string,
): void {
  // No host that DNS has is longer.
  const alike = text.length > LONGEST_NAME ? null : lookAlikesIn(host);
  const note = isGoal
    ? `The host. The browser connects to ${shownHost(host)}.`
    : `The host, by the rules of the lists: ${shownHost(host)}.`;
  const role = isGoal ? "host" : "rules-host";
  let plain = "";
  let isFirst = true;
  const flush = (): void => {
    if (plain !== "") parts.push({ text: plain, role, label: isFirst ? label : null, note });
    if (plain !== "") isFirst = false;
    plain = "";
  };
  for (const character of text) {
    const found = alike === null || character <= "\x7f" ? null : lookAlike(character);
    if (found === null) {
      plain += character;
      continue;
    }
    flush();
    parts.push({
      text: character,
      role: "look-alike",
      label: `${found.script} letter, not “${found.like}”`,
      note: `${nameOf(character)} is a letter of the ${found.script} script that looks like “${found.like}” of the Latin script. The browser connects to ${shownHost(host)}.`,
    });
  }
  flush();
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

const LONGEST_NAME = 253;
const LONGEST_HOST = 60;

/** A host, without the start of a long one: its end says whose it is. */
export function shownHost(host: string): string {
  return host.length <= LONGEST_HOST ? host : `…${host.slice(-LONGEST_HOST)}`;
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? text.length : index;
}
