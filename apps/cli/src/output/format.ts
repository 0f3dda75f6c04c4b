import { type Command, Option } from "commander";
import { Failure } from "../failure.ts";

/** How results are written: as text for people, as one JSON array, or as one JSON object a line. */
export type Format = "text" | "json" | "ndjson";

export interface FormatOptions {
  readonly format?: Format;
  readonly json?: boolean;
  readonly ndjson?: boolean;
}

export function addFormatOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--format <format>", "how to write results (default: text)").choices([
        "text",
        "json",
        "ndjson",
      ]),
    )
    .option("--json", "the same as --format json: one array")
    .option("--ndjson", "the same as --format ndjson: one object per line");
}

/** @throws {Failure} when the options name two formats. */
export function formatOf({ format, json, ndjson }: FormatOptions): Format {
  const named = new Set<Format>();
  if (format) named.add(format);
  if (json) named.add("json");
  if (ndjson) named.add("ndjson");
  if (named.size > 1) {
    throw new Failure(`${[...named].join(" and ")} cannot be used together: choose one format`);
  }
  return [...named][0] ?? "text";
}

/** The text around and between records. It never depends on the next record, so results come at once. */
interface Frame {
  readonly beforeFirst: string;
  readonly beforeOthers: string;
  readonly after: string;
  readonly end: string;
  readonly endOfNone: string;
}

const LINES: Frame = { beforeFirst: "", beforeOthers: "", after: "\n", end: "", endOfNone: "" };

export const FRAMES: Readonly<Record<Format, Frame>> = {
  text: LINES,
  ndjson: LINES,
  json: { beforeFirst: "[\n", beforeOthers: ",\n", after: "", end: "\n]\n", endOfNone: "[]\n" },
};
