import { inputRecord, inputText, tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Context, Io } from "./context.ts";
import {
  checkInputOptions,
  fileToRead,
  type InputOptions,
  type InputPart,
  type InputRequest,
  inputsIn,
  isGuarded,
  readInput,
} from "./input/arguments-or-lines.ts";
import { foreignInput } from "./input/foreign-input.ts";
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
  type RowWithout,
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
  /** Text to write before the first result and after the last one, in text for people. */
  readonly before?: string;
  readonly after?: () => string;
  /** For commands that write rows. */
  readonly rowWithout?: RowWithout;
  /** The result for one input. */
  readonly evaluate: (input: string | Uint8Array) => Finding | RefusedInput;
}

/** Turns each part of the input into a block, as the parts arrive. */
export async function* evaluateParts(
  request: InputRequest,
  io: Io,
  evaluatePart: (part: InputPart, bytes: number) => Block,
): AsyncGenerator<Block> {
  let bytes = 0;
  const onRead = (read: number): void => {
    bytes += read;
  };
  for await (const part of readInput({ ...request, onRead }, io)) {
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
  const { noun = "URL", onlyListed = false, hasComments = false, rowWithout } = evaluation;
  checkInputOptions(args, options, noun);
  const format = formatOf(options);
  const evaluatePart = (part: InputPart, bytes: number): Block => {
    const writer = blockWriter(format, onlyListed, rowWithout);
    let count = 0;
    let next = "place" in part ? 0 : part.firstLine + 1;
    const skipTo = (line: number): void => {
      for (; next < line; next++) writer.skip();
      next = line + 1;
    };
    for (const input of inputsIn(part, hasComments)) {
      count++;
      if ("line" in input.place) skipTo(input.place.line);
      write(input, evaluation.evaluate, noun, writer);
    }
    if (!("place" in part)) skipTo(part.firstLine + part.lines + 1);
    return writer.finish(count, bytes);
  };
  const request = { args, noun, ...options, refusesForeign: format !== "tsv" };
  const blocks = evaluateParts(request, context.io, evaluatePart);
  const framed = format === "text" ? { before: evaluation.before, after: evaluation.after } : {};
  const writing = { format, file: fileToRead(args, options), ...framed };
  await writeBlocks(blocks, writing, context);
}

function write(
  { place, text }: Input,
  evaluate: Evaluation["evaluate"],
  noun: Noun,
  writer: BlockWriter,
): void {
  const member = noun.toLowerCase();
  const isLine = typeof text !== "string";
  const evaluated = (isLine ? tooLongLine(text) : null) ?? evaluate(text);
  const isListed = !("error" in evaluated) && evaluated.isListed;
  const foreign = !isListed && isGuarded(noun) ? foreignInput(text, noun) : null;
  const result = foreign ?? evaluated;
  if ("error" in result) {
    writer.refuse(place, result, () => ({ ...inputRecord(text, member), error: result.error }));
    return;
  }
  const given = asText(text);
  writer.add(place, {
    isListed: result.isListed,
    toRecord: () => ({ ...inputRecord(given, member), ...result.toRecord() }),
    toText: () => result.toText(printable(given)),
    warning: result.warning,
    toRow: result.toRow,
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
