import { type FoundUrn, type UnsearchedRun, type UrnFinderOptions, urnFinder } from "@x/urn";

/** The longest run of bytes without a space or the like that is searched: 2 MiB. */
export const MAX_RUN_BYTES: number = 2 ** 21;

/** A URN, or a run that was too long to search and contains `urn:`. Its indices are those of bytes. */
export type FoundInBytes = (FoundUrn | UnsearchedRun) & {
  /** From 1; a line ends with LF. */
  readonly line: number;
  /** From 1, in characters of UTF-8. */
  readonly column: number;
};

/** Finds URNs in bytes that come in pieces. */
export interface UrnFinderInBytes {
  /** Adds the next piece, and returns the results that it completes. */
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
 * searched as the character of its number.
 */
export function urnFinderInBytes(options: UrnFinderOptions): UrnFinderInBytes {
  const finder = urnFinder({ ...options, maxRunLength: MAX_RUN_BYTES });
  /** The place of the cursor, which moves from the start of the piece to each result in it. */
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

  function take(results: readonly (FoundUrn | UnsearchedRun)[], piece: string): FoundInBytes[] {
    const base = offset;
    const found = results.map((result): FoundInBytes => {
      const { start } = result;
      if (start > offset) advance(piece.slice(offset - base, start - base));
      // A result that starts before the cursor is on the same line, and has only ASCII up to the cursor.
      return { ...result, line, column: column - (offset - start) };
    });
    advance(piece.slice(offset - base));
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
