import {
  type HashedUri,
  type HashedUriError,
  parseHashedUri,
  type UnusableHashedUri,
} from "@x/hashed-uri";
import { lineTooLong } from "../../text/line-too-long.ts";
import { printable, printableInShort } from "../../text/printable.ts";
import { withoutComments } from "../comments.ts";
import type { Context } from "../context.ts";
import { counted } from "../counted.ts";
import { NOT_A_URL } from "../exit-status.ts";
import { textOf } from "../on-text.ts";
import { readLines } from "../read-lines.ts";
import { Refused } from "../refused.ts";

/** A hashed URI that knows where it stands. */
export interface ListedHashedUri extends HashedUri {
  readonly list: string;
  readonly line: number;
}

/** `hosts.txt line 3`, for messages. */
export function placeOf({ list, line }: Pick<ListedHashedUri, "list" | "line">): string {
  return `${list === "-" ? "stdin" : printable(list)} line ${line}`;
}

/** Why an entry matches nothing. */
export function unusableText({ hashed, reason }: UnusableHashedUri): string {
  const { algorithm, value } = hashed;
  const name = printableInShort(algorithm);
  return reason === "algorithm-unknown"
    ? `matches nothing: the algorithm "${name}" is not known`
    : `matches nothing: no hash of ${name} has ${counted(value.length, "digit", "digits")}`;
}

function parseEntry(octets: Uint8Array, isTooLong: boolean): HashedUri | string {
  if (isTooLong) return lineTooLong(octets).message;
  try {
    return parseHashedUri(textOf(octets));
  } catch (error) {
    if (error instanceof Refused || (error as HashedUriError).name === "HashedUriError") {
      return printable((error as Error).message);
    }
    throw error;
  }
}

/**
 * Adds the hashed URIs in a file, `-` being stdin, to `entries`. Lines that are none are reported and left out.
 *
 * @throws {Failure} when it cannot be read.
 */
export async function readHashedList(
  list: string,
  entries: ListedHashedUri[],
  { io, stderr, addStatus }: Context,
): Promise<void> {
  for await (const lines of readLines(list, io)) {
    let errors = "";
    for (const { number: line, octets, isTooLong } of withoutComments(lines)) {
      const entry = parseEntry(octets, isTooLong);
      if (typeof entry === "string") errors += `urlhash: ${placeOf({ list, line })}: ${entry}\n`;
      else entries.push({ ...entry, list, line });
    }
    if (errors.length > 0) addStatus(NOT_A_URL);
    await stderr.write(errors);
  }
}
