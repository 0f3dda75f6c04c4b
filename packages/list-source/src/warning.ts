import type { Expression } from "@x/expressions";
import { quoted, shorten } from "./text.ts";

/** The meaning of each warning, in words that follow the entry. */
const WARNINGS = {
  "public-suffix": "covers a public suffix, and so the sites of many owners",
  "covers-nothing-below": "is too deep to cover anything below it",
  "user-dropped": "covers the site for every user",
  "port-dropped": "covers the site on every port",
  "fragment-dropped": "covers the page with every fragment",
  "fragment-of-site": "covers the whole site, because entries have no fragment",
  "path-collapsed": 'is shorter than the URL in the source, because ".." removes a folder',
  "url-cut": "was probably cut short",
  "top-level-domain-unknown":
    "has no known top-level domain: the host may be misspelt or cut short",
  "local-address": "is on each reader's own machine or network, such as a router",
  "rule-narrowed": "covers only this path, not every URL that starts with it",
  "copied-character": "ends in a character that was probably copied by mistake",
  "invalid-idn": "has an invalid xn-- label, so only Chromium opens it",
  "other-hash": "is as long as an MD5 or SHA-1 hash: if it is one, it matches nothing",
  "header-skipped": "is no entry, but the header of the list",
  "line-end-missing":
    "is on the last line, which has no line end: the file may have been cut short",
} as const;

/** The codes of warnings. The README explains each code. */
export type WarningCode = keyof typeof WARNINGS;

/** A warning about something in a source that its publisher may not have intended. */
export interface Warning {
  /** The line, from 1. */
  readonly line: number;
  readonly code: WarningCode;
  /** The text in the source, printable and shortened; `null` when the source contains hashes. */
  readonly text: string | null;
  /** The entry; `null` when the source contains hashes, and for the header of a list. */
  readonly expression: Expression | null;
  /** The warning in words: `"evil.example/ covers the site on every port"`. */
  readonly message: string;
}

/** Warnings that say little without the text of the entry. */
const QUOTING: ReadonlySet<WarningCode> = new Set([
  "fragment-of-site",
  "path-collapsed",
  "url-cut",
]);

export function warning(
  code: WarningCode,
  { line, text, expression }: Pick<Warning, "line" | "text" | "expression">,
): Warning {
  const quote = QUOTING.has(code) ? `: ${quoted(text!)}` : "";
  const subject = expression ?? (text === null ? "the hash" : quoted(text));
  const message = `${subject} ${WARNINGS[code]}${quote}`;
  return { line, code, text: text && shorten(text), expression, message };
}
