import { type FoundUrn, findUrns, type UnreadPart, type UrnFinderOptions, urnFinder } from "@x/urn";

/** The length of the longest run that is searched: 2 MiB. A run is text without spaces or other separators. */
export const MAX_RUN_BYTES: number = 2 ** 21;

/** The reason why a part of the text is not read. */
export type UnsearchedReason = UnreadPart["why"] | "wide-characters" | "encoded";

/** The position of a result. */
export interface TextPlace {
  /** The number of the line, from 1. A line ends with LF. */
  readonly line: number;
  /** The column, from 1, in characters of UTF-8. A byte order mark at the start of the file does not count. */
  readonly column: number;
  /** The index of the first byte. */
  readonly start: number;
  /** The index after the last byte. */
  readonly end: number;
}

/**
 * A URN, or a part with `urn:` that was not read: one that the finder did not read, text in UTF-16 or UTF-32, or a URN
 * whose colon is escaped.
 */
export type FoundInBytes = TextPlace &
  (
    | {
        readonly urn: FoundUrn["urn"];
        /** The URN as it is written in the text. */
        readonly text: string;
        readonly isCut: boolean;
      }
    | { readonly urn: null; readonly why: UnsearchedReason }
  );

interface HiddenScheme extends Pick<TextPlace, "start" | "end"> {
  readonly why: "wide-characters" | "encoded";
}

/** Finds URNs in bytes that arrive in chunks. */
export interface UrnFinderInBytes {
  /** Adds the next chunk and returns the results that it completes. */
  readonly push: (piece: Uint8Array) => FoundInBytes[];
  /** Ends the input and returns the last results. */
  readonly end: () => FoundInBytes[];
}

const LINE_FEED = "\n";
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
/** Encoded forms of `urn:`, which are reported but not searched. */
const HIDDEN_SCHEMES: readonly (Pick<HiddenScheme, "why"> & { readonly pattern: RegExp })[] = [
  { why: "wide-characters", pattern: /u\0(?:\0\0)?r\0(?:\0\0)?n\0(?:\0\0)?:/gi },
  // Both colons of a URN are literal (RFC 2141 §2). An encoded URN appears only after the surrounding text is decoded.
  {
    why: "encoded",
    pattern:
      /(?:(?<![0-9a-z])|(?<=%[0-9a-f]{2}|\\[nrt]|\\u[0-9a-f]{4}))urn(?::[0-9a-z][0-9a-z-]{0,31})?(?:%(?:25){0,4}3a|%u003a|&(?:amp;){0,2}(?:#0{0,8}58|#x0{0,8}3a|colon);|\\{1,4}(?::|u{1,4}003a|u\{0{0,6}3a\}|u0000003a|x3a|0?72)|=3a)/gi,
  },
];
/** Matches some characters, of which every hidden scheme contains at least one. */
const MARK_OF_HIDDEN = /[\0%&\\=]/;
/** Longer than any hidden scheme together with the text before it that its pattern tests. */
const LONGEST_HIDDEN = 80;

/** Whether a byte is the first byte of a UTF-8 character. */
function startsCharacter(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}

/** Counts lines and columns. The cursor moves from the start of each chunk to the results in that chunk. */
function textCursor() {
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

  return {
    /** The index of the cursor. */
    offset: () => offset,
    advance,
    /**
     * The position of a result. A result that starts before the cursor is on the same line, and has only ASCII up to
     * the cursor.
     *
     * @param base the index at which the chunk starts.
     */
    placeOf(
      { start, end }: Pick<TextPlace, "start" | "end">,
      piece: string,
      base: number,
    ): TextPlace {
      if (start > offset) advance(piece.slice(offset - base, start - base));
      return { line, column: column - (offset - start), start, end };
    },
  };
}

/**
 * Returns a function that finds hidden schemes in each chunk and across its start. `base` is the index of the chunk.
 */
function hiddenSchemeFinder(): (piece: string, base: number) => HiddenScheme[] {
  /** The end of the text so far, where a hidden scheme may begin. */
  let tail = "";
  return (piece, base) => {
    const reached = tail;
    const searched = reached + piece;
    tail = searched.slice(-LONGEST_HIDDEN);
    if (!MARK_OF_HIDDEN.test(searched)) return [];
    return HIDDEN_SCHEMES.flatMap(({ why, pattern }) =>
      [...searched.matchAll(pattern)].map(({ 0: text, index }) => {
        const start = base - reached.length + index;
        return { why, start, end: start + text.length };
      }),
    ).filter(({ end }) => end > base);
  };
}

/**
 * Finds URNs in UTF-8 bytes, or in bytes of any encoding that extends ASCII: URNs are ASCII, so each byte can be
 * searched as the character with that code.
 */
export function urnFinderInBytes(options: UrnFinderOptions): UrnFinderInBytes {
  const finder = urnFinder({ ...options, maxRunLength: MAX_RUN_BYTES });
  const before = recentText();
  const cursor = textCursor();
  const hiddenSchemes = hiddenSchemeFinder();
  /** The start of a character that the next chunk continues. */
  let unfinished = "";

  function take(results: readonly (FoundUrn | UnreadPart)[], piece: string): FoundInBytes[] {
    const base = cursor.offset();
    const hidden = hiddenSchemes(piece, base);
    const inOrder = hidden.length === 0 ? results : [...results, ...hidden].sort(byStart);
    const found = inOrder.map((result): FoundInBytes => {
      const place = cursor.placeOf(result, piece, base);
      if ("why" in result) return { ...place, urn: null, why: result.why };
      const { urn } = result;
      const start = result.start - base;
      const reached = start < 0 ? before.last(-start) : "";
      const end = Math.max(result.end - base, 0);
      const text = (reached + piece.slice(Math.max(start, 0), end)).slice(
        0,
        result.end - result.start,
      );
      // The text after the URN may begin in an earlier chunk, if punctuation was left out.
      const behind = result.end < base ? before.last(base - result.end) : "";
      const isCut = result.isCut || isCutBy(text, (behind + piece.slice(end, end + 3)).slice(0, 3));
      return { ...place, urn, text, isCut };
    });
    cursor.advance(piece.slice(cursor.offset() - base));
    before.add(piece);
    return found;
  }

  /**
   * Whether the character after a URN, if it is not ASCII, suggests that the name goes on. The finder saw only bytes,
   * so the URN is searched again with the decoded character.
   */
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

/** The length of an incomplete UTF-8 sequence at the end of the bytes. */
function unfinishedLength(bytes: string): number {
  const [sequence = ""] =
    /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/.exec(bytes.slice(-3)) ?? [];
  return sequence.length;
}

/** Keeps the end of the text so far, which may contain the start of a URN that continues in the next chunk. */
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
      // The pieces are joined once for all URNs in a run.
      pieces = [pieces.join("")];
      return pieces[0]!.slice(-characters);
    },
  };
}
