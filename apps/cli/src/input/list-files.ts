import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { printable } from "@x/explain/printable";
import { decodePrefixList, type PrefixList, type PrefixListError } from "@x/prefix-list";
import type { Context } from "../context.ts";
import { Failure, reasonOf } from "../failure.ts";

/** @throws {Failure} */
export async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Failure(`cannot read ${printable(file)}: ${reasonOf(error)}`);
  }
}

/** Decodes the bytes of a file. @throws {Failure} when the file is broken, or of another kind. */
export function decodeBytes<T>(
  file: string,
  bytes: Uint8Array,
  kind: "list" | "difference",
  decode: (bytes: Uint8Array) => T,
): T {
  try {
    return decode(bytes);
  } catch (error) {
    if ((error as PrefixListError).name !== "PrefixListError") throw error;
    const isForeign = (error as PrefixListError).code === "foreign";
    const advice =
      kind === "list" && isForeign ? '; "urlhash list build" makes a list from text' : "";
    throw new Failure(
      `${printable(file)} is not a valid ${kind}: ${printable(reasonOf(error))}${advice}`,
    );
  }
}

/** The list in a file. @throws {Failure} */
export async function readList(file: string): Promise<PrefixList> {
  return decodeBytes(file, await readBytes(file), "list", decodePrefixList);
}

/**
 * The lists in the given files, or else in the default ones. A file that is named twice is one list, so that its
 * matches are reported once.
 *
 * @throws {Failure}
 */
export function readLists(
  files: readonly string[] | undefined,
  { defaultLists }: Context,
): Promise<PrefixList[]> {
  const distinct = new Map((files ?? defaultLists).map((file) => [resolve(file), file]));
  return Promise.all([...distinct.values()].map(readList));
}
