import { Failure } from "@x/command-line";
import type { Command } from "commander";
import type { Frame } from "./frame.ts";

/** The format of results: text, one JSON array, one JSON object per line, or one row per line. */
export type Format = "text" | "json" | "ndjson" | "tsv";

/** The flags that choose a format. Without one, results are text. */
export type FormatOptions = { readonly [Name in Exclude<Format, "text">]?: boolean };

/** @param hasRows whether the command can write rows. */
export function addFormatOptions(
  command: Command,
  { hasRows = false }: { readonly hasRows?: boolean } = {},
): Command {
  command
    .option("--json", "write one JSON array")
    .option("--ndjson", "write one JSON object per line");
  return hasRows ? command.option("--tsv", "write one row for each line of input") : command;
}

/** `--json`, for commands that have one result. */
export function addJsonOption(command: Command): Command {
  return command.option("--json", "write the result as one JSON object");
}

/** @throws {Failure} when the options name two formats. */
export function formatOf(options: FormatOptions): Format {
  const [named = "text", ...others] = (["json", "ndjson", "tsv"] as const).filter(
    (name) => options[name],
  );
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
  json: { beforeFirst: "[\n", beforeOthers: ",\n", after: "", end: "\n]\n", endOfNone: "[]\n" },
};
