import { type Command, Option } from "commander";
import { Failure } from "../failure.ts";

/** How results are written: as text, as one JSON array, as one JSON object per line, or as one row per line. */
export type Format = "text" | "json" | "ndjson" | "tsv";

export interface FormatOptions {
  readonly format?: Format;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly tsv?: boolean;
}

export function addFormatOptions(command: Command): Command {
  return addFormats(command, ["text", "json", "ndjson"]);
}

/** The format options of a command that also writes rows. */
export function addFormatOptionsWithRows(command: Command): Command {
  return addFormats(command, ["text", "json", "ndjson", "tsv"]).option(
    "--tsv",
    "the same as --format tsv: one row for each line of input",
  );
}

function addFormats(command: Command, formats: readonly Format[]): Command {
  return command
    .addOption(
      new Option("--format <format>", "how to write results (default: text)").choices(formats),
    )
    .option("--json", "the same as --format json: one array")
    .option("--ndjson", "the same as --format ndjson: one object per line");
}

/** @throws {Failure} when the options name two formats. */
export function formatOf({ format, json, ndjson, tsv }: FormatOptions): Format {
  const named = new Set<Format>();
  if (format) named.add(format);
  if (json) named.add("json");
  if (ndjson) named.add("ndjson");
  if (tsv) named.add("tsv");
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
  tsv: LINES,
  json: { beforeFirst: "[\n", beforeOthers: ",\n", after: "", end: "\n]\n", endOfNone: "[]\n" },
};
