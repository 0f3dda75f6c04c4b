import type { CanonicalUrl } from "@x/canon";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "./type-error.ts";
import type { UrlBatch } from "./url-batch.ts";
import { NOT_LISTED, type UrlVerdict } from "./verdict.ts";

/** How many URLs are taken at a time. */
const CHUNK_URLS = 256;

/**
 * The URLs in chunks. Bytes are copied when they are taken, because their owner may write the next URL into them.
 * A single URL is refused: text is iterable too, and none of its characters would be found.
 */
export function* inChunks(
  urls: Iterable<string | Uint8Array | CanonicalUrl>,
): Generator<(string | Uint8Array | CanonicalUrl)[], void, undefined> {
  if (typeof urls === "string" || isUint8Array(urls)) {
    throw typeError("urls", "an array or another iterable of URLs", urls);
  }
  let chunk = [];
  for (const url of urls) {
    // Not `url.slice()`: on a Node Buffer that is a view of the same memory.
    chunk.push(isUint8Array(url) ? new Uint8Array(url) : url);
    if (chunk.length < CHUNK_URLS) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

/** One verdict for each URL, in their order. */
export function verdictsOf(
  batch: UrlBatch,
  urls: readonly (string | Uint8Array | CanonicalUrl)[],
): UrlVerdict[] {
  const verdicts = new Array<UrlVerdict>(urls.length).fill(NOT_LISTED);
  let first = 0;
  const finish = () => {
    const count = batch.count();
    for (const { index, matches, safeMatches, error } of batch.finish()) {
      verdicts[first + index] = { matches, safeMatches, error };
    }
    first += count;
  };
  for (const url of urls) {
    batch.add(url);
    if (batch.isFull()) finish();
  }
  finish();
  return verdicts;
}
