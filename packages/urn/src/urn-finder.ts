import {
  ASCII_END,
  codeUnitAt,
  isClass,
  NUMBER_SIGN,
  PCHAR_SLASH_QUESTION,
  PERCENT,
  TRANS,
} from "./characters.ts";
import { MAX_ESCAPE_LENGTH } from "./end-of-urn.ts";
import {
  type FindUrnsOptions,
  type FoundUrn,
  scan,
  scanOptions,
  type UnreadPart,
} from "./find-urns.ts";
import { assertString, ownOption, typeError, type UrnSyntax } from "./options.ts";

/** The options of `urnFinder`. */
export interface UrnFinderOptions extends FindUrnsOptions {
  /**
   * The maximum length of a run of characters to search for URNs, from 1 to 268 435 456 (2²⁸). The default is 2 097 152
   * (2²¹). A run consists of characters that a URN may contain, and `&`, `\\`, `{` and `}`. This maximum bounds the
   * memory used.
   */
  readonly maxRunLength?: number | undefined;
}

/** Finds URNs in text that arrives in chunks. */
export interface UrnFinder {
  /** Takes the next chunk, and returns the results that it completes, in order. */
  readonly push: (piece: string) => (FoundUrn | UnreadPart)[];
  /** Ends the text, and returns the last results. The finder can then be used for another text. */
  readonly end: () => (FoundUrn | UnreadPart)[];
}

const DEFAULT_MAX_RUN_LENGTH = 2 ** 21;
/** Every engine can make a string of this length. */
const LARGEST_MAX_RUN_LENGTH = 2 ** 28;
/** Longer chunks are processed in steps, so that no run inside a step is too long. */
const STEP_LENGTH = 2 ** 16;

/**
 * Finds the same URNs as `findUrns` in text that arrives in chunks, wherever the text is split. Indices count from the
 * start of the whole text.
 *
 * A URN is returned as soon as the run of characters around it is complete: at the next character that no URN
 * may contain, such as a space. Until then, the finder keeps the run. A run that is too long to be kept is
 * not searched. The results include an {@link UnreadPart} for each part that contains `urn:` and was not read. Time is
 * linear in the length of the text.
 *
 * Because URNs are ASCII, you can pass bytes in any encoding that extends ASCII as text with one character
 * for each byte. Indices are then offsets in bytes, and `isCut` does not see hyphens in UTF-8.
 *
 * @throws {TypeError} when `maxRunLength` is not a number; `push` throws it when the chunk is not a string.
 * @throws {RangeError} when `maxRunLength` is not an integer from 1 to 2²⁸.
 * @example
 * ```ts
 * import { urnFinder } from "@x/urn";
 *
 * const finder = urnFinder();
 * finder.push("see ur"); // → []
 * finder.push("n:a:1 and urn:a:2").map(({ start, end }) => [start, end]); // → [[4, 11]]
 * finder.end().map(({ urn }) => urn?.nss); // → ["2"]
 * ```
 * @see RFC 2141 §2.4
 */
