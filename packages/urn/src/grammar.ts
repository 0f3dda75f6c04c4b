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
  endOfClass,
  escapedOctet,
  isClass,
  LET_NUM,
  LET_NUM_HYP,
  PCHAR_SLASH,
  PCHAR_SLASH_QUESTION,
  TRANS,
} from "./character-classes.ts";
import type { UrnErrorCode } from "./error.ts";
import type { UrnSyntax } from "./syntax.ts";

const SCHEME_LENGTH = "urn:".length;
const MAX_NID_LENGTH = 32;
const MIN_NID_LENGTH_8141 = 2;

/** Where the parts of a URN lie in the text that holds it. */
export interface Reading {
  nidStart: number;
  nidEnd: number;
  nssStart: number;
  nssEnd: number;
  /** Start and end of the components, without their introducers; the start is -1 when there is none. */
  rStart: number;
  rEnd: number;
  qStart: number;
  qEnd: number;
  fStart: number;
  /** The end of the longest URN at the place, or -1 when none starts there. */
  end: number;
  /** Why nothing longer is a URN, and where that shows; `null` when only the end of the text stops it. */
  problem: UrnErrorCode | null;
  problemIndex: number;
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
  problem: null,
  problemIndex: 0,
};

function startReading(nidStart: number, nssStart: number): void {
  reading.nidStart = nidStart;
  reading.nidEnd = -1;
  reading.nssStart = nssStart;
  reading.nssEnd = -1;
  reading.rStart = -1;
  reading.qStart = -1;
  reading.fStart = -1;
  reading.end = -1;
  reading.problem = null;
}

/**
 * Reads the longest URN that starts at `start`, in one pass, and says what ends it. A text is a URN when
 * the reading that starts at 0 ends with it. The result is overwritten by the next call.
 */
export function readUrn(text: string, start: number, syntax: UrnSyntax): Readonly<Reading> {
  startReading(start + SCHEME_LENGTH, -1);
  if (!startsScheme(text, start)) return stop("scheme-missing", start);
  if (!readNid(text, syntax)) return reading;
  reading.nssStart = reading.nidEnd + 1;
  continueWithNss(text, syntax);
  if (syntax === "rfc8141" && reading.end !== -1 && reading.end < text.length) readComponents(text);
  return reading;
}

function stop(problem: UrnErrorCode, index: number): Reading {
  reading.problem = problem;
  reading.problemIndex = index;
  return reading;
}

/** RFC 2141 §2.1, RFC 8141 §2: reads the NID and the colon after it. */
function readNid(text: string, syntax: UrnSyntax): boolean {
  const { nidStart } = reading;
  const limit = Math.min(text.length, nidStart + MAX_NID_LENGTH + 1);
  const i = endOfClass(text, nidStart, limit, LET_NUM_HYP);
  const problem = nidProblem(text, nidStart, i, syntax);
  if (problem === null) {
    reading.nidEnd = i;
    return true;
  }
  const index =
    problem === "nid-first-character" || problem === "nid-reserved"
      ? nidStart
      : problem === "nid-last-character" || problem === "nid-too-long"
        ? i - 1
        : i;
  stop(problem, index);
  return false;
}

function nidProblem(text: string, start: number, end: number, syntax: UrnSyntax) {
  if (start === text.length || (start === end && text.charCodeAt(end) === COLON))
    return "nid-empty";
  if (!isClass(text.charCodeAt(start), LET_NUM)) return "nid-first-character";
  if (end - start > MAX_NID_LENGTH) return "nid-too-long";
  if (end === text.length) return "nss-missing";
  if (text.charCodeAt(end) !== COLON) return "nid-character";
  if (syntax === "rfc2141") {
    // What follows is a colon, so a NID "urn" looks like another scheme.
    return end - start === 3 && startsScheme(text, start) ? "nid-reserved" : null;
  }
  if (end - start < MIN_NID_LENGTH_8141) return "nid-too-short";
  return text.charCodeAt(end - 1) === HYPHEN ? "nid-last-character" : null;
}

/** Whether `urn:` stands at `at`, with the letters in any case. */
export function startsScheme(text: string, at: number): boolean {
  // Reading past a string's end is slow, for good, wherever it happened once.
  return (
    at + SCHEME_LENGTH <= text.length &&
    text.charCodeAt(at + 3) === COLON &&
    (text.charCodeAt(at) | CASE_BIT) === LETTER_U &&
    (text.charCodeAt(at + 1) | CASE_BIT) === LETTER_R &&
    (text.charCodeAt(at + 2) | CASE_BIT) === LETTER_N
  );
}

/** Whether a UTF-16 code unit can stand anywhere in a URN; where one cannot, every URN has ended. */
export function isUrnCharacter(unit: number, syntax: UrnSyntax): boolean {
  if (unit === PERCENT || unit === NUMBER_SIGN) return true;
  return isClass(unit, syntax === "rfc2141" ? TRANS : PCHAR_SLASH_QUESTION);
}

/** Reads the longest NSS at the start of a text that holds nothing else. */
export function readNss(text: string, syntax: UrnSyntax): Readonly<Reading> {
  startReading(-1, 0);
  continueWithNss(text, syntax);
  return reading;
}

