import { inputText, type Refusal } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import {
  describeProblem,
  type HashedUri,
  type HashedUriListHeader,
  type HashedUriListLine,
  parseHashedUriListLine,
} from "@x/hashed-uri";
import type { Context } from "../context.ts";
import { REFUSED } from "../exit-status.ts";
import { refuseForeignInput } from "./foreign-input.ts";
import { fileLines, nameOf, readBlocks } from "./read-file.ts";

/** A hashed URI and its place in a list. */
export interface ListedHashedUri extends HashedUri {
  readonly list: string;
  readonly line: number;
}

/** A list of hashed URIs, with its header. */
export interface HashedUriList {
  readonly file: string;
  readonly header: HashedUriListHeader;
  readonly entries: readonly ListedHashedUri[];
}

/** Formats the place of a line for messages, such as `hosts.txt line 3`. */
export function placeInList({ list, line }: Pick<ListedHashedUri, "list" | "line">): string {
  return `${nameOf(list)} line ${line}`;
}

function parseLine(bytes: Uint8Array, header: HashedUriListHeader): HashedUriListLine | Refusal {
  const text = inputText(bytes);
  if (typeof text !== "string") return text;
  const line = parseHashedUriListLine(text, header);
  return line.kind === "refused" ? { error: describeProblem(text, line) } : line;
}

/**
 * Reads a list of hashed URIs (`-` is stdin). Reports lines that are not hashed URIs, and a header whose count differs
 * from the number of entries.
 *
 * @throws {Failure} when the file cannot be read, or looks like another format.
 */
export async function readHashedUriList(
  list: string,
  { io, stderr, addStatus }: Context,
): Promise<HashedUriList> {
  const entries: ListedHashedUri[] = [];
  let header: HashedUriListHeader = {};
  let refused = 0;
  const onStart = (start: Uint8Array): void =>
    refuseForeignInput(start, nameOf(list), "hashed URI");
  for await (const block of readBlocks(list, io, () => {}, onStart)) {
    let errors = "";
    for (const { number: line, bytes } of fileLines(block)) {
      const parsed = parseLine(bytes, header);
      if ("error" in parsed) {
        refused++;
        errors += `urlhash: ${placeInList({ list, line })}: ${printable(parsed.error.message)}\n`;
      } else if (parsed.kind === "header") {
        header = parsed.header;
      } else if (parsed.kind === "entry") {
        entries.push({ ...parsed.hashed, list, line });
      }
    }
    await stderr.write(errors);
  }
  const { count } = header;
  if (count !== undefined && count !== entries.length) {
    refused++;
    const has = `says that it has ${counted(count, "hashed URI", "hashed URIs")}, but has ${entries.length}`;
    await stderr.write(`urlhash: ${nameOf(list)} ${has}: part of it may be missing\n`);
  }
  if (entries.length === 0 && refused === 0) {
    await stderr.write(
      `urlhash: warning: ${nameOf(list)} has no hashed URIs: nothing can match it\n`,
    );
  }
  if (refused > 0) addStatus(REFUSED);
  return { file: list, header, entries };
}
