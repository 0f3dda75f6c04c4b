/** A piece of decoded text, and the part of the source that it was decoded from. */
interface Segment {
  readonly chars: string;
  /** Its index in the joined text. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Text as it is shown: the pieces between tags, without the tags. */
export interface VisibleText {
  readonly length: () => number;
  readonly start: () => number;
  readonly add: (chars: string, start: number, end: number) => void;
  /** Takes the text, and a function from its indices to those of the source. */
  readonly take: () => {
    readonly text: string;
    readonly toSource: (index: number, isEnd: boolean) => number;
  };
}

const REFERENCE = /&(?:#x?[0-9a-f]+|[a-z0-9]+);?|\r\n/iy;
const LITERAL_AMPERSAND = /^&(?!amp|#0*38|#x0*26)/i;

/** @param slice The source between two indices. */
export function visibleText(slice: (start: number, end: number) => string): VisibleText {
  let segments: Segment[] = [];
  let length = 0;
  return {
    length: () => length,
    start: () => segments[0]?.start ?? Number.POSITIVE_INFINITY,
    add(chars, start, end) {
      segments.push({ chars, at: length, start, end });
      length += chars.length;
    },
    take() {
      const taken = segments;
      segments = [];
      length = 0;
      // Indices are asked about in order.
      let current = 0;
      return {
        text: taken.map(({ chars }) => chars).join(""),
        toSource(index, isEnd) {
          const place = isEnd ? index - 1 : index;
          while (current + 1 < taken.length && taken[current + 1]!.at <= place) current++;
          const segment = taken[current]!;
          const inside = index - segment.at;
          if (segment.chars.length === segment.end - segment.start) return segment.start + inside;
          return (
            segment.start + sourceLength(slice(segment.start, segment.end), segment.chars, inside)
          );
        },
      };
    },
  };
}

/** How much of a source stands for the first characters of the text that was decoded from it. */
function sourceLength(source: string, chars: string, count: number): number {
  let at = 0;
  for (let i = 0; i < count && at < source.length; i++) {
    REFERENCE.lastIndex = at;
    const [reference] = REFERENCE.exec(source) ?? [];
    const isLiteral =
      reference === undefined || (chars[i] === "&" && LITERAL_AMPERSAND.test(reference));
    at += isLiteral ? 1 : reference.length;
    // A reference may stand for a surrogate pair.
    if (!isLiteral && /[\ud800-\udbff]/.test(chars[i]!)) i++;
  }
  return at;
}
