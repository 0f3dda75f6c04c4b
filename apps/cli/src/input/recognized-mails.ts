import { type RecognizedMail, recognizeMail } from "@x/links/mail";

/** What a file without a known ending is, and all of its pieces. */
export interface Recognized {
  readonly kind: Exclude<RecognizedMail, "unknown">;
  readonly pieces: AsyncGenerator<Uint8Array>;
}

/** Enough for the headers of a mail. */
const START_LENGTH = 65_536;

/** Recognizes mails by how they begin. Of other files, it waits only for as much as could be the headers of a mail. */
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
      // A start that arrives byte by byte is not looked at each time.
      if (start.length < 2 * looked && start.length < START_LENGTH) continue;
    }
    looked = start.length;
    const isWhole = done === true || start.length >= START_LENGTH;
    const kind = recognizeMail(start.slice(0, START_LENGTH), isWhole);
    if (kind !== "unknown") return { kind, pieces: afterFirst(first, iterator) };
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
