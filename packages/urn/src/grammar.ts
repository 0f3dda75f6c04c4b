import {
  ASCII_END,
  CASE_BIT,
  CLASSES,
  COLON,
  EQUALS,
  escapedOctet,
  HYPHEN,
  isClass,
  LET_NUM,
  LET_NUM_HYP,
  LETTER_N,
  LETTER_R,
  LETTER_U,
  NUMBER_SIGN,
  PCHAR_SLASH,
  PCHAR_SLASH_QUESTION,
  PERCENT,
  PLUS,
  QUESTION_MARK,
  SLASH,
  TRANS,
} from "./ascii.ts";
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

/** A reading in which nothing is found yet. */
function newReading(nidStart: number, nssStart: number): Reading {
  return {
    nidStart,
    nidEnd: -1,
    nssStart,
    nssEnd: -1,
    rStart: -1,
    rEnd: -1,
    qStart: -1,
    qEnd: -1,
    fStart: -1,
    end: -1,
    problem: null,
    problemIndex: -1,
  };
}

/**
 * Reads the longest URN that starts at `start`, in one pass, and says what ends it. A text is a URN when
 * the reading that starts at 0 ends with it.
 */
export function readUrn(text: string, start: number, syntax: UrnSyntax): Reading {
  const reading = newReading(start + SCHEME_LENGTH, -1);
  if (!isUrnToken(text, start) || text.charCodeAt(start + 3) !== COLON) {
    return stop(reading, "scheme-missing", start);
  }
  if (!readNid(text, reading, syntax)) return reading;
  reading.nssStart = reading.nidEnd + 1;
  continueWithNss(text, reading, syntax);
  if (syntax === "rfc8141" && reading.end !== -1) readComponents(text, reading);
  return reading;
}

function stop(reading: Reading, problem: UrnErrorCode, index: number): Reading {
  reading.problem = problem;
  reading.problemIndex = index;
  return reading;
}

/** RFC 2141 §2.1, RFC 8141 §2: reads the NID and the colon after it. */
function readNid(text: string, reading: Reading, syntax: UrnSyntax): boolean {
  const { nidStart } = reading;
  const limit = Math.min(text.length, nidStart + MAX_NID_LENGTH + 1);
  let i = nidStart;
  while (i < limit && isClass(text.charCodeAt(i), LET_NUM_HYP)) i++;
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
  stop(reading, problem, index);
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
    return end - start === 3 && isUrnToken(text, start) ? "nid-reserved" : null;
  }
  if (end - start < MIN_NID_LENGTH_8141) return "nid-too-short";
  return text.charCodeAt(end - 1) === HYPHEN ? "nid-last-character" : null;
}

/** Whether `urn` stands at `at`, in any case. */
export function isUrnToken(text: string, at: number): boolean {
  return (
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
export function readNss(text: string, syntax: UrnSyntax): Reading {
  const reading = newReading(-1, 0);
  continueWithNss(text, reading, syntax);
  return reading;
}

/** RFC 2141 §2.2, RFC 8141 §2: reads the NSS that starts at `nssStart`. */
function continueWithNss(text: string, reading: Reading, syntax: UrnSyntax): void {
  const { nssStart } = reading;
  if (syntax === "rfc8141" && text.charCodeAt(nssStart) === SLASH) {
    stop(reading, "nss-first-character", nssStart);
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
    stop(reading, isEmpty ? emptyNssProblem(text, nssEnd) : problem, nssEnd);
  } else if (nssEnd === nssStart) {
    stop(reading, "nss-empty", nssEnd);
  }
}

/** Nothing before `?` or `#`, which RFC 8141 lets end an NSS, is an empty NSS and no bad character. */
function emptyNssProblem(text: string, at: number): UrnErrorCode {
  const unit = text.charCodeAt(at);
  return unit === QUESTION_MARK || unit === NUMBER_SIGN ? "nss-empty" : "nss-character";
}

/** RFC 8141 §2.3: reads the components that the NSS gives way to, in their order. */
function readComponents(text: string, reading: Reading): void {
  let i = reading.nssEnd;
  const unit = text.charCodeAt(i);
  if (unit !== QUESTION_MARK && unit !== NUMBER_SIGN) return;
  reading.problem = null;
  if (text.charCodeAt(i) === QUESTION_MARK && text.charCodeAt(i + 1) === PLUS) {
    i += 2;
    if (!readFirst(text, reading, i, "r-component")) return;
    reading.rStart = i;
    i = skipResolution(text, i);
    reading.rEnd = i;
    reading.end = i;
  }
  if (text.charCodeAt(i) === QUESTION_MARK && text.charCodeAt(i + 1) === EQUALS) {
    // An r-component may end with "?", so the text up to this "?" is a URN even if no q-component follows.
    if (reading.rStart !== -1) reading.end = i + 1;
    if (!readFirst(text, reading, i + 2, "q-component")) {
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
  if (i < text.length) stop(reading, characterProblem(text, i, lastPartProblem(reading)), i);
}

function lastPartProblem(reading: Reading): UrnErrorCode {
  if (reading.fStart !== -1) return "f-component-character";
  if (reading.qStart !== -1) return "q-component-character";
  if (reading.rStart !== -1) return "r-component-character";
  return "question-mark";
}

/** An r- or q-component starts with a `pchar`; notes the problem when it does not. */
function readFirst(
  text: string,
  reading: Reading,
  at: number,
  part: "r-component" | "q-component",
): boolean {
  const unit = text.charCodeAt(at);
  const isNextIntroducer = unit === QUESTION_MARK && text.charCodeAt(at + 1) === EQUALS;
  if (at >= text.length || unit === NUMBER_SIGN || (isNextIntroducer && part === "r-component")) {
    stop(reading, `${part}-empty`, at);
  } else if (unit === SLASH || unit === QUESTION_MARK) {
    stop(reading, `${part}-first-character`, at);
  } else if (skip(text, at, PCHAR_SLASH, false) === at) {
    stop(reading, characterProblem(text, at, `${part}-character`), at);
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
  let i = start;
  while (i < length) {
    const unit = text.charCodeAt(i);
    if (unit < ASCII_END && (CLASSES[unit]! & classBit) !== 0) {
      i++;
    } else if (unit === PERCENT) {
      const octet = escapedOctet(text, i);
      if (octet < 0 || (octet === 0 && refuseNull)) break;
      i += 3;
    } else {
      break;
    }
  }
  return i;
}

/** Why a part that allows `%` stopped at `at`, before the end of the text. */
function characterProblem(text: string, at: number, otherwise: UrnErrorCode): UrnErrorCode {
  if (text.charCodeAt(at) !== PERCENT) return otherwise;
  return escapedOctet(text, at) === 0 ? "escape-null" : "escape-malformed";
}
