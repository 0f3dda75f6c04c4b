import type { FindUrnsOptions } from "@x/urn";
import { printable } from "../../text/printable.ts";
import type { Colours, Io } from "../context.ts";
import type { Block } from "../evaluate.ts";
import { type Format, FRAMES } from "../format.ts";
import { toJson } from "../json.ts";
import { readPieces } from "../read-pieces.ts";
import { MAX_RUN_BYTES, type UrnOrRun, urnFinder } from "./urn-finder.ts";

interface Style {
  readonly format: Format;
  readonly colours: Colours;
}

const TOO_LONG = {
  code: "run-too-long",
  message: `URNs are not looked for in more than ${MAX_RUN_BYTES} octets without a space`,
};

function recordOf(file: string | null, found: UrnOrRun): object {
  const { line, column, start, end } = found;
  // A member that is undefined is left out of JSON.
  const place = { file: file ?? undefined, line, column, start, end };
  if (found.text === null) return Object.assign(place, { error: TOO_LONG });
  // The spread of several objects takes most of the time of everything that is done here.
  return Object.assign(place, { urn: found.text }, found.urn);
}

function blockOf(
  results: readonly UrnOrRun[],
  octets: number,
  file: string | null,
  { format, colours }: Style,
): Block {
  const { beforeOthers, after } = FRAMES[format];
  const prefix = file === null ? "" : `${printable(file)}:`;
  let out = "";
  let errors = "";
  let runs = 0;
  for (const found of results) {
    const place = `${prefix}${found.line}:${found.column}:`;
    if (found.text === null) runs++;
    if (format !== "text") out += beforeOthers + toJson(recordOf(file, found)) + after;
    else if (found.text === null) errors += `urlhash: ${place} ${TOO_LONG.message}\n`;
    else out += `${colours.dim(place)} ${found.text}\n`;
  }
  return { out, errors, urls: results.length, listed: 0, notUrls: runs, octets };
}

/**
 * The URNs in files, `-` being stdin, in their order.
 *
 * @param names whether to say in which file.
 */
export async function* findInFiles(
  files: readonly string[],
  names: boolean,
  options: FindUrnsOptions,
  style: Style,
  io: Io,
): AsyncGenerator<Block> {
  for (const file of files) {
    const finder = urnFinder(options);
    const name = names ? file : null;
    for await (const piece of readPieces(file, io)) {
      yield blockOf(finder.push(piece), piece.length, name, style);
    }
    yield blockOf(finder.end(), 0, name, style);
  }
}
