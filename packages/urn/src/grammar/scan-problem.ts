import { allowedByRfc8141, describeProblem, type UrnErrorCode, type UrnProblem } from "../error.ts";
import type { UrnSyntax } from "../options.ts";
import {
  COLON,
  escapedByte,
  isClass,
  LET_NUM,
  NUMBER_SIGN,
  PERCENT,
  QUESTION_MARK,
  SLASH,
} from "./characters.ts";
import {
  endOfNidCharacters,
  MAX_NID_LENGTH,
  MIN_NID_LENGTH_8141,
  scanNss,
  scanUrn,
  startsScheme,
  type UrnScan,
} from "./scan-urn.ts";

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
