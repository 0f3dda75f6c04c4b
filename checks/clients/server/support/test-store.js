import {
  findFullHashes,
  generateSigningKey,
  loadList,
  publish,
  signerOf,
} from "../../../../packages/list-store/dist/index.js";
import { fullHash } from "../../../../packages/sha256-prefix/dist/index.js";

/* Publishes a list of hosts to a storage with the library, and reads it. */

export const LIST = "malware";
const DAY = 24 * 60 * 60 * 1000;
const signer = await signerOf(await generateSigningKey("test"));
export const PUBLIC_KEYS = [signer.publicKey];

export const publishTo = (storage, expressions) =>
  publish({
    ...{ storage, list: LIST, signer, publicKeys: PUBLIC_KEYS, lifetime: DAY },
    fullHashes: expressions.map((expression) => fullHash(expression)),
  });

export const load = (storage, before, publicKeys = PUBLIC_KEYS) =>
  loadList({ storage, list: LIST, publicKeys }, before);

/** Which of the expressions a reader finds on the list, with their full hashes. */
export async function found(storage, list, expressions) {
  const finds = async (expression) => {
    const hash = Buffer.from(fullHash(expression));
    const hashes = await findFullHashes(storage, list, hash.subarray(0, 4));
    return hashes.some((each) => hash.equals(each));
  };
  const results = await Promise.all(expressions.map(finds));
  return expressions.filter((_, i) => results[i]);
}
