import { Failure } from "@x/command-line";
import { type Command, Option } from "commander";
import type { Frame } from "./frame.ts";

/**
 * The format of results: text, one JSON array, one JSON object per line, one row per line, or commands for a
 * GitHub workflow.
 */
export type Format = "text" | "json" | "ndjson" | "tsv" | "github";

export interface FormatOptions {
  readonly format?: Format;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly tsv?: boolean;
}

/**
 * `hasRows` adds the format `tsv`, and `hasAnnotations` adds `github`.
 */
export function addFormatOptions(
  command: Command,
  {
    hasRows = false,
    hasAnnotations = false,
  }: { readonly hasRows?: boolean; readonly hasAnnotations?: boolean } = {},
): Command {
  const formats: Format[] = ["text", "json", "ndjson"];
  if (hasRows) formats.push("tsv");
  if (hasAnnotations) formats.push("github");
  command
    .addOption(
      new Option("--format <format>", "how to write results (default: text)").choices(formats),
    )
    .option("--json", "the same as --format json: one array")
    .option("--ndjson", "the same as --format ndjson: one object per line");
  return hasRows
    ? command.option("--tsv", "the same as --format tsv: one row for each line of input")
    : command;
}

/** `--json`, for commands that have one result. */
export function addJsonOption(command: Command): Command {
  return command.option("--json", "write the result as one JSON object");
}

/** @throws {Failure} when the options name two formats. */
export function formatOf({ format, ...flags }: FormatOptions): Format {
  const short = (["json", "ndjson", "tsv"] as const).filter((name) => flags[name]);
  const [named = "text", ...others] = new Set(format === undefined ? short : [format, ...short]);
  if (others.length > 0) {
    const all = [named, ...others].join(" and ");
    throw new Failure(`${all} cannot be used together: choose one format`);
  }
  return named;
}

const LINES: Frame = { beforeFirst: "", beforeOthers: "", after: "\n", end: "", endOfNone: "" };

export const FRAMES: Readonly<Record<Format, Frame>> = {
  text: LINES,
  ndjson: LINES,
  tsv: LINES,
  github: LINES,
  json: { beforeFirst: "[\n", beforeOthers: ",\n", after: "", end: "\n]\n", endOfNone: "[]\n" },
};