/** RFC 2141 §2.2, RFC 8141 §2: reads the NSS that starts at `nssStart`. */
function continueWithNss(text: string, syntax: UrnSyntax): void {
  const { nssStart } = reading;
  if (nssStart === text.length) {
    stop("nss-empty", nssStart);
    return;
  }
  if (syntax === "rfc8141" && text.charCodeAt(nssStart) === SLASH) {
    stop("nss-first-character", nssStart);
    return;
  }
  const nssEnd =
    syntax === "rfc2141"
      ? skip(text, nssStart, TRANS, true)
      : skip(text, nssStart, PCHAR_SLASH, false);
  if (nssEnd > nssStart) {
    reading.nssEnd = nssEnd;
    reading.end = nssEnd;
  }
  if (nssEnd < text.length) {
    const problem = characterProblem(text, nssEnd, "nss-character");
    const isEmpty = nssEnd === nssStart && problem === "nss-character";
    stop(isEmpty ? emptyNssProblem(text, nssEnd) : problem, nssEnd);
  }
}

/** Nothing before `?` or `#`, which RFC 8141 lets end an NSS, is an empty NSS and no bad character. */
function emptyNssProblem(text: string, at: number): UrnErrorCode {
  const unit = text.charCodeAt(at);
  return unit === QUESTION_MARK || unit === NUMBER_SIGN ? "nss-empty" : "nss-character";
}

/** RFC 8141 §2.3: reads the components that the NSS gives way to, in their order. */
function readComponents(text: string): void {
  let i = reading.nssEnd;
  const unit = text.charCodeAt(i);
  if (unit !== QUESTION_MARK && unit !== NUMBER_SIGN) return;
  reading.problem = null;
  if (text.charCodeAt(i) === QUESTION_MARK && text.charCodeAt(i + 1) === PLUS) {
    i += 2;
    if (!readFirst(text, i, "r-component")) return;
    reading.rStart = i;
    i = skipResolution(text, i);
    reading.rEnd = i;
    reading.end = i;
  }
  if (text.charCodeAt(i) === QUESTION_MARK && text.charCodeAt(i + 1) === EQUALS) {
    // An r-component may end with "?", so the text up to this "?" is a URN even if no q-component follows.
    if (reading.rStart !== -1) reading.end = i + 1;
    if (!readFirst(text, i + 2, "q-component")) {
      if (reading.rStart !== -1) reading.rEnd = i + 1;
      return;
    }
    i += 2;
    reading.qStart = i;
    i = skip(text, i, PCHAR_SLASH_QUESTION, false);
    reading.qEnd = i;
    reading.end = i;
  }
  if (text.charCodeAt(i) === NUMBER_SIGN) {
    i++;
    reading.fStart = i;
    i = skip(text, i, PCHAR_SLASH_QUESTION, false);
    reading.end = i;
  }
  if (i < text.length) stop(characterProblem(text, i, lastPartProblem()), i);
}

function lastPartProblem(): UrnErrorCode {
  if (reading.fStart !== -1) return "f-component-character";
  if (reading.qStart !== -1) return "q-component-character";
  if (reading.rStart !== -1) return "r-component-character";
  return "question-mark";
}

/** An r- or q-component starts with a `pchar`; notes the problem when it does not. */
function readFirst(text: string, at: number, part: "r-component" | "q-component"): boolean {
  const unit = text.charCodeAt(at);
  const isNextIntroducer = unit === QUESTION_MARK && text.charCodeAt(at + 1) === EQUALS;
  if (at >= text.length || unit === NUMBER_SIGN || (isNextIntroducer && part === "r-component")) {
    stop(`${part}-empty`, at);
  } else if (unit === SLASH || unit === QUESTION_MARK) {
    stop(`${part}-first-character`, at);
  } else if (skip(text, at, PCHAR_SLASH, false) === at) {
    stop(characterProblem(text, at, `${part}-character`), at);
  } else {
    return true;
  }
  return false;
}

/** RFC 8141 §2.3.1: an r-component ends before `?=`, though it may hold any other `?`. */
function skipResolution(text: string, start: number): number {
  let i = skip(text, start, PCHAR_SLASH, false);
  while (text.charCodeAt(i) === QUESTION_MARK && text.charCodeAt(i + 1) !== EQUALS) {
    i = skip(text, i + 1, PCHAR_SLASH, false);
  }
  return i;
}

/** The end of the characters of a class and well-formed escapes that start at `start`. */
function skip(text: string, start: number, classBit: number, refuseNull: boolean): number {
  const { length } = text;
  let i = endOfClass(text, start, length, classBit);
  while (i < length && text.charCodeAt(i) === PERCENT) {
    const octet = escapedOctet(text, i);
    if (octet < 0 || (octet === 0 && refuseNull)) break;
    i = endOfClass(text, i + 3, length, classBit);
  }
  return i;
}

/** Why a part that allows `%` stopped at `at`, before the end of the text. */
function characterProblem(text: string, at: number, otherwise: UrnErrorCode): UrnErrorCode {
  if (text.charCodeAt(at) !== PERCENT) return otherwise;
  return escapedOctet(text, at) === 0 ? "escape-null" : "escape-malformed";
}
