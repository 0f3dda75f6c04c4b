import type { Command } from "commander";
import type { Io } from "./context.ts";
import type { Given } from "./evaluate.ts";
import { Failure } from "./failure.ts";
import type { Line } from "./lines.ts";
import { type OnRead, readLines } from "./read-lines.ts";

/** For the help of commands that take URLs. */
export const GIVEN_HELP = `
URLs are arguments, or stand one per line in --file or on stdin (also: the argument "-").
Lines are taken as octets, whatever their encoding. Blank lines are passed over, but counted.`;

export interface GivenOptions {
  readonly file?: string;
}

export function addGivenOptions(command: Command): Command {
  return command
    .argument("[url...]", 'URLs; "-" stands for the lines of stdin')
    .option("--file <file>", "read URLs from a file, one per line");
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
  { file }: GivenOptions,
  io: Io,
  onRead: OnRead = () => {},
): AsyncGenerator<Given[]> {
  if (file !== undefined && file !== "-") {
    for await (const lines of readLines(file, io, onRead)) yield givenLines(lines);
    return;
  }
  if (urls.length === 0 && io.stdin.isTTY) {
    io.stderr.write("urlhash: reading URLs from the terminal, one per line; Ctrl-D ends\n");
  }
  let argument = 0;
  for (const url of urls.length === 0 ? ["-"] : urls) {
    argument++;
    if (url === "-") {
      for await (const lines of readLines("-", io, onRead)) yield givenLines(lines);
    } else yield [{ place: { argument }, url, isTooLong: false }];
  }
}

/** @throws {Failure} when URLs are given in two ways. */
export function checkGiven(urls: readonly string[], { file }: GivenOptions): void {
  if (file !== undefined && urls.length > 0) {
    throw new Failure("give URLs as arguments or with --file, not both");
  }
}
