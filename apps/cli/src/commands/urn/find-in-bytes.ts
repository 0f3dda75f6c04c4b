import { type FoundUrn, type UnsearchedRun, type UrnFinderOptions, urnFinder } from "@x/urn";

/** The length of the longest run that is searched: 2 MiB. A run is text without spaces or other separators. */
export const MAX_RUN_BYTES: number = 2 ** 21;

/** The position of a result. */
export interface TextPlace {
  /** From 1; a line ends with LF. */
  readonly line: number;
  /** From 1, in characters of UTF-8. */
  readonly column: number;
  /** The index of the first byte. */
  readonly start: number;
  /** The index after the last byte. */
  readonly end: number;
}

/** A URN, or a run that was too long to search and contains `urn:`. */
export type FoundInBytes = TextPlace &
  (
    | { readonly urn: FoundUrn["urn"] /** The URN as written. */; readonly text: string }
    | { readonly urn: null }
  );

/** Finds URNs in bytes that arrive in chunks. */
export interface UrnFinderInBytes {
  /** Adds the next chunk, and returns the results that it completes. */
  readonly push: (piece: Uint8Array) => FoundInBytes[];
  /** Ends the input, and returns the last results. */
  readonly end: () => FoundInBytes[];
}

const LINE_FEED = "\n";

/** Whether a byte of UTF-8 starts a character. */
function startsCharacter(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}

/**
 * Finds URNs in UTF-8 bytes, or in bytes of any encoding that extends ASCII: URNs are ASCII, so each byte can be
 * searched as the character with that code.
 */
export function urnFinderInBytes(options: UrnFinderOptions): UrnFinderInBytes {
  const finder = urnFinder({ ...options, maxRunLength: MAX_RUN_BYTES });
  const before = recentText();
  /** The position of the cursor, which moves from the start of the chunk to each result in it. */
  let [offset, line, column] = [0, 1, 1];

  function advance(text: string): void {
    for (let i = 0; i < text.length; i++) {
      if (text[i] === LINE_FEED) {
        line++;
        column = 1;
      } else if (startsCharacter(text.charCodeAt(i))) column++;
    }
    offset += text.length;
  }

  /**
   * The position of a result. A result that starts before the cursor is on the same line, and has only ASCII up to the
   * cursor.
   */
  function placeOf(
    { start, end }: FoundUrn | UnsearchedRun,
    piece: string,
    base: number,
  ): TextPlace {
    if (start > offset) advance(piece.slice(offset - base, start - base));
    return { line, column: column - (offset - start), start, end };
  }

  function take(results: readonly (FoundUrn | UnsearchedRun)[], piece: string): FoundInBytes[] {
    const base = offset;
    const found = results.map((result): FoundInBytes => {
      const place = placeOf(result, piece, base);
      const { urn } = result;
      if (urn === null) return { ...place, urn };
      const start = result.start - base;
      const reached = start < 0 ? before.last(-start) : "";
      const text = reached + piece.slice(Math.max(start, 0), Math.max(result.end - base, 0));
      return { ...place, urn, text: text.slice(0, result.end - result.start) };
    });
    advance(piece.slice(offset - base));
    before.add(piece);
    return found;
  }

  return {
    push(piece) {
      const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
      return take(finder.push(text), text);
    },
    end: () => take(finder.end(), ""),
  };
}

/** The end of the text so far. It may contain the start of a URN that continues in the next chunk. */
function recentText() {
  let pieces: string[] = [];
  let length = 0;
  return {
    add(piece: string): void {
      // A run has no spaces and no line ends, so only the text after the last space or line end is needed.
      const breakAt = Math.max(piece.lastIndexOf(" "), piece.lastIndexOf(LINE_FEED));
      if (breakAt >= 0) {
        pieces = [];
        length = 0;
      }
      pieces.push(piece.slice(breakAt + 1));
      length += piece.length - breakAt - 1;
      while (length - pieces[0]!.length >= MAX_RUN_BYTES) length -= pieces.shift()!.length;
    },
    last: (characters: number): string => pieces.join("").slice(-characters),
  };
}
