import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Failure } from "@x/command-line";
import { failTo, reasonOf } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { About } from "@x/list-store";
import {
  decodePrefixList,
  type PrefixList,
  type PrefixListError,
  prefixListFileKind,
} from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import { durationText } from "../output/layout.ts";
import { nameOf } from "./read-file.ts";

/** The maximum size of a list or difference in bytes: enough for 60 million full hashes. */
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** The number of bytes that distinguish a list from any other file. */
const HEADER_BYTES = 64;

/** Whether the name of a list is a URL instead of a file name. */
function isListUrl(text: string): boolean {
  return /^(?:https?|s3):\/\//i.test(text);
}

/** @throws {Failure} when a command that reads only files is given the URL of a list. */
export function refuseListUrl(file: string): void {
  if (!isListUrl(file)) return;
  throw new Failure(
    `${printable(file)} is not a file: urlhash list fetch writes the list at a URL to a file`,
  );
}

/**
 * Reads the bytes of a file. Reading stops as soon as the file cannot be a list or a difference, because a device may
 * never end.
 */
async function readAll(file: string): Promise<Uint8Array> {
  if ((await stat(file)).isDirectory()) {
    throw new Error(
      "it is a directory (check --lists-from reads the lists in a folder; a list in a store is named by its URL)",
    );
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isKnown = false;
  for await (const piece of createReadStream(file, { highWaterMark: 2 ** 20 })) {
    pieces.push(piece);
    bytes += piece.length;
    if (!isKnown && bytes >= HEADER_BYTES) {
      const start = pieces.length === 1 ? piece : Buffer.concat(pieces);
      // The decoder will report the problem with the bytes.
      if (prefixListFileKind(start) === null) return start;
      isKnown = true;
    }
    if (bytes > MAX_FILE_BYTES) throw new Error("it is larger than 2 GiB");
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes);
}

/**
 * Returns the bytes of a list or a difference, or the beginning of a file that is neither.
 *
 * @throws {Failure} when the file cannot be read, or is the URL of a list.
 */
export async function readBytes(file: string): Promise<Uint8Array> {
  refuseListUrl(file);
  return readAll(file).catch(failTo(`read ${nameOf(file)}`));
}

/** @throws {Failure} when the bytes are not a valid list, or are those of another kind of file. */
export function decodeBytes(file: string, bytes: Uint8Array): PrefixList {
  try {
    return decodeList(bytes);
  } catch (error) {
    if (!hasName<PrefixListError>(error, "PrefixListError")) throw error;
    const found = prefixListFileKind(bytes);
    if (found === "difference") {
      throw new Failure(`${printable(file)} is a difference, not a list`);
    }
    if (found === null) {
      throw new Failure(
        `${printable(file)} is not a list: "urlhash list build" makes a list from text`,
      );
    }
    const reason = printable(reasonOf(error)).replace(/\.$/, "");
    throw new Failure(`${printable(file)} is not a valid list: ${reason}`);
  }
}

/**
 * Decodes the bytes of a list with the platform's SHA-256, which is ten times faster than the default implementation.
 */
function decodeList(bytes: Uint8Array): PrefixList {
  const sha256 = (all: Uint8Array): Uint8Array => createHash("sha256").update(all).digest();
  return decodePrefixList(bytes, { sha256 });
}

/** @throws {Failure} when the file cannot be read, or is not a valid list. */
export async function readList(file: string): Promise<PrefixList> {
  return decodeBytes(file, await readBytes(file));
}

/** A list, and what its publisher says about it. */
export interface ListWithAbout extends PrefixList {
  readonly about?: About | undefined;
}

export type ReadListUrl = (url: string) => Promise<ListWithAbout>;

/**
 * Reads the lists in files and at URLs. A list that is named twice is read only once, so that its matches are reported
 * once.
 *
 * @throws {Failure} when a list cannot be read, or is not valid.
 */
export function readEach(
  names: readonly string[],
  readUrl: ReadListUrl = readList,
): Promise<ListWithAbout[]> {
  const distinct = new Map(names.map((name) => [isListUrl(name) ? name : resolve(name), name]));
  return Promise.all(
    [...distinct.values()].map((name) => (isListUrl(name) ? readUrl(name) : readList(name))),
  );
}

/** The warning about a list without entries. */
export const emptyListText = (name: string): string =>
  `the list ${printable(name)} is empty: no URL can be on it`;

/**
 * Returns lines for stderr that warn about lists that are empty, are too old, or have the same name.
 *
 * @param maxAge in milliseconds.
 */
export function listWarnings(
  lists: readonly PrefixList[],
  maxAge: number | undefined,
  now: number = Date.now(),
): string {
  const warnings: string[] = [];
  const names = new Map<string, number>();
  for (const { name, size, created } of lists) {
    const shown = printable(name);
    names.set(name, (names.get(name) ?? 0) + 1);
    if (size === 0) warnings.push(emptyListText(name));
    if (maxAge !== undefined && now - created > maxAge) {
      const date = new Date(created).toISOString();
      warnings.push(`the list ${shown} is ${durationText(now - created)} old: it was made ${date}`);
    }
  }
  for (const [name, count] of names) {
    if (count === 1) continue;
    warnings.push(`${count} lists are named ${printable(name)}: JSON tells them apart by checksum`);
  }
  return warnings.map((warning) => `urlhash: warning: ${warning}\n`).join("");
}
