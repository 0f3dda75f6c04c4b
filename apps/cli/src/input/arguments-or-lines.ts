import { statSync } from "node:fs";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { Failure, NOT_EMPTY, shellWord } from "@x/command-line";
import { entryOnLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import { type Line, linesIn } from "@x/lookup/lines";
import { type Command, InvalidArgumentError } from "commander";
import type { Io } from "../context.ts";
import {
  type Input,
  type InputPart,
  type Noun,
  placeOf,
  type RowBlock,
} from "../output/results.ts";
import { refuseForeignInput, refuseWithoutLines } from "./foreign-input.ts";
import type { LinkFormat } from "./link-formats.ts";
import { nameOf, type OnRead, readBlocks } from "./read-file.ts";
import { columnBlocks, columnOf, refuseNoTable } from "./tables.ts";

/** Returns the help text about the ways to give inputs. */
export function inputHelp(noun: Noun): string {
  const rest =
    noun === "URL"
      ? "Lines may have any encoding. Blank lines are skipped, but\ncounted."
      : "Lines are UTF-8. Blank lines are skipped, but counted.";
  return `
Give ${noun}s as arguments, or one per line in --file or on stdin (also: the
argument "-"). ${rest}
An argument that names a file, or looks like one, is refused, unless it is a
host such as example.com.`;
}

export interface InputOptions {
  readonly file?: string;
  /** The table column that holds the inputs. */
  readonly column?: string | number;
  /** Whether the inputs are the links in the file. */
  readonly find?: boolean;
  /** With `find`, the format of the file. */
  readonly as?: LinkFormat;
}

export function addInputOptions(command: Command, noun: Noun = "URL"): Command {
  return command
    .argument(`[${noun.toLowerCase()}...]`)
    .option("--file <file>", `read ${noun}s from a file instead of stdin, one per line`, once);
}

/** `--column`: the input is a table. */
export function addColumnOption(command: Command): Command {
  return command.option(
    "--column <column>",
    "read this column of a table (CSV or TSV): a number or a name",
    (value: string, previous: string | number | undefined) => columnOf(once(value, previous)),
  );
}

/** Refuses an option that is empty or given twice, because a second value would silently replace the first. */
function once(value: string, previous: unknown): string {
  if (value === "") throw new InvalidArgumentError(NOT_EMPTY);
  if (previous !== undefined) throw new InvalidArgumentError("The option was given twice.");
  return value;
}

/** @throws {Failure} when options cannot be combined with each other or with arguments. */
export function checkInputOptions(
  args: readonly string[],
  { file, column, find, as }: InputOptions,
  noun: Noun = "URL",
): void {
  if (as !== undefined && !find) throw new Failure("--as needs --find");
  if (find && column !== undefined) throw new Failure("--column cannot be used with --find");
  if (find && args.length > 0) {
    throw new Failure("--find is for a file in --file or on stdin, not for arguments");
  }
  if (column !== undefined && args.length > 0) {
    throw new Failure("--column is for tables in --file or on stdin, not for arguments");
  }
  if (file !== undefined && args.length > 0) {
    throw new Failure(`give ${noun}s as arguments or with --file, not both`);
  }
}

/** Returns the file that will be read (`-` for stdin), or `null` when all input is in arguments. */
export function fileToRead(args: readonly string[], { file }: InputOptions): string | null {
  return args.length > 0 && !args.includes("-") ? null : (file ?? "-");
}

/** Whether inputs are checked for other formats. Nearly any text can be read as a URL or URI, but not as a URN. */
export function isGuarded(noun: Noun): noun is "URL" | "URI" {
  return noun === "URL" || noun === "URI";
}

export interface InputRequest extends InputOptions {
  readonly args: readonly string[];
  readonly noun: Noun;
  readonly onRead?: OnRead;
}

/** The parts of a command's input, in order, as they arrive. A block is valid only until the next part. */
export async function* readInput(
  { args, noun, file = "-", column, find = false, as, onRead = () => {} }: InputRequest,
  io: Io,
): AsyncGenerator<InputPart> {
  if (find) {
    if (file === "-" && io.stdin.isTTY) {
      io.stderr.write("urlhash: reading text from the terminal; press Ctrl-D to end\n");
    }
    // The parsers of HTML, Markdown and emails take a while to load.
    const { linksToCheck } = await import("./found-links.ts");
    yield* linksToCheck({ file, as }, io, onRead);
    return;
  }
  async function* blocks(name: string): AsyncGenerator<RowBlock> {
    const read = readBlocks(name, io, onRead, (start) => {
      if (column !== undefined) refuseNoTable(start, name);
      else if (isGuarded(noun)) refuseForeignInput(start, nameOf(name), noun);
      else refuseWithoutLines(start, name);
    });
    if (column !== undefined) yield* columnBlocks(read, { column, file: name });
    else yield* read;
  }
  if (args.length === 0) {
    if (file === "-" && io.stdin.isTTY) {
      io.stderr.write(
        `urlhash: reading ${noun}s from the terminal, one per line; press Ctrl-D to end\n`,
      );
    }
    yield* blocks(file);
    return;
  }
  await refuseFileArguments(args, noun, (line) => void io.stderr.write(`urlhash: ${line}\n`));
  for (const [i, text] of args.entries()) {
    if (text === "-") yield* blocks("-");
    else yield { place: { argument: i + 1 }, text };
  }
}

/**
 * The position of an input: the index of its line in the file, and the indices of its bytes in the block. For an
 * argument, all of these are 0.
 */
export type InputSpan = Pick<Line, "line" | "start" | "end">;

const ARGUMENT: InputSpan = { line: 0, start: 0, end: 0 };

/** The positions of the inputs in a part. With `hasComments`, comments and the spaces around a line are skipped. */
export function* spansIn(
  part: InputPart,
  { hasComments }: { readonly hasComments: boolean } = { hasComments: false },
): Generator<InputSpan, void, undefined> {
  if ("place" in part) {
    yield ARGUMENT;
    return;
  }
  for (const span of linesIn(part)) {
    if (!hasComments) {
      yield span;
      continue;
    }
    const bytes = part.bytes.subarray(span.start, span.end);
    const text = entryOnLine(bytes);
    if (text === null) continue;
    const start = span.start + text.byteOffset - bytes.byteOffset;
    yield { line: span.line, start, end: start + text.length };
  }
}

/** Returns the input at a position in a part. */
export function inputAt(part: InputPart, { line, start, end }: InputSpan): Input {
  if ("place" in part) return part;
  const text = part.bytes.subarray(start, end);
  return { place: placeOf(part, line), text, refused: part.refused?.get(line) };
}

export function* inputsIn(part: InputPart): Generator<Input, void, undefined> {
  for (const span of spansIn(part)) yield inputAt(part, span);
}

/** Matches the names of lists, tables and texts. Some of these extensions are top-level domains, too. */
const FILE_NAME =
  /\.(?:txt|text|csv|tsv|tab|list|lst|log|json|jsonl|ndjson|hosts|urls|domains|rpz|zone|conf|ya?ml|xml|html?|md|dat|bin|db|parquet|xlsx?|docx?|pdf|eml|tmp|bak|gz|zst|xz|bz2|zip|tar|tgz|7z)$/i;
const IPV4 = /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/;
const NAME = /^[^./:@?#\s][^/:@?#\s]*\.[^./:@?#\s]+(?=\.?(?::[0-9]*)?(?:[/?#]|$))/;

/** Whether an argument starts with a host under a known top-level domain, or with an IP address. */
async function startsWithHost(text: string): Promise<boolean> {
  const [host] = NAME.exec(text) ?? [""];
  if (host === "") return false;
  if (IPV4.test(host)) return true;
  // The Public Suffix List is loaded only here, because loading it takes a while.
  const { isPublicSuffix } = await import("@x/list-source/public-suffixes");
  return topLevelDomains(isPublicSuffix)(host.toLowerCase());
}

function isFile(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isDirectory();
  } catch {
    // The text cannot be a path, because it is too long or contains a NUL.
    return false;
  }
}

/** Whether an argument that names no file has the form of a file's name or path, and starts with no host. */
async function isMissingFile(text: string): Promise<boolean> {
  if (/[:@?#\s]|^localhost\//.test(text) || !FILE_NAME.test(text)) return false;
  return !(await startsWithHost(text));
}

/**
 * Refuses arguments that name files, because users who give the name of a file want its lines to be read. A bare host
 * such as `example.com` counts as a URL, and so does a path below a host, such as `example.com/a`, but with a
 * note. An argument such as `urls.txt`, which would be read as a host, is refused even if there is no such file.
 *
 * @param note writes a line for the user.
 * @throws {Failure} when an argument names a file, or seems to.
 */
async function refuseFileArguments(
  args: readonly string[],
  noun: Noun,
  note: (line: string) => void,
): Promise<void> {
  for (const text of args) {
    if (text === "-" || /^[a-z][a-z0-9+.-]*:(?:\/\/|[^\\/])/i.test(text)) continue;
    const name = printable(shellWord(text));
    if (!isFile(text)) {
      if (noun !== "URL" || !(await isMissingFile(text))) continue;
      throw new Failure(
        `${name} looks like a file, but does not exist: for a URL, write http:// in front`,
      );
    }
    const isUrl = noun !== "URN" && !FILE_NAME.test(text) && (await startsWithHost(text));
    if (isUrl && text.includes("/")) {
      note(`note: ${name} is also a file; to read its lines, use --file ${name}`);
    }
    if (isUrl) continue;
    const orUrl =
      noun === "URL" && !/^[./]/.test(text) ? "; for a URL, write http:// in front" : "";
    throw new Failure(`${name} is a file: to read its lines, use --file ${name}${orUrl}`);
  }
}
