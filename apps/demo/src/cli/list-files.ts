import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { decodePrefixList, type PrefixList, type PrefixListError } from "@x/prefix-list";
import type { Command } from "commander";
import { printable } from "../text/printable.ts";
import type { Context } from "./context.ts";
import { Failure, reasonOf } from "./failure.ts";

/** An option that may be given more than once. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

export function addListOption(command: Command): Command {
  return command.option(
    "--list <file>",
    "check against this list of hash prefixes; may be given more than once",
    collect,
  );
}

/** @throws {Failure} */
export async function readOctets(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Failure(`cannot read ${printable(file)}: ${reasonOf(error)}`);
  }
}

/** What a decoder makes of a file's octets. @throws {Failure} for a broken or foreign file. */
export function decodeOctets<T>(
  file: string,
  octets: Uint8Array,
  what: "list" | "difference",
  decode: (octets: Uint8Array) => T,
): T {
  try {
    return decode(octets);
  } catch (error) {
    if ((error as PrefixListError).name !== "PrefixListError") throw error;
    const isForeign = (error as PrefixListError).code === "foreign";
    const advice =
      what === "list" && isForeign ? '; "urlhash list build" makes a list of text' : "";
    throw new Failure(
      `${printable(file)} is not a good ${what}: ${printable(reasonOf(error))}${advice}`,
    );
  }
}

/** The list in a file. @throws {Failure} */
export async function readList(file: string): Promise<PrefixList> {
  return decodeOctets(file, await readOctets(file), "list", decodePrefixList);
}

/**
 * The lists in the files that an option names, or else in the default ones. A file that is named twice is
 * one list, so that its matches are told once.
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
