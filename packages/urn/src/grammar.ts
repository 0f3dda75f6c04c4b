import {
  CASE_BIT,
  COLON,
  EQUALS,
  HYPHEN,
  LETTER_N,
  LETTER_R,
  LETTER_U,
  NUMBER_SIGN,
  PERCENT,
  PLUS,
  QUESTION_MARK,
  SLASH,
} from "./ascii.ts";
import {
  codeUnitAt,
  endOfClass,
  endOfEscaped,
  isClass,
  LET_NUM_HYP,
  PCHAR_SLASH,
  PCHAR_SLASH_QUESTION,
  TRANS,
} from "./character-classes.ts";
import type { UrnSyntax } from "./syntax.ts";

const SCHEME_LENGTH = "urn:".length;
export const MAX_NID_LENGTH = 32;
export const MIN_NID_LENGTH_8141 = 2;

/** Where the parts of a URN lie in the text that holds it. */
export interface Reading {
  nidStart: number;
  /** -1 when there is no NID with a colon after it. */
  nidEnd: number;
  nssStart: number;
  /** -1 when there is no NSS. */
  nssEnd: number;
  /** Start and end of the components, without their introducers; the start is -1 when there is none. */
  rStart: number;
  rEnd: number;
  qStart: number;
  qEnd: number;
  fStart: number;
  /** The end of the longest URN at the place, or -1 when none starts there. */
  end: number;
  /** Where the text stops being the start of a URN, and in which part; `stopProblem` says why. */
  stop: number;
  stopPart: "scheme" | "nid" | "nss" | "r-component" | "q-component" | "f-component";
}

/**
 * The one reading there is: each call fills it anew, so that reading allocates nothing. What is needed
 * after the next call is copied from it.
 */
const reading: Reading = {
  nidStart: 0,
  nidEnd: 0,
  nssStart: 0,
  nssEnd: 0,
  rStart: 0,
  rEnd: 0,
  qStart: 0,
  qEnd: 0,
  fStart: 0,
  end: 0,
  stop: 0,
  stopPart: "scheme",
};

/**
 * Reads the longest URN that starts at `start`, in one pass. A text is a URN when the reading that starts
 * at 0 ends with it. The result is overwritten by the next call.
 */
export function readUrn(text: string, start: number, syntax: UrnSyntax): Readonly<Reading> {
  const nidStart = start + SCHEME_LENGTH;
  startReading(nidStart);
  if (!startsScheme(text, start)) return stopAt(start, "scheme");
  const nidEnd = endOfNid(text, nidStart, syntax);
  if (nidEnd === -1) return stopAt(nidStart, "nid");
  reading.nidEnd = nidEnd;
  readNssAt(text, nidEnd + 1, syntax);
  if (syntax === "rfc8141" && reading.end !== -1 && reading.stop < text.length)
    readComponents(text);
  return reading;
}

/** Reads the longest NSS at the start of a text that holds nothing else; overwritten like `readUrn`'s. */
export function readNss(text: string, syntax: UrnSyntax): Readonly<Reading> {
  startReading(0);
  readNssAt(text, 0, syntax);
  return reading;
}

function startReading(nidStart: number): void {
  reading.nidStart = nidStart;
  reading.nidEnd = -1;
  reading.nssEnd = -1;
  reading.rStart = -1;
  reading.qStart = -1;
  reading.fStart = -1;
  reading.end = -1;
}

function stopAt(index: number, part: Reading["stopPart"]): Reading {
  reading.stop = index;
  reading.stopPart = part;
  return reading;
}

/** Whether `urn:` stands at `at`, with the letters in any case. */
export function startsScheme(text: string, at: number): boolean {
  // Reading past a string's end is slow, for good, wherever it happened once.
  return (
    at + SCHEME_LENGTH <= text.length &&
    codeUnitAt(text, at + 3) === COLON &&
    (codeUnitAt(text, at) | CASE_BIT) === LETTER_U &&
    (codeUnitAt(text, at + 1) | CASE_BIT) === LETTER_R &&
    (codeUnitAt(text, at + 2) | CASE_BIT) === LETTER_N
  );
}

/** Whether a UTF-16 code unit can stand anywhere in a URN; where one cannot, every URN has ended. */
export function isUrnCharacter(unit: number, syntax: UrnSyntax): boolean {
  if (unit === PERCENT || unit === NUMBER_SIGN) return true;
  return isClass(unit, syntax === "rfc2141" ? TRANS : PCHAR_SLASH_QUESTION);
}

