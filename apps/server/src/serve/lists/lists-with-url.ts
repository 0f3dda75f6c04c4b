import { tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { expressions } from "@x/expressions";
import { fullHash } from "@x/sha256-prefix";
import { loadedOf } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { FullHashFinder } from "./find-full-hashes.ts";
import type { ServedList } from "./served-lists.ts";

/**
 * The hashes of a URL's expressions in both readings, since browsers open some texts differently than the
 * specification reads them. A text that neither reads is an error: nobody may take it for safe.
 */
function hashesOf(url: string): Uint8Array[] {
  const readings = [tryParseUrl(url), tryParseUrlAsBrowser(url)].filter((each) => each !== null);
  if (readings.length === 0) {
    throw new HttpProblem(400, "The request has an entry without a URL that can be read.");
  }
  const unique = new Set(readings.flatMap((reading) => [...expressions(reading)]));
  return [...unique].map((expression) => fullHash(expression));
}

/** Those of the lists that a URL is on; a list that may not be served is an error. */
export async function listsWithUrl(
  url: string,
  lists: readonly ServedList[],
  findFullHashes: FullHashFinder,
): Promise<ServedList[]> {
  const hashes = hashesOf(url);
  const found: ServedList[] = [];
  for (const served of lists) {
    for (const hash of hashes) {
      if ((await findFullHashes(loadedOf(served), hash)).length === 0) continue;
      found.push(served);
      break;
    }
  }
  return found;
}