export function urnFinder(options?: UrnFinderOptions): UrnFinder {
  const scanning = scanOptions(options);
  const maxLength = maxRunLength(options);
  const inUrns = urnCharacters(scanning.syntax);
  const stepLength = Math.min(STEP_LENGTH, maxLength);
  const run = openRun(maxLength);
  let results: (FoundUrn | UnreadPart)[] = [];
  /** The start of the open run, which the next chunk may continue. */
  let start = 0;
  /** The end of the text before the open run, which decides whether a URN can start there. */
  let previous = "";

  const search = (text: string, following: string): void => {
    scan({ text: text + following, previous, offset: start }, scanning, results);
    previous = (text.length < MAX_ESCAPE_LENGTH ? previous + text : text).slice(-MAX_ESCAPE_LENGTH);
    start += text.length;
  };
  /** Ends the open run. The character after the run, if there is one, shows whether the last URN in the run is cut. */
  const finishRun = (following: string): void => {
    const { text, length, holdsScheme } = run.take();
    if (length <= maxLength) search(text, following);
    else {
      if (holdsScheme) results.push({ urn: null, why: "run-too-long", start, end: start + length });
      previous = text;
      start += length;
    }
  };
  const pushStep = (piece: string): void => {
    const lastRun = startOfLastRun(piece, inUrns);
    if (lastRun > 0) {
      let from = 0;
      if (run.length() > 0) {
        from = endOfFirstRun(piece, inUrns);
        run.add(piece.slice(0, from));
        finishRun(piece.charAt(from));
      }
      search(piece.slice(from, lastRun), "");
    }
    run.add(piece.slice(lastRun));
  };
  const takeResults = (): (FoundUrn | UnreadPart)[] => {
    const taken = results;
    results = [];
    return taken;
  };

  return {
    push(piece) {
      assertString(piece, "each chunk of text");
      for (let i = 0; i < piece.length; i += stepLength) pushStep(piece.slice(i, i + stepLength));
      return takeResults();
    },
    end() {
      finishRun("");
      start = 0;
      previous = "";
      return takeResults();
    },
  };
}

/** A run of characters that later chunks may continue. */
interface OpenRun {
  add(piece: string): void;
  length(): number;
  /**
   * Ends the run and returns it. If the run is too long, `text` has only its end, where `urn:` may begin, and
   * `holdsScheme` says whether the run contains `urn:`.
   */
  take(): { readonly text: string; readonly length: number; readonly holdsScheme: boolean };
}

function openRun(maxLength: number): OpenRun {
  let kept: string[] = [];
  let length = 0;
  let holdsScheme = false;
  return {
    add(piece) {
      if (piece === "") return;
      kept.push(piece);
      length += piece.length;
      if (length <= maxLength) return;
      const text = kept.join("");
      holdsScheme ||= /urn:/i.test(text);
      kept = [text.slice(-"urn".length)];
    },
    length: () => length,
    take() {
      const taken = { text: kept.join(""), length, holdsScheme };
      kept = [];
      length = 0;
      holdsScheme = false;
      return taken;
    },
  };
}

function maxRunLength(options: UrnFinderOptions | undefined): number {
  const length = ownOption(options, "maxRunLength") ?? DEFAULT_MAX_RUN_LENGTH;
  if (typeof length !== "number") throw typeError("maxRunLength", "a number", length);
  if (!Number.isInteger(length) || length < 1 || length > LARGEST_MAX_RUN_LENGTH) {
    throw new RangeError(
      `maxRunLength must be an integer from 1 to ${LARGEST_MAX_RUN_LENGTH}, not ${length}`,
    );
  }
  return length;
}

/** The characters of escapes after a URN that cannot be part of it. */
const IN_ESCAPES = "&\\{}";

/**
 * For each ASCII character, 1 when it can be part of a URN, or of an escape after one. Every URN ends before any other
 * character.
 */
function urnCharacters(syntax: UrnSyntax): Uint8Array {
  const classBits = syntax === "rfc2141" ? TRANS : PCHAR_SLASH_QUESTION;
  return Uint8Array.from({ length: ASCII_END }, (_, unit) =>
    unit === PERCENT ||
    unit === NUMBER_SIGN ||
    IN_ESCAPES.includes(String.fromCharCode(unit)) ||
    isClass(unit, classBits)
      ? 1
      : 0,
  );
}

/** The index after the last character that no URN may contain, or 0 when there is none. */
function startOfLastRun(text: string, inUrns: Uint8Array): number {
  let i = text.length;
  // For a code unit beyond the table, the entry is undefined.
  while (i > 0 && inUrns[codeUnitAt(text, i - 1)] === 1) i--;
  return i;
}

/** The index of the first character that no URN may contain. The text must have one. */
function endOfFirstRun(text: string, inUrns: Uint8Array): number {
  let i = 0;
  while (inUrns[codeUnitAt(text, i)] === 1) i++;
  return i;
}
