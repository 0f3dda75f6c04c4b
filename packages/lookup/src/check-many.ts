import type { CanonicalUrl } from "@x/canon";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { type Batch, FILL_BYTES } from "./batch/batch.ts";
import type { UrlVerdict } from "./verdict.ts";

/** The number of URLs that are taken at a time. */
const CHUNK_URLS = 256;

/**
 * Yields arrays with one verdict for each URL, in order. Bytes are copied or parsed as soon as they are taken, because
 * their owner may then overwrite them with the next URL.
 */
export function* checkUrls(
  batch: Batch,
  urls: Iterable<string | Uint8Array | CanonicalUrl>,
): Generator<readonly UrlVerdict[], void, undefined> {
  // Text and bytes are also iterable, but their elements are not URLs.
  if (typeof urls === "string" || isUint8Array(urls)) {
    throw typeError("urls", "an array or another iterable of URLs", urls);
  }
  /** Texts that are waiting to be written into the batch together. */
  let texts: string[] = [];
  let length = 0;
  for (const url of urls) {
    const isText = typeof url === "string";
    if (!isText || length + url.length > FILL_BYTES) {
      yield* addTexts(batch, texts);
      texts = [];
      length = 0;
    }
    if (isText) {
      texts.push(url);
      length += url.length;
    } else {
      batch.add(url);
    }
    if (texts.length + batch.count() >= CHUNK_URLS || batch.isFull()) {
      yield* addTexts(batch, texts);
      yield batch.finish();
      texts = [];
      length = 0;
    }
  }
  yield* addTexts(batch, texts);
  yield batch.finish();
}

/** Adds texts to a batch. Yields the verdicts on URLs that were waiting in it, and more whenever it is full. */
function* addTexts(
  batch: Batch,
  texts: readonly string[],
): Generator<readonly UrlVerdict[], void, undefined> {
  if (texts.length === 0) return;
  if (batch.count() > 0) yield batch.finish();
  const areFilled = batch.fill(texts.join(""));
  let start = 0;
  for (const text of texts) {
    const end = start + text.length;
    if (areFilled) batch.addFilled(start, end);
    else batch.add(text);
    start = end;
    if (batch.isFull()) yield batch.finish();
  }
}

/** The prototype of all iterators, with `Symbol.iterator` and, on newer platforms, functions such as `map`. */
const ITERATOR: object = Object.getPrototypeOf(
  Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())),
);

/**
 * Yields the items of arrays one by one. A generator with `yield*` would do the same, but pass each item through every
 * nested generator.
 */
export function oneByOne<Item>(
  arrays: Generator<readonly Item[], void, undefined>,
): Generator<Item, void, undefined> {
  let items: readonly Item[] = [];
  let index = 0;

  function drop(): void {
    items = [];
    index = 0;
  }

  const own = {
    next(): IteratorResult<Item, void> {
      while (index === items.length) {
        drop();
        const next = arrays.next();
        if (next.done) return next;
        items = next.value;
      }
      return { done: false, value: items[index++]! };
    },
    return(value: undefined): IteratorResult<Item, void> {
      drop();
      arrays.return();
      return { done: true, value };
    },
    throw(error: unknown): IteratorResult<Item, void> {
      drop();
      arrays.throw(error);
      return { done: true, value: undefined };
    },
  };
  return Object.assign(Object.create(ITERATOR), own);
}