/** The end of the characters that a NID may consist of, one more than it may have at the most. */
export function endOfNidCharacters(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_NID_LENGTH + 1);
  return endOfClass(text, start, limit, LET_NUM_HYP);
}

/**
 * RFC 2141 §2.1, RFC 8141 §2: the end of a NID that a colon follows, or -1. Under RFC 2141 `urn` is none: with
 * its colon it looks like another scheme.
 */
function endOfNid(text: string, start: number, syntax: UrnSyntax): number {
  const end = endOfNidCharacters(text, start);
  const length = end - start;
  const isNid =
    length > 0 &&
    length <= MAX_NID_LENGTH &&
    end < text.length &&
    codeUnitAt(text, end) === COLON &&
    codeUnitAt(text, start) !== HYPHEN &&
    (syntax === "rfc2141"
      ? !startsScheme(text, start)
      : length >= MIN_NID_LENGTH_8141 && codeUnitAt(text, end - 1) !== HYPHEN);
  return isNid ? end : -1;
}

/** RFC 2141 §2.2, RFC 8141 §2: reads the NSS that starts at `nssStart`. */
function readNssAt(text: string, nssStart: number, syntax: UrnSyntax): void {
  const nssEnd =
    syntax === "rfc2141" ? endOfEscaped(text, nssStart, TRANS, true) : endOfNss8141(text, nssStart);
  reading.nssStart = nssStart;
  stopAt(nssEnd, "nss");
  if (nssEnd > nssStart) {
    reading.nssEnd = nssEnd;
    reading.end = nssEnd;
  }
}

function endOfNss8141(text: string, start: number): number {
  return start < text.length && codeUnitAt(text, start) === SLASH
    ? start
    : endOfEscaped(text, start, PCHAR_SLASH, false);
}

/** Whether `?` and another character stand at `at`. */
function startsIntroducer(text: string, at: number, second: number): boolean {
  return (
    at + 1 < text.length &&
    codeUnitAt(text, at) === QUESTION_MARK &&
    codeUnitAt(text, at + 1) === second
  );
}

/** RFC 8141 §2.3: reads the components that the NSS gives way to, in their order. */
function readComponents(text: string): void {
  let i = reading.nssEnd;
  if (startsIntroducer(text, i, PLUS)) {
    const start = i + 2;
    i = endOfResolution(text, start);
    stopAt(i, "r-component");
    if (i === start) return;
    reading.rStart = start;
    reading.rEnd = i;
    reading.end = i;
  }
  if (startsIntroducer(text, i, EQUALS)) {
    const start = i + 2;
    const end = endOfQuery(text, start);
    stopAt(end, "q-component");
    if (end === start) {
      // An r-component may end with a "?", so up to this one the text is a URN.
      if (reading.rStart !== -1) {
        reading.rEnd = i + 1;
        reading.end = i + 1;
      }
      return;
    }
    reading.qStart = start;
    reading.qEnd = end;
    reading.end = end;
    i = end;
  }
  if (i < text.length && codeUnitAt(text, i) === NUMBER_SIGN) {
    reading.fStart = i + 1;
    i = endOfEscaped(text, i + 1, PCHAR_SLASH_QUESTION, false);
    stopAt(i, "f-component");
    reading.end = i;
  }
}

/** A `pchar` starts an r- and a q-component, though `/` and `?` may follow. */
function startsComponent(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const unit = codeUnitAt(text, at);
  return unit !== SLASH && unit !== QUESTION_MARK;
}

/** RFC 8141 §2.3.1: an r-component ends before `?=`, though it may hold any other `?`. */
function endOfResolution(text: string, start: number): number {
  if (!startsComponent(text, start)) return start;
  let i = endOfEscaped(text, start, PCHAR_SLASH, false);
  if (i === start) return start;
  while (
    i < text.length &&
    codeUnitAt(text, i) === QUESTION_MARK &&
    !startsIntroducer(text, i, EQUALS)
  ) {
    i = endOfEscaped(text, i + 1, PCHAR_SLASH, false);
  }
  return i;
}

/** RFC 8141 §2.3.2: a q-component ends only with the URN or before `#`. */
function endOfQuery(text: string, start: number): number {
  return startsComponent(text, start)
    ? endOfEscaped(text, start, PCHAR_SLASH_QUESTION, false)
    : start;
}
