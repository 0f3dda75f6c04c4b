import type { ListSourceErrorCode } from "@x/list-source";
import type { Io } from "../../context.ts";
import { Failure } from "../../failure.ts";
import { sourceProblem } from "../../input/foreign-input.ts";
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
  const problem = sourceProblem(start);
  if (problem === null || !HIDING.has(problem.code)) return;
  throw new Failure(`${nameOf(file)} looks like ${problem.found}: expected ${problem.expected}`);
}
