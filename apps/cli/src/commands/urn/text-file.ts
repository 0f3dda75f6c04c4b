import { ListSourceError, type ListSourceErrorCode, recognizeSource } from "@x/list-source";
import type { Io } from "../../context.ts";
import { Failure, reasonOf } from "../../failure.ts";
import { nameOf } from "../../input/read-file.ts";

/** The files that arguments name; stdin when there are none. */
export function filesOf(args: readonly string[], { stdin, stderr }: Io): readonly string[] {
  if (args.length > 0) return args;
  if (stdin.isTTY) stderr.write("urlhash: reading text from the terminal; Ctrl-D ends\n");
  return ["-"];
}

/** Kinds of sources in which the bytes of a URN are not next to each other. */
const HIDING: ReadonlySet<ListSourceErrorCode> = new Set(["utf-16", "compressed"]);

/** @throws {Failure} when URNs in the source would not be found. */
export function refuseHidden(start: Uint8Array, file: string): void {
  try {
    recognizeSource(start);
  } catch (error) {
    if (!(error instanceof ListSourceError)) throw error;
    if (HIDING.has(error.code)) throw new Failure(`${nameOf(file)}: ${reasonOf(error)}`);
  }
}
