import { Failure } from "@x/command-line";
import type { Command } from "commander";

/** The format of results: text, one JSON array, or one JSON object per line. */
export type Format = "text" | "json" | "ndjson";

/** The flags that choose a format. Without one, results are text. */
export type FormatOptions = { readonly [Name in Exclude<Format, "text">]?: boolean };

export function addFormatOptions(command: Command): Command {
  return command
    .option("--json", "write one JSON array")
    .option("--ndjson", "write one JSON object per line");
}

/** `--json`, for commands that have one result. */
export function addJsonOption(command: Command): Command {
  return command.option("--json", "write the result as one JSON object");
}

/** @throws {Failure} when the options name two formats. */
export function formatOf(options: FormatOptions): Format {
  const { json, ndjson } = options;
  if (json && ndjson) {
    throw new Failure("choose --json or --ndjson, not both");
  }
  return json ? "json" : ndjson ? "ndjson" : "text";
}

const LINES: Frame = { beforeFirst: "", beforeOthers: "", after: "\n", end: "", endOfNone: "" };

export const FRAMES: Readonly<Record<Format, Frame>> = {
  text: LINES,
  ndjson: LINES,
  json: { beforeFirst: "[\n", beforeOthers: ",\n", after: "", end: "\n]\n", endOfNone: "[]\n" },
};

/**
 * The text around and between records. This text never depends on the next record, so each result can be written at
 * once.
 */
interface Frame {
  readonly beforeFirst: string;
  readonly beforeOthers: string;
  readonly after: string;
  readonly end: string;
  readonly endOfNone: string;
}
