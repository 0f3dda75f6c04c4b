import { entryOnLine } from "@x/explain";
import { type Command, InvalidArgumentError } from "commander";
import type { Io } from "../context.ts";
import { Failure } from "../failure.ts";
import type { Input, InputPart, Noun } from "../output/results.ts";
import { refuseForeignInput } from "./foreign-input.ts";
import { fileLines, nameOf, type OnRead, readBlocks } from "./read-file.ts";

/** The help text about how to give inputs. */
export function inputHelp(noun: Noun): string {
  const rest =
    noun === "URL"
      ? "Lines may have any encoding. Blank lines are skipped, but\ncounted."
      : "Lines are UTF-8. Blank lines are skipped, but counted.";
  return `
Give ${noun}s as arguments, or one per line in --file or on stdin (also: the
argument "-"). ${rest}`;
}

export interface InputOptions {
  readonly file?: string;
}

export function addInputOptions(command: Command, noun: Noun = "URL"): Command {
  return command
    .argument(`[${noun.toLowerCase()}...]`, `${noun}s; "-" reads the lines of stdin`)
    .option("--file <file>", `read ${noun}s from a file, one per line`, once);
}

/** Refuses an option that is given twice, because the second value would silently replace the first. */
function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError("It was given twice.");
  return value;
}

/** @throws {Failure} when inputs are given both as arguments and in a file. */
export function checkInputOptions(
  args: readonly string[],
  { file }: InputOptions,
  noun: Noun = "URL",
): void {
  if (file !== undefined && args.length > 0) {
    throw new Failure(`give ${noun}s as arguments or with --file, not both`);
  }
}

/** The file that will be read, `-` for stdin; `null` when all input is in arguments. */
export function fileToRead(args: readonly string[], { file }: InputOptions): string | null {
  return args.length > 0 && !args.includes("-") ? null : (file ?? "-");
}

/** Whether other text could be mistaken for such an input: nearly any text can be read as a URL, but not as a URN. */
export function isGuarded(noun: Noun): noun is "URL" | "URI" {
  return noun === "URL" || noun === "URI";
}

/** The input of a command. */
export interface InputRequest extends InputOptions {
  readonly args: readonly string[];
  readonly noun: Noun;
  /** Whether to refuse an input that is not text, or whose lines have another format; `true` by default. */
  readonly refusesForeign?: boolean;
  readonly onRead?: OnRead;
}

/** The parts of a command's input, in order, as they arrive. A block is valid until the next part. */
export async function* readInput(
  { args, noun, file = "-", refusesForeign = true, onRead = () => {} }: InputRequest,
  io: Io,
): AsyncGenerator<InputPart> {
  const blocks = (name: string) =>
    readBlocks(name, io, onRead, (start) => {
      if (refusesForeign && isGuarded(noun)) refuseForeignInput(start, nameOf(name), noun);
    });
  if (args.length === 0) {
    if (file === "-" && io.stdin.isTTY) {
      io.stderr.write(`urlhash: reading ${noun}s from the terminal, one per line; Ctrl-D ends\n`);
    }
    yield* blocks(file);
    return;
  }
  for (const [i, text] of args.entries()) {
    if (text === "-") yield* blocks("-");
    else yield { place: { argument: i + 1 }, text };
  }
}

/** The inputs in a part. With `hasComments`, comments and the blanks around a line are skipped. */
export function* inputsIn(
  part: InputPart,
  { hasComments }: { readonly hasComments: boolean } = { hasComments: false },
): Generator<Input, void, undefined> {
  if ("place" in part) {
    yield part;
    return;
  }
  for (const { number, bytes } of fileLines(part)) {
    const text = hasComments ? entryOnLine(bytes) : bytes;
    if (text !== null) yield { place: { line: number }, text };
  }
}
