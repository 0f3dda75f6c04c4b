import { inputRecord, inputText, type Refusal, tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Context, Io } from "./context.ts";
import {
  fileToRead,
  type InputRequest,
  inputsIn,
  isGuarded,
  readInput,
} from "./input/arguments-or-lines.ts";
import { foreignInput } from "./input/foreign-input.ts";
import { refangPart, withAdvice } from "./input/refang-input.ts";
import type { Format } from "./output/format.ts";
import {
  asText,
  type Block,
  type BlockWriter,
  blockWriter,
  type Finding,
  type Input,
  type InputPart,
  type Noun,
  type RefusedInput,
  type RowWithout,
} from "./output/results.ts";
import type { RowFormat } from "./output/rows.ts";
import { writeBlocks } from "./output/write-blocks.ts";

/** How a command evaluates its input. */
export interface Evaluation {
  /** Whether only inputs that are listed or refused are written. */
  readonly onlyListed?: boolean;
  /** Whether lines that start with `#` are comments, and blanks around a line are ignored. */
  readonly hasComments?: boolean;
  /** What to write before the first result and after the last one, in text mode. */
  readonly before?: string;
  readonly after?: () => string;
  /** For commands that write rows. */
  readonly rowWithout?: RowWithout;
  readonly rows?: RowFormat;
  /**
   * Whether defanged inputs are turned back into the original ones; `undefined` for commands that have no `--refang`.
   */
  readonly refang?: boolean | undefined;
  /** The result for one input. */
  readonly evaluate: (input: string | Uint8Array) => Finding | RefusedInput;
}

/** The parts of the input as they arrive, each with the number of bytes read for it. */
export async function* readParts(
  request: InputRequest,
  io: Io,
): AsyncGenerator<{ part: InputPart; bytes: number }> {
  let bytes = 0;
  const onRead = (read: number): void => {
    bytes += read;
  };
  for await (const part of readInput({ ...request, onRead }, io)) {
    yield { part, bytes };
    bytes = 0;
  }
}

/** Turns each part of the input into a block, as the parts arrive. */
export async function* evaluateParts(
  request: InputRequest,
  io: Io,
  evaluatePart: (part: InputPart, bytes: number) => Block,
): AsyncGenerator<Block> {
  for await (const { part, bytes } of readParts(request, io)) yield evaluatePart(part, bytes);
}

/**
 * Evaluates the input of a command, and writes the results.
 *
 * @throws {Failure} when something cannot be read or written.
 */
export async function evaluateInput(
  input: InputRequest,
  format: Format,
  evaluation: Evaluation,
  context: Context,
): Promise<void> {
  const { onlyListed = false, hasComments = false, rowWithout, rows } = evaluation;
  const { args, noun } = input;
  const evaluatePart = (given: InputPart, bytes: number): Block => {
    const part = evaluation.refang ? refangPart(given) : given;
    const writer = blockWriter(part, { format, onlyListed, rowWithout, rows });
    let count = 0;
    for (const input of inputsIn(part, { hasComments })) {
      count++;
      writeInput(input, evaluation, noun, writer);
    }
    return writer.finish(count, bytes);
  };
  const request = { ...input, refusesForeign: format !== "tsv" };
  const blocks = evaluateParts(request, context.io, evaluatePart);
  const framed = format === "text" ? { before: evaluation.before, after: evaluation.after } : {};
  const writing = { format, file: fileToRead(args, input), ...framed };
  await writeBlocks(blocks, writing, context);
}

/** Why an input is not evaluated: its row cannot be read, or only the beginning of its line was kept. */
export function refusalBefore({ text, refused }: Input): Refusal | null {
  return refused ?? (typeof text === "string" ? null : tooLongLine(text));
}

/** Evaluates an input, and writes the result. */
export function writeInput(
  input: Input,
  { evaluate, refang }: Pick<Evaluation, "evaluate" | "refang">,
  noun: Noun,
  writer: BlockWriter,
): void {
  const { place, text } = input;
  const member = noun.toLowerCase();
  const evaluated = refusalBefore(input) ?? evaluate(text);
  const isListed = !("error" in evaluated) && evaluated.isListed;
  const foreign = !isListed && isGuarded(noun) ? foreignInput(text, noun) : null;
  const result = input.refused ?? foreign ?? evaluated;
  if ("error" in result) {
    const refused = refang === undefined ? result : withAdvice(result, refang);
    writer.refuse(place, refused, () => ({ ...inputRecord(text, member), error: result.error }));
    return;
  }
  const given = asText(text);
  writer.add(place, {
    ...result,
    toRecord: () => ({ ...inputRecord(given, member), ...result.toRecord() }),
    toText: () => result.toText(printable(given)),
  });
}

/** Wraps a function for commands whose input is UTF-8 text. */
export function onText(
  evaluate: (text: string) => Finding | RefusedInput,
): (input: string | Uint8Array) => Finding | RefusedInput {
  return (input) => {
    const text = inputText(input);
    return typeof text === "string" ? evaluate(text) : text;
  };
}
