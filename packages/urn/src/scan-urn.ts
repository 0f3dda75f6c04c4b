import {
  CASE_BIT,
  COLON,
  codeUnitAt,
  EQUALS,
  endOfClass,
  endOfEscaped,
  escapedByte,
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
} from "./characters.ts";
import { allowedByRfc8141, describeProblem, type UrnErrorCode, type UrnProblem } from "./error.ts";
import type { UrnSyntax } from "./options.ts";

const SCHEME_LENGTH = "urn:".length;
export const MAX_NID_LENGTH = 32;
const MIN_NID_LENGTH_8141 = 2;

/** The indices of the parts of a URN in a text. */
export interface UrnScan {
  readonly text: string;
  readonly nidStart: number;
  /** The index after the NID, or -1 when no NID with a colon after it was found. */
  readonly nidEnd: number;
  readonly nssStart: number;
  /** The index after the NSS, or -1 when no NSS was found. */
  readonly nssEnd: number;
  /** Start and end of the components, without `?+`, `?=` and `#`. The start is -1 when there is none. */
  readonly rStart: number;
  readonly rEnd: number;
  readonly qStart: number;
  readonly qEnd: number;
  readonly fStart: number;
  /** The end of the longest URN that starts where the scan starts, or -1 when there is none. */
  readonly end: number;
  /** The index at which the text stops being the start of a URN, and the part that it is in. */
  readonly stop: number;
  readonly stopPart: "scheme" | "nid" | "nss" | "r-component" | "q-component" | "f-component";
}

type OpenScan = { -readonly [Field in keyof UrnScan]: UrnScan[Field] };

/**
 * Reads the longest URN that starts at `start`, in one pass. The text from `start` on is a URN when the
 * scan ends at the end of the text.
 */
export function scanUrn(text: string, start: number, syntax: UrnSyntax): UrnScan {
  const nidStart = start + SCHEME_LENGTH;
  const scan = newScan(text, nidStart, start);
  if (!startsScheme(text, start)) return scan;
  const nidEnd = endOfNid(text, nidStart, syntax);
  if (nidEnd === -1) return stopAt(scan, nidStart, "nid");
  scan.nidEnd = nidEnd;
  scanNssAt(scan, nidEnd + 1, syntax);
  if (syntax === "rfc8141" && scan.end !== -1 && scan.stop < text.length) scanComponents(scan);
  return scan;
}

/** Reads the longest NSS at the start of a text that should contain nothing else. */
export function scanNss(text: string, syntax: UrnSyntax): UrnScan {
  const scan = newScan(text, 0, 0);
  scanNssAt(scan, 0, syntax);
  return scan;
}

function newScan(text: string, nidStart: number, stop: number): OpenScan {
  return {
    text,
    nidStart,
    nidEnd: -1,
    nssStart: nidStart,
    nssEnd: -1,
    rStart: -1,
    rEnd: -1,
    qStart: -1,
    qEnd: -1,
    fStart: -1,
    end: -1,
    stop,
    stopPart: "scheme",
  };
}

function stopAt(scan: OpenScan, index: number, part: UrnScan["stopPart"]): UrnScan {
  scan.stop = index;
  scan.stopPart = part;
  return scan;
}

/** Whether the text has `urn:` at `at`, in upper or lower case. */
export function startsScheme(text: string, at: number): boolean {
  // The length is checked first, because code that has once read past the end of a string stays slow.
  return (
    at + SCHEME_LENGTH <= text.length &&
    codeUnitAt(text, at + 3) === COLON &&
    (codeUnitAt(text, at) | CASE_BIT) === LETTER_U &&
    (codeUnitAt(text, at + 1) | CASE_BIT) === LETTER_R &&
    (codeUnitAt(text, at + 2) | CASE_BIT) === LETTER_N
  );
}

/** The end of the run of NID characters at `start`, but at most one character more than a NID may have. */
export function endOfNidCharacters(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_NID_LENGTH + 1);
  return endOfClass(text, start, limit, LET_NUM_HYP);
}

/**
 * RFC 2141 §2.1, RFC 8141 §2: the end of a NID with a colon after it, or -1. RFC 2141 reserves the NID
 * `urn`, because `urn:urn:` would look like the scheme twice.
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
function scanNssAt(scan: OpenScan, nssStart: number, syntax: UrnSyntax): void {
  const { text } = scan;
  const nssEnd =
    syntax === "rfc2141" ? endOfEscaped(text, nssStart, TRANS, true) : endOfNss8141(text, nssStart);
  scan.nssStart = nssStart;
  stopAt(scan, nssEnd, "nss");
  if (nssEnd > nssStart) {
    scan.nssEnd = nssEnd;
    scan.end = nssEnd;
  }
}

function endOfNss8141(text: string, start: number): number {
  return start < text.length && codeUnitAt(text, start) === SLASH
    ? start
    : endOfEscaped(text, start, PCHAR_SLASH, false);
}

/** Whether the text has `?` and then `second` at `at`. */
function startsIntroducer(text: string, at: number, second: number): boolean {
  return (
    at + 1 < text.length &&
    codeUnitAt(text, at) === QUESTION_MARK &&
    codeUnitAt(text, at + 1) === second
  );
}

