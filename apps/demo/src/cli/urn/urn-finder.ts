import { type FindUrnsOptions, isUrn, iterateUrns, type Urn } from "@x/urn";

/**
 * The longest run of octets without one that no URN may hold, such as a space, in which URNs are looked for:
 * 2 MiB. It bounds what is kept of a text.
 */
export const MAX_RUN_BYTES: number = 2 ** 21;

/** A place in a text of octets. */
export interface TextPlace {
  /** From 1; a line ends with LF. */
  readonly line: number;
  /** Characters (of UTF-8) before it in its line, and 1. */
  readonly column: number;
  /** Octets before it. */
  readonly start: number;
  /** The octets before the first that does not belong to it. */
  readonly end: number;
}

export interface FoundInText extends TextPlace {
  /** As it is written. */
  readonly text: string;
  readonly urn: Urn;
}

/** A run that is too long, and holds `urn:`. */
export interface TooLongRun extends TextPlace {
  readonly text: null;
}

export type UrnOrRun = FoundInText | TooLongRun;

/** Finds URNs in octets that come in pieces. */
export interface UrnFinder {
  /** What is complete with this piece. */
  readonly push: (piece: Uint8Array) => UrnOrRun[];
  readonly end: () => UrnOrRun[];
}

const LF = 0x0a;
const STEP_BYTES = 2 ** 16;
const TOKEN = "urn:";

/** The octets that no URN holds, under either text: all above 0x7E, controls, spaces and delimiters. */
const IS_BREAK: readonly boolean[] = Array.from({ length: 256 }, (_, octet) => {
  // Two digits behind it, since "%" does not stand alone.
  const text = `urn:ab:c${String.fromCharCode(octet)}41`;
  return !isUrn(text) && !isUrn(text, { syntax: "rfc8141" });
});

function firstBreak(octets: Uint8Array): number {
  return octets.findIndex((octet) => IS_BREAK[octet]!);
}

function lastBreak(octets: Uint8Array): number {
  let i = octets.length - 1;
  while (i >= 0 && !IS_BREAK[octets[i]!]) i--;
  return i;
}

/** Whether an octet of UTF-8 starts a character. */
function isStart(octet: number): boolean {
  return (octet & 0xc0) !== 0x80;
}

/** Each octet as the character of its number. URNs are ASCII, so no encoding that extends ASCII hides one. */
function latin1(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("latin1");
}

export function urnFinder(options: FindUrnsOptions): UrnFinder {
  let line = 1;
  let column = 1;
  let offset = 0;
  /** The run that has not ended, in pieces, or its end when it is too long. */
  let open: Uint8Array[] = [];
  let openBytes = 0;
  let tooLong: { line: number; column: number; start: number; holdsToken: boolean } | null = null;

  const advance = (octets: Uint8Array, from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const octet = octets[i]!;
      if (octet === LF) {
        line++;
        column = 1;
      } else if (isStart(octet)) column++;
    }
    offset += to - from;
  };
  const search = (octets: Uint8Array, results: UrnOrRun[]): void => {
    const text = latin1(octets);
    const base = offset;
    for (const { urn, start, end } of iterateUrns(text, options)) {
      advance(octets, offset - base, start);
      const written = text.slice(start, end);
      results.push({ line, column, start: offset, end: base + end, text: written, urn });
    }
    advance(octets, offset - base, octets.length);
  };
  const keep = (piece: Uint8Array): void => {
    open.push(piece.slice());
    openBytes += piece.length;
    if (openBytes <= MAX_RUN_BYTES) return;
    const run = Buffer.concat(open);
    tooLong ??= { line, column, start: offset, holdsToken: false };
    tooLong.holdsToken ||= run.toString("latin1").toLowerCase().includes(TOKEN);
    // The token may be cut in two here.
    const rest = run.subarray(-TOKEN.length + 1);
    advance(run, 0, run.length - rest.length);
    open = [Buffer.from(rest)];
  };
  /** Ends the open run. */
  const finish = (results: UrnOrRun[]): void => {
    const run = open.length === 1 ? open[0]! : Buffer.concat(open);
    open = [];
    openBytes = 0;
    if (tooLong === null) {
      search(run, results);
      return;
    }
    advance(run, 0, run.length);
    const { holdsToken, ...place } = tooLong;
    if (holdsToken) results.push({ ...place, end: offset, text: null });
    tooLong = null;
  };
  const pushStep = (piece: Uint8Array, results: UrnOrRun[]): void => {
    const first = firstBreak(piece);
    if (first === -1) {
      keep(piece);
      return;
    }
    const last = lastBreak(piece) + 1;
    if (openBytes > 0) {
      keep(piece.subarray(0, first));
      finish(results);
      search(piece.subarray(first, last), results);
    } else search(piece.subarray(0, last), results);
    keep(piece.subarray(last));
  };

  return {
    push(piece) {
      const results: UrnOrRun[] = [];
      for (let i = 0; i < piece.length; i += STEP_BYTES) {
        pushStep(piece.subarray(i, i + STEP_BYTES), results);
      }
      return results;
    },
    end() {
      const results: UrnOrRun[] = [];
      finish(results);
      return results;
    },
  };
}
