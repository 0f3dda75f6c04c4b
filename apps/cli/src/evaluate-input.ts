import { inputRecord, inputText, tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Context, Io } from "./context.ts";
import {
  checkInputOptions,
  fileToRead,
  type InputOptions,
  type InputPart,
  inputsIn,
  readInput,
} from "./input/arguments-or-lines.ts";
import { type FormatOptions, formatOf } from "./output/format.ts";
import {
  asText,
  type Block,
  type BlockWriter,
  blockWriter,
  type Finding,
  type Input,
  type Noun,
  type RefusedInput,
} from "./output/results.ts";
import { writeBlocks } from "./output/write-blocks.ts";

/** How a command evaluates its input. */
export interface Evaluation {
  /** `URL` by default. */
  readonly noun?: Noun;
  /** Writes only inputs that are listed or refused. */
  readonly onlyListed?: boolean;
  /** Lines that start with `#` are comments, and blanks around a line do not count. */
  readonly hasComments?: boolean;
  /** The result for one input. */
  readonly evaluate: (input: string | Uint8Array) => Finding | RefusedInput;
}

/** Turns each part of the input into a block, as the parts arrive. */
export async function* evaluateParts(
  args: readonly string[],
  options: InputOptions,
  noun: Noun,
  io: Io,
  evaluatePart: (part: InputPart, bytes: number) => Block,
): AsyncGenerator<Block> {
  let bytes = 0;
  const parts = readInput(args, options, noun, io, (read) => {
    bytes += read;
  });
  for await (const part of parts) {
    yield evaluatePart(part, bytes);
    bytes = 0;
  }
}

/**
 * Evaluates the input of a command, and writes the results.
 *
 * @throws {Failure} when the options contradict each other, or something cannot be read or written.
 */
export async function evaluateInput(
  args: readonly string[],
  options: InputOptions & FormatOptions,
  evaluation: Evaluation,
  context: Context,
): Promise<void> {
  const { noun = "URL", onlyListed = false, hasComments = false } = evaluation;
  checkInputOptions(args, options, noun);
  const format = formatOf(options);
  const blocks = evaluateParts(args, options, noun, context.io, (part, bytes) => {
    const writer = blockWriter(format, onlyListed);
    let count = 0;
    for (const input of inputsIn(part, hasComments)) {
      count++;
      write(input, evaluation.evaluate, noun, writer);
    }
    return writer.finish(count, bytes);
  });
  await writeBlocks(blocks, { format, file: fileToRead(args, options) }, context);
}

function write(
  { place, text }: Input,
  evaluate: Evaluation["evaluate"],
  noun: Noun,
  writer: BlockWriter,
): void {
  const member = noun.toLowerCase();
  const tooLong = typeof text === "string" ? null : tooLongLine(text);
  const result = tooLong ?? evaluate(text);
  if ("error" in result) {
    writer.refuse(place, result, { ...inputRecord(text, member), error: result.error });
    return;
  }
  const given = asText(text);
  writer.add(place, {
    isListed: result.isListed,
    toRecord: () => ({ ...inputRecord(given, member), ...result.toRecord() }),
    toText: () => result.toText(printable(given)),
  });
}

/** For commands whose input is text in UTF-8. */
export function onText(
  evaluate: (text: string) => Finding | RefusedInput,
): (input: string | Uint8Array) => Finding | RefusedInput {
  return (input) => {
    const text = inputText(input);
    return typeof text === "string" ? evaluate(text) : text;
  };
}
