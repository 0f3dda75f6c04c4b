const LINE_FEED = 0x0a;
/** When more than this many bytes of an unfinished line have been read, they become a part of the line. */
const MOST_KEPT = 2 ** 20;

/** A line, or a part of a long one. */
interface LinePart {
  readonly bytes: Uint8Array;
  readonly isStart: boolean;
}

/** Splits a file into lines, with their line ends. Long lines are split into parts. */
async function* linePartsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LinePart> {
  let kept = Buffer.alloc(0);
  let isStart = true;
  for await (const piece of pieces) {
    const all = kept.length === 0 ? Buffer.from(piece) : Buffer.concat([kept, piece]);
    let start = 0;
    for (let end = all.indexOf(LINE_FEED); end >= 0; end = all.indexOf(LINE_FEED, start)) {
      yield { bytes: all.subarray(start, end + 1), isStart };
      isStart = true;
      start = end + 1;
    }
    kept = all.subarray(start);
    if (kept.length > MOST_KEPT) {
      yield { bytes: kept, isStart };
      isStart = false;
      kept = Buffer.alloc(0);
    }
  }
  if (kept.length > 0) yield { bytes: kept, isStart };
}

const isBlank = (line: string): boolean => line === "\n" || line === "\r\n";

/**
 * The mails in an mbox file (RFC 4155): each starts after a line that begins with `From `, at the start of the file or
 * after a blank line. In mails, one `>` before such a line is removed, as in the variant "mboxrd".
 *
 * @param maxBytes a longer mail is cut off after one byte more than this.
 */
export async function* messagesInMbox(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let mail = collector(maxBytes);
  let isAfterBlank = true;
  for await (const { bytes, isStart } of linePartsOf(pieces)) {
    const start = isStart ? Buffer.from(bytes.subarray(0, 64)).toString("latin1") : "";
    if (isAfterBlank && start.startsWith("From ")) {
      if (!mail.isEmpty()) yield mail.take();
      mail = collector(maxBytes);
    } else {
      mail.add(/^>+From /.test(start) ? bytes.subarray(1) : bytes);
    }
    isAfterBlank = isStart && isBlank(start);
  }
  if (!mail.isEmpty()) yield mail.take();
}

/** Yields a file as one mail, which is cut off after one byte more than `maxBytes`. */
export async function* oneMessage(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const mail = collector(maxBytes);
  for await (const piece of pieces) mail.add(piece);
  yield mail.take();
}

/** Collects the bytes of a mail, up to one byte more than `maxBytes`. */
function collector(maxBytes: number) {
  const pieces: Uint8Array[] = [];
  let length = 0;
  return {
    add(piece: Uint8Array): void {
      const more = piece.subarray(0, maxBytes + 1 - length);
      if (more.length > 0) pieces.push(new Uint8Array(more));
      length += more.length;
    },
    isEmpty: () => length === 0,
    take: (): Uint8Array => Buffer.concat(pieces),
  };
}