/** RFC 8141 §2.3: reads the components after the NSS, in their order. */
function scanComponents(scan: OpenScan): void {
  const { text } = scan;
  let i = scan.nssEnd;
  if (startsIntroducer(text, i, PLUS)) {
    const start = i + 2;
    i = endOfResolution(text, start);
    stopAt(scan, i, "r-component");
    if (i === start) return;
    scan.rStart = start;
    scan.rEnd = i;
    scan.end = i;
  }
  if (startsIntroducer(text, i, EQUALS)) {
    const start = i + 2;
    const end = endOfQuery(text, start);
    stopAt(scan, end, "q-component");
    if (end === start) {
      // An r-component may end with "?", so the text up to and including this one is a URN.
      if (scan.rStart !== -1) {
        scan.rEnd = i + 1;
        scan.end = i + 1;
      }
      return;
    }
    scan.qStart = start;
    scan.qEnd = end;
    scan.end = end;
    i = end;
  }
  if (i < text.length && codeUnitAt(text, i) === NUMBER_SIGN) {
    scan.fStart = i + 1;
    i = endOfEscaped(text, i + 1, PCHAR_SLASH_QUESTION, false);
    stopAt(scan, i, "f-component");
    scan.end = i;
  }
}

/** An r- or q-component starts with a `pchar`: `/` and `?` may only come later. */
function startsComponent(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const unit = codeUnitAt(text, at);
  return unit !== SLASH && unit !== QUESTION_MARK;
}

/** RFC 8141 §2.3.1: an r-component ends before `?=`, but may contain any other `?`. */
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

/** RFC 8141 §2.3.2: a q-component ends before `#` or at the end of the URN. */
function endOfQuery(text: string, start: number): number {
  return startsComponent(text, start)
    ? endOfEscaped(text, start, PCHAR_SLASH_QUESTION, false)
    : start;
}

/** Why a text is not a URN, from the scan that stopped before its end. */
export function notUrnProblem(scan: UrnScan, syntax: UrnSyntax): UrnProblem {
  return problemOf(scan, syntax, scanUrn(scan.text, 0, "rfc8141"));
}

/** Why a text is not an NSS, from the scan that stopped before its end. */
export function notNssProblem(scan: UrnScan, syntax: UrnSyntax): UrnProblem {
  return problemOf(scan, syntax, scanNss(scan.text, "rfc8141"));
}

function problemOf(scan: UrnScan, syntax: UrnSyntax, scan8141: UrnScan): UrnProblem {
  const [code, index] = findProblem(scan);
  const problem = describeProblem(code, scan.text, index, syntax);
  // The condition is never true when `syntax` is "rfc8141", because that scan did not reach the end either.
  return scan8141.end === scan.text.length ? allowedByRfc8141(problem) : problem;
}

type Found = readonly [code: UrnErrorCode, index: number];

function findProblem(scan: UrnScan): Found {
  const { text, stop, stopPart } = scan;
  switch (stopPart) {
    case "scheme":
      return ["scheme-missing", stop];
    case "nid":
      return nidProblem(text, stop);
    case "nss":
      return [nssProblem(scan), stop];
    case "f-component":
      return [characterProblem(text, stop, "f-component-character"), stop];
    default:
      return [
        startProblem(text, stop, stopPart) ?? characterProblem(text, stop, `${stopPart}-character`),
        stop,
      ];
  }
}

/** RFC 2141 §2.1, RFC 8141 §2: the problem with the NID that starts at `start`. */
function nidProblem(text: string, start: number): Found {
  const end = endOfNidCharacters(text, start);
  const length = end - start;
  if (start === text.length || text.charCodeAt(start) === COLON) return ["nid-empty", start];
  if (!isClass(text.charCodeAt(start), LET_NUM)) return ["nid-first-character", start];
  if (length > MAX_NID_LENGTH) return ["nid-too-long", end - 1];
  if (end === text.length) return ["nss-missing", end];
  if (text.charCodeAt(end) !== COLON) return ["nid-character", end];
  if (startsScheme(text, start)) return ["nid-reserved", start];
  if (length < MIN_NID_LENGTH_8141) return ["nid-too-short", end];
  return ["nid-last-character", end - 1];
}

/** The problem with an NSS. Under RFC 2141, the scan of an NSS does not stop at `/`, `?` or `#`. */
function nssProblem({ text, stop, nidEnd, nssEnd }: UrnScan): UrnErrorCode {
  if (stop === text.length) return "nss-empty";
  const unit = text.charCodeAt(stop);
  if (unit === SLASH) return "nss-first-character";
  const isEmpty = nssEnd === -1;
  if (isEmpty && (unit === QUESTION_MARK || unit === NUMBER_SIGN)) return "nss-empty";
  if (unit === QUESTION_MARK && nidEnd !== -1) return "question-mark";
  return characterProblem(text, stop, "nss-character");
}

/**
 * The problem with the start of a component, or `null` when the problem is a character that may not be anywhere in it.
 */
function startProblem(
  text: string,
  at: number,
  part: "r-component" | "q-component",
): UrnErrorCode | null {
  if (at === text.length) return `${part}-empty`;
  const unit = text.charCodeAt(at);
  const startsQuery = part === "r-component" && text.startsWith("?=", at);
  if (unit === NUMBER_SIGN || startsQuery) return `${part}-empty`;
  return unit === SLASH || unit === QUESTION_MARK ? `${part}-first-character` : null;
}

/** Why the scan of a part that allows escapes stopped at `at`, before the end of the text. */
function characterProblem(text: string, at: number, otherwise: UrnErrorCode): UrnErrorCode {
  if (text.charCodeAt(at) !== PERCENT) return otherwise;
  return escapedByte(text, at) === 0 ? "escape-null" : "escape-malformed";
}
