import { entryOnLine, inputText, type Refusal, refusalOf } from "@x/explain";
import { printable } from "@x/explain/printable";
import { type HashedUri, parseHashedUri } from "@x/hashed-uri";
import type { Context } from "../context.ts";
import { REFUSED } from "../exit-status.ts";
import { fileLines, nameOf, readBlocks } from "./read-file.ts";

/** A hashed URI, and where it stands. */
export interface ListedHashedUri extends HashedUri {
  readonly list: string;
  readonly line: number;
}

/** `hosts.txt line 3`, for messages. */
export function placeOf({ list, line }: Pick<ListedHashedUri, "list" | "line">): string {
  return `${nameOf(list)} line ${line}`;
}

function parseEntry(bytes: Uint8Array): HashedUri | Refusal {
  const text = inputText(bytes);
  if (typeof text !== "string") return text;
  try {
    return parseHashedUri(text);
  } catch (error) {
    return refusalOf(error);
  }
}

/**
 * Adds the hashed URIs in a file (`-` is stdin) to `entries`. Lines that are not hashed URIs are reported.
 *
 * @throws {Failure} when the file cannot be read.
 */
export async function readHashedUriList(
  list: string,
  entries: ListedHashedUri[],
  { io, stderr, addStatus }: Context,
): Promise<void> {
  for await (const block of readBlocks(list, io)) {
    let errors = "";
    for (const { number: line, bytes } of fileLines(block)) {
      const entry = entryOnLine(bytes);
      if (entry === null) continue;
      const parsed = parseEntry(entry);
      if ("error" in parsed) {
        errors += `urlhash: ${placeOf({ list, line })}: ${printable(parsed.error.message)}\n`;
      } else {
        entries.push({ ...parsed, list, line });
      }
    }
    if (errors !== "") addStatus(REFUSED);
    await stderr.write(errors);
  }
}
