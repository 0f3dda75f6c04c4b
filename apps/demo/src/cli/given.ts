import { type Command, InvalidArgumentError } from "commander";
import type { Line } from "../lines.ts";
import { withoutComments } from "./comments.ts";
import type { Io } from "./context.ts";
import type { Given, Noun } from "./evaluate.ts";
import { Failure } from "./failure.ts";
import { type OnRead, readLines } from "./read-lines.ts";

/** For the help of commands that take URLs. */
export const GIVEN_HELP = `
URLs are arguments, or stand one per line in --file or on stdin (also: the
argument "-"). Lines are taken as octets, whatever their encoding. Blank lines
are passed over, but counted.`;

/** For the help of commands that take text of another kind. */
export function givenTextHelp(noun: Noun): string {
  return `
${noun === "name" ? "Name" : noun}s are arguments, or stand one per line in --file or on stdin (also: the
argument "-"). Lines are UTF-8. Blank lines are passed over, but counted.`;
}

export interface GivenOptions {
  readonly file?: string;
}

/** How lines are read. */
export interface ReadingOptions extends GivenOptions {
  /** Lines may be comments, and may have blanks around them. */
  readonly hasComments?: boolean;
  /** `URL` unless given. */
  readonly noun?: Noun;
}

export function addGivenOptions(command: Command, noun: Noun = "URL"): Command {
  return command
    .argument(`[${noun.toLowerCase()}...]`, `${noun}s; "-" stands for the lines of stdin`)
    .option("--file <file>", `read ${noun}s from a file, one per line`, once);
}

/** An option of which a second value would silently take the place of the first. */
function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError("It was given already.");
  return value;
}

export function givenLines(lines: readonly Line[]): Given[] {
  return lines.map(({ number, octets, isTooLong }) => ({
    place: { line: number },
    url: octets,
    isTooLong,
  }));
}

/** The URLs of a command line in their order, in batches of what is there at the time. */
export async function* readGiven(
  urls: readonly string[],
  { file, hasComments = false, noun = "URL" }: ReadingOptions,
  io: Io,
  onRead: OnRead = () => {},
): AsyncGenerator<Given[]> {
  const select = hasComments ? withoutComments : (lines: readonly Line[]) => lines;
  if (file !== undefined && file !== "-") {
    for await (const lines of readLines(file, io, onRead)) yield givenLines(select(lines));
    return;
  }
  if (urls.length === 0 && io.stdin.isTTY) {
    io.stderr.write(`urlhash: reading ${noun}s from the terminal, one per line; Ctrl-D ends\n`);
  }
  let argument = 0;
  for (const url of urls.length === 0 ? ["-"] : urls) {
    argument++;
    if (url === "-") {
      for await (const lines of readLines("-", io, onRead)) yield givenLines(select(lines));
    } else yield [{ place: { argument }, url, isTooLong: false }];
  }
}

/** @throws {Failure} when URLs are given in two ways. */
export function checkGiven(
  urls: readonly string[],
  { file }: GivenOptions,
  noun: Noun = "URL",
): void {
  if (file !== undefined && urls.length > 0) {
    throw new Failure(`give ${noun}s as arguments or with --file, not both`);
  }
}
