import { recognizeMail } from "@x/links/mail";
import type { LinkFormat } from "./link-formats.ts";

/** The format that the contents of a file have, and all chunks of the file. */
export interface Recognized {
  readonly format: LinkFormat;
  readonly pieces: AsyncGenerator<Uint8Array>;
}

/** The maximum number of bytes that are searched for the headers of a mail. */
const START_LENGTH = 65_536;

/** The beginning of a page or of XML, which has character references like a page. */
const PAGE = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml)[\s>]/i;
/** What may become the beginning of a page. */
const PAGE_SO_FAR = /^(?:\xef\xbb\xbf)?\s*(?:<[!?]?[a-z]{0,7})?$/i;

/**
 * Recognizes mails by their headers, and pages by their first tag. Other files are passed on as soon as their beginning
 * cannot be that of one of these.
 */
export async function recognized(pieces: AsyncIterable<Uint8Array>): Promise<Recognized> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let start = "";
  let looked = 0;
  for (;;) {
    const { done, value } = await iterator.next();
    if (done !== true) {
      first.push(value);
      start += Buffer.from(value.subarray(0, START_LENGTH)).toString("latin1");
      // A beginning that arrives byte by byte is examined only when its length has doubled.
      if (start.length < 2 * looked && start.length < START_LENGTH) continue;
    }
    looked = start.length;
    const isWhole = done === true || start.length >= START_LENGTH;
    const kind = recognizeMail(start.slice(0, START_LENGTH), isWhole);
    if (kind === "unknown" || (!isWhole && PAGE_SO_FAR.test(start))) continue;
    const other = PAGE.test(start) ? "html" : "text";
    return { format: kind === "neither" ? other : "mail", pieces: afterFirst(first, iterator) };
  }
}

async function* afterFirst(
  first: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
