import { parseUrl } from "@x/canon";
import { expressionSlices } from "@x/expressions";
import { fullHash } from "@x/sha256-prefix";

/** The full hash of the exact host, path and query of a URL: what an entry of a list stands for. */
export function entryHash(entry: string | Uint8Array): Uint8Array {
  const { text, ends } = expressionSlices(parseUrl(entry));
  return fullHash(text.slice(0, ends[0]));
}
