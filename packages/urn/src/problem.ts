import { COLON, NUMBER_SIGN, PERCENT, QUESTION_MARK, SLASH } from "./ascii.ts";
import { escapedOctet, isClass, LET_NUM } from "./character-classes.ts";
import { UrnError, type UrnErrorCode } from "./error.ts";
import {
  endOfNidCharacters,
  MAX_NID_LENGTH,
  MIN_NID_LENGTH_8141,
  type Reading,
  startsScheme,
} from "./grammar.ts";
import type { UrnSyntax } from "./syntax.ts";

/** The error of a text whose reading ends before it does. */
export function readingError(
  text: string,
  reading: Readonly<Reading>,
  syntax: UrnSyntax,
): UrnError {
  const { stop, stopPart } = reading;
  switch (stopPart) {
    case "scheme":
      return new UrnError("scheme-missing", text, stop, syntax);
    case "nid":
      return nidError(text, stop, syntax);
    case "nss":
      return new UrnError(nssProblem(text, reading), text, stop, syntax);
    case "f-component":
      return new UrnError(
        characterProblem(text, stop, "f-component-character"),
        text,
        stop,
        syntax,
      );
    default: {
      const problem =
        startProblem(text, stop, stopPart) ?? characterProblem(text, stop, `${stopPart}-character`);
      return new UrnError(problem, text, stop, syntax);
    }
  }
}

/** RFC 2141 §2.1, RFC 8141 §2: what is wrong with the NID that starts at `start`. */
function nidError(text: string, start: number, syntax: UrnSyntax): UrnError {
  const end = endOfNidCharacters(text, start);
  const length = end - start;
  const error = (code: UrnErrorCode, index: number) => new UrnError(code, text, index, syntax);
  if (start === text.length || text.charCodeAt(start) === COLON) return error("nid-empty", start);
  if (!isClass(text.charCodeAt(start), LET_NUM)) return error("nid-first-character", start);
  if (length > MAX_NID_LENGTH) return error("nid-too-long", end - 1);
  if (end === text.length) return error("nss-missing", end);
  if (text.charCodeAt(end) !== COLON) return error("nid-character", end);
  if (startsScheme(text, start)) return error("nid-reserved", start);
  if (length < MIN_NID_LENGTH_8141) return error("nid-too-short", end);
  return error("nid-last-character", end - 1);
}

/** What is wrong with an NSS. RFC 2141 stops at none of the three characters that RFC 8141 took away. */
function nssProblem(text: string, reading: Readonly<Reading>): UrnErrorCode {
  const { stop } = reading;
  if (stop === text.length) return "nss-empty";
  const unit = text.charCodeAt(stop);
  if (unit === SLASH) return "nss-first-character";
  const isEmpty = reading.nssEnd === -1;
  if (isEmpty && (unit === QUESTION_MARK || unit === NUMBER_SIGN)) return "nss-empty";
  if (unit === QUESTION_MARK && reading.nidEnd !== -1) return "question-mark";
  return characterProblem(text, stop, "nss-character");
}

/** What is wrong with the start of a component, when it is not the character itself; further on it is that. */
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

/** Why a part that allows escapes stopped at `at`, before the end of the text. */
function characterProblem(text: string, at: number, otherwise: UrnErrorCode): UrnErrorCode {
  if (text.charCodeAt(at) !== PERCENT) return otherwise;
  return escapedOctet(text, at) === 0 ? "escape-null" : "escape-malformed";
}
