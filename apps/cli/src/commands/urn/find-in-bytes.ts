import {
  type FoundUrn,
  findUrns,
  type UnsearchedRun,
  type UrnFinderOptions,
  urnFinder,
} from "@x/urn";

/** The length of the longest run that is searched: 2 MiB. A run is text without spaces or other separators. */
export const MAX_RUN_BYTES: number = 2 ** 21;

/** The position of a result. */
export interface TextPlace {
  /** From 1; a line ends with LF. */
  readonly line: number;
  /** From 1, in characters of UTF-8. A byte order mark at the start of the file does not count. */
  readonly column: number;
  /** The index of the first byte. */
  readonly start: number;
  /** The index after the last byte. */
  readonly end: number;
}

/** A URN, or a part with `urn:` that was not searched: a run that is too long, or text in UTF-16 or UTF-32. */
export type FoundInBytes = TextPlace &
  (
    | {
        readonly urn: FoundUrn["urn"];
        /** The URN as written. */
        readonly text: string;
        readonly isCut: boolean;
      }
    | { readonly urn: null; readonly why: "run-too-long" | "wide-characters" }
  );

/** Finds URNs in bytes that arrive in chunks. */
export interface UrnFinderInBytes {
  /** Adds the next chunk, and returns the results that it completes. */
  readonly push: (piece: Uint8Array) => FoundInBytes[];
  /** Ends the input, and returns the last results. */
  readonly end: () => FoundInBytes[];
}

const LINE_FEED = "\n";
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
/** `urn:` in UTF-16 or UTF-32. */
const WIDE_SCHEME = /u\0(?:\0\0)?r\0(?:\0\0)?n\0(?:\0\0)?:/gi;
const WIDE_SCHEME_LENGTH = 13;

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
  /** The start of a character that the next chunk continues. */
  let unfinished = "";
  /** The end of the text so far, where the scheme in wide characters may begin. */
  let tail = "";
  /** The position of the cursor, which moves from the start of the chunk to each result in it. */
  let [offset, line, column] = [0, 1, 1];

  function advance(text: string): void {
    for (let i = 0; i < text.length; i++) {
      if (text[i] === LINE_FEED) {
        line++;
        column = 1;
      } else if (startsCharacter(text.charCodeAt(i))) column++;
    }
    if (offset === 0 && text.startsWith(BYTE_ORDER_MARK)) column--;
    offset += text.length;
  }

  /**
   * The position of a result. A result that starts before the cursor is on the same line, and has only ASCII up to the
   * cursor.
   */
  function placeOf(
    { start, end }: Pick<TextPlace, "start" | "end">,
    piece: string,
    base: number,
  ): TextPlace {
    if (start > offset) advance(piece.slice(offset - base, start - base));
    return { line, column: column - (offset - start), start, end };
  }

  /** Where `urn:` is in wide characters, in a chunk and across its start. */
  function wideSchemes(piece: string): Pick<TextPlace, "start" | "end">[] {
    const reached = tail;
    const searched = reached + piece;
    tail = searched.slice(1 - WIDE_SCHEME_LENGTH);
    if (!searched.includes("\0")) return [];
    return [...searched.matchAll(WIDE_SCHEME)]
      .map(({ 0: text, index }) => {
        const start = offset - reached.length + index;
        return { start, end: start + text.length };
      })
      .filter(({ end }) => end > offset);
  }

  function take(results: readonly (FoundUrn | UnsearchedRun)[], piece: string): FoundInBytes[] {
    const base = offset;
    const wide = wideSchemes(piece).map((place) => ({ ...place, why: "wide-characters" as const }));
    const inOrder = wide.length === 0 ? results : [...results, ...wide].sort(byStart);
    const found = inOrder.map((result): FoundInBytes => {
      const place = placeOf(result, piece, base);
      if ("why" in result) return { ...place, urn: null, why: result.why };
      const { urn } = result;
      if (urn === null) return { ...place, urn, why: "run-too-long" };
      const start = result.start - base;
      const reached = start < 0 ? before.last(-start) : "";
      const end = Math.max(result.end - base, 0);
      const text = (reached + piece.slice(Math.max(start, 0), end)).slice(
        0,
        result.end - result.start,
      );
      // What follows may begin in an earlier piece, too, if punctuation was left out.
      const behind = result.end < base ? before.last(base - result.end) : "";
      const isCut = result.isCut || isCutBy(text, (behind + piece.slice(end, end + 3)).slice(0, 3));
      return { ...place, urn, text, isCut };
    });
    advance(piece.slice(offset - base));
    before.add(piece);
    return found;
  }

  /** The finder sees bytes. Whether a character that is not ASCII continues a URN is asked with the character itself. */
  function isCutBy(text: string, following: string): boolean {
    if (following === "" || following.charCodeAt(0) < 0x80) return false;
    const character = Buffer.from(following, "latin1").toString();
    return findUrns(text + character, options)[0]?.isCut === true;
  }

  return {
    push(bytes) {
      const all =
        unfinished +
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
      const piece = all.slice(0, all.length - unfinishedLength(all));
      unfinished = all.slice(piece.length);
      return take(finder.push(piece), piece);
    },
    end() {
      const last = take(finder.push(unfinished), unfinished);
      unfinished = "";
      return [...last, ...take(finder.end(), "")];
    },
  };
}

const byStart = (a: { readonly start: number }, b: { readonly start: number }): number =>
  a.start - b.start;

/** The length of a sequence of UTF-8 that has started at the end of the bytes but is not complete. */
function unfinishedLength(bytes: string): number {
  const [sequence = ""] =
    /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/.exec(bytes.slice(-3)) ?? [];
  return sequence.length;
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
    last(characters: number): string {
      // Joined once for all URNs in a run.
      pieces = [pieces.join("")];
      return pieces[0]!.slice(-characters);
    },
  };
}
