import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { entriesOfHost, readListSource } from "@x/list-source";
import { fullHash } from "@x/sha256-prefix";
import type { Context } from "../../context.ts";
import { nameOf, readPieces } from "../../input/read-file.ts";

/**
 * Returns the host because of which an entry must be left out, or `null`.
 *
 * @param hash a full hash, or a hash prefix of at least 4 bytes.
 */
export type NeverBlock = (hash: Uint8Array) => string | null;

const keyOf = (hash: Uint8Array): string => Buffer.from(hash.subarray(0, 4)).toString("latin1");

/**
 * Reads a file of hosts that are never blocked: no entry may be for one of them, or for a host above it.
 *
 * @throws {Failure} when a line is not a host.
 */
export async function readNeverBlock(file: string, { io }: Context): Promise<NeverBlock> {
  const byKey = new Map<string, { readonly hash: Uint8Array; readonly host: string }[]>();
  function add(hash: Uint8Array, host: string): void {
    const others = byKey.get(keyOf(hash)) ?? [];
    if (!others.some((other) => isSame(hash, other.hash))) {
      byKey.set(keyOf(hash), [...others, { hash, host }]);
    }
  }
  await readListSource(readPieces(file, io), {
    format: "domains",
    onEntry({ text, expression }) {
      for (const each of entriesOfHost(expression!)) add(fullHash(each), text!);
    },
    onRefusal({ line, text, expected }) {
      throw new Failure(`${nameOf(file)} line ${line}: "${printable(text)}": expected ${expected}`);
    },
  });
  return (hash) => byKey.get(keyOf(hash))?.find((each) => isSame(hash, each.hash))?.host ?? null;
}

/** Whether a hash or hash prefix covers a full hash. */
function isSame(prefix: Uint8Array, hash: Uint8Array): boolean {
  return prefix.every((byte, i) => byte === hash[i]);
}
