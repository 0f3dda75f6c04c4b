/** A piece of decoded text and the part of the source that it was decoded from. */
interface Segment {
  readonly chars: string;
  /** The index of the piece in the joined text. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Whether the piece starts inside a CDATA section, where there are no character references. */
  readonly isCdata: boolean;
}

/** Text as it is shown: the pieces between tags, without the tags. */
export interface VisibleText {
  readonly length: () => number;
  readonly start: () => number;
  readonly add: (chars: string, start: number, end: number) => void;
  /** Skips characters that add no text. */
  readonly skip: (start: number, end: number) => void;
  /** Removes and returns the text, with a function that maps its indices to those of the source. */
  readonly take: () => {
    readonly text: string;
    readonly toSource: (index: number, isEnd: boolean) => number;
  };
}

const REFERENCE = /&(?:#x?[0-9a-f]+|[a-z0-9]+);?|\r\n/iy;
const LITERAL_AMPERSAND = /^&(?!amp|#0*38|#x0*26)/i;
const CDATA_START = "<![CDATA[";
const CDATA_END = "]]>";

/**
 * @param slice The source between two indices.
 * @param options Whether the text may have CDATA sections, in which there are no character references.
 */
export function visibleText(
  slice: (start: number, end: number) => string,
  { hasCdata }: { readonly hasCdata: boolean } = { hasCdata: true },
): VisibleText {
  let segments: Segment[] = [];
  let length = 0;
  /** Where the last token ended and whether that was inside a CDATA section. */
  let lastEnd = -1;
  let isCdata = false;
  const goOn = (count: number, start: number, end: number): boolean => {
    if (!hasCdata) return false;
    // The line feed after a carriage return may belong to no token.
    if (start !== lastEnd && slice(lastEnd, start) !== "\n") {
      isCdata = slice(start - CDATA_START.length, start) === CDATA_START;
    }
    const wasCdata = isCdata;
    if (count !== end - start) isCdata = endsInCdata(slice(start, end), isCdata);
    lastEnd = end;
    return wasCdata;
  };
  return {
    length: () => length,
    start: () => segments[0]?.start ?? Number.POSITIVE_INFINITY,
    add(chars, start, end) {
      const isCdata = goOn(chars.length, start, end);
      const last = segments.at(-1);
      // The tokenizer counts a reference that follows white space as a part of the white space.
      const isLonger = last !== undefined && last.chars.length !== last.end - last.start;
      if (isLonger && last.end === start && last.chars.trim() === "") {
        segments[segments.length - 1] = { ...last, chars: last.chars + chars, end };
      } else segments.push({ chars, at: length, start, end, isCdata });
      length += chars.length;
    },
    skip: (start, end) => void goOn(0, start, end),
    take() {
      const taken = segments;
      segments = [];
      length = 0;
      // Indices are looked up in ascending order.
      let current = 0;
      let walked = -1;
      let walk: ReturnType<typeof walkSource>;
      return {
        text: taken.map(({ chars }) => chars).join(""),
        toSource(index, isEnd) {
          const place = isEnd ? index - 1 : index;
          while (current + 1 < taken.length && taken[current + 1]!.at <= place) current++;
          const segment = taken[current]!;
          const inside = index - segment.at;
          if (segment.chars.length === segment.end - segment.start) return segment.start + inside;
          if (walked !== current)
            walk = walkSource(slice(segment.start, segment.end), segment, hasCdata);
          walked = current;
          return segment.start + walk(inside, isEnd);
        },
      };
    },
  };
}

/**
 * Returns a function that maps a count of decoded characters to the length of their source. At the start of a link, the
 * length includes the marks of CDATA sections before the next character. The counts of successive calls must not
 * decrease.
 */
function walkSource(
  source: string,
  { chars, isCdata: isInside }: Segment,
  hasCdata: boolean,
): (count: number, isEnd: boolean) => number {
  let i = 0;
  let at = 0;
  let isCdata = isInside;
  const skipMarks = () => {
    while (hasCdata) {
      const mark = isCdata ? CDATA_END : CDATA_START;
      if (!source.startsWith(mark, at)) return;
      at += mark.length;
      isCdata = !isCdata;
    }
  };
  return (count, isEnd) => {
    for (; i < count && at < source.length; i++) {
      skipMarks();
      REFERENCE.lastIndex = at;
      const [reference] = REFERENCE.exec(source) ?? [];
      const isLiteral =
        reference === undefined ||
        (isCdata && reference.startsWith("&")) ||
        (chars[i] === "&" && LITERAL_AMPERSAND.test(reference));
      at += isLiteral ? 1 : reference.length;
      // A character reference may stand for a surrogate pair.
      if (!isLiteral && /[\ud800-\udbff]/.test(chars[i]!)) i++;
    }
    if (!isEnd) skipMarks();
    return at;
  };
}

function endsInCdata(source: string, isInside: boolean): boolean {
  let isCdata = isInside;
  let at = 0;
  for (;;) {
    const mark = isCdata ? CDATA_END : CDATA_START;
    const next = source.indexOf(mark, at);
    if (next === -1) return isCdata;
    at = next + mark.length;
    isCdata = !isCdata;
  }
}
