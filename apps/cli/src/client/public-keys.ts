import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { publicKeysIn, type StoreError } from "@x/list-store";

/** @throws {Failure} when a public key in the text is not valid. */
function parse(text: string): string[] {
  try {
    return publicKeysIn(text);
  } catch (error) {
    const { name, message } = error as StoreError;
    if (name !== "StoreError") throw error;
    throw new Failure(printable(message), { cause: error });
  }
}

/**
 * Returns `given` if it looks like a public key; otherwise, the public keys in the file with that name.
 *
 * @throws {Failure} when the file cannot be read or has no public key, or when a key is not valid.
 */
export async function readPublicKeys(given: string): Promise<string[]> {
  if (/^[^\s+]+\+[0-9a-f]{8}\+\S+$/u.test(given)) return parse(given);
  const text = await readFile(given, "utf8").catch(failTo(`read ${printable(given)}`));
  const keys = parse(text);
  if (keys.length === 0) throw new Failure(`${printable(given)} contains no public key`);
  return keys;
}
