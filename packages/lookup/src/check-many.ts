import type { CanonicalUrl } from "@x/canon";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "./type-error.ts";
import type { UrlBatch } from "./url-batch.ts";
import { NOT_LISTED, type UrlVerdict } from "./verdict.ts";

/** How many URLs are taken at a time. */
const CHUNK_URLS = 256;

/**
 * One verdict for each URL, in their order. A URL is written into the batch when it is taken, because the owner of
 * bytes may write the next URL into them.
 */
export function* checkUrls(
  batch: UrlBatch,
  urls: Iterable<string | Uint8Array | CanonicalUrl>,
): Generator<UrlVerdict, void, undefined> {
  // Text is iterable too, and none of its characters would be found.
  if (typeof urls === "string" || isUint8Array(urls)) {
    throw typeError("urls", "an array or another iterable of URLs", urls);
  }
  for (const url of urls) {
    batch.add(url);
    if (batch.count() === CHUNK_URLS || batch.isFull()) yield* verdicts(batch);
  }
  yield* verdicts(batch);
}

/** The verdicts on the URLs of a batch. */
function verdicts(batch: UrlBatch): UrlVerdict[] {
  const all = new Array<UrlVerdict>(batch.count()).fill(NOT_LISTED);
  for (const { index, matches, safeMatches, error } of batch.finish()) {
    all[index] = { matches, safeMatches, error };
  }
  return all;
}
