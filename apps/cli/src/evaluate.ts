import { inputRecord, inputText, type Refusal, tooLongLine } from "@x/explain";
import { isPlain } from "@x/explain/printable";
import type { UrlLook } from "@x/links/unwrap";
import type { Context, Io } from "./context.ts";
import {
  fileToRead,
  type InputRequest,
  type InputSpan,
  inputAt,
  isGuarded,
  readInput,
  spansIn,
} from "./input/arguments-or-lines.ts";
import { foreignInput, refangPart, refusedBlank, withAdvice } from "./input/foreign-input.ts";
import {
  type BlockOptions,
  type BlockWriter,
  blockWriter,
  type OutputOptions,
  writeBlocks,
} from "./output/blocks.ts";
import type { Block, Finding, Input, InputPart, Noun, RefusedInput } from "./output/results.ts";

/** Yields the parts of the input as they arrive, each with the number of bytes that were read for that part. */
async function* readParts(
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

/**
 * Evaluates the parts of the input as they arrive, up to `mostOpen` at the same time. Returns the results in order. If
 * the input cannot be read to its end, the error is thrown after the results for the earlier parts.
 */
async function* evaluateParts(
  request: InputRequest,
  evaluatePart: EvaluatePart,
  mostOpen: number,
  io: Io,
): AsyncGenerator<Block> {
  const open: Promise<Block>[] = [];
  const parts = readParts(request, io);
  let failure: { readonly error: unknown } | null = null;
  try {
    for (;;) {
      const next = await parts.next().catch((error: unknown) => {
        failure = { error };
      });
      if (!next || next.done) break;
      open.push(evaluatePart(next.value.part, next.value.bytes));
      if (open.length >= mostOpen) yield await open.shift()!;
    }
    for (const block of open) yield await block;
  } finally {
    await parts.return(undefined);
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
}

/**
 * Reads the input part by part, evaluates each part, and writes the results in the order of the inputs.
 *
 * @param mostOpen the maximum number of parts that are evaluated at the same time.
 * @throws {Failure} when something cannot be read or written.
 */
export async function evaluateInput(
  input: InputRequest,
  evaluatePart: EvaluatePart,
  writing: Omit<OutputOptions, "file"> & { readonly mostOpen?: number | undefined },
  context: Context,
): Promise<void> {
  const blocks = evaluateParts(input, evaluatePart, writing.mostOpen ?? 1, context.io);
  await writeBlocks(blocks, { ...writing, file: fileToRead(input.args, input) }, context);
}

/**
 * Evaluates a part of the input and returns the output for that part.
 *
 * @param bytes the number of bytes that were read for the part.
 */
export type EvaluatePart = (part: InputPart, bytes: number) => Promise<Block>;

export interface PartOptions extends BlockOptions {
  readonly noun: Noun;
  /** Whether defanged inputs are turned back into the original ones; `undefined` for commands without `--refang`. */
  readonly refang?: boolean | undefined;
}

/**
 * Evaluates a part of the input and writes the results. Only this function handles inputs that are refused, look like
 * another format, or are defanged; evaluators only give verdicts.
 */
export function evaluatePartWith<Verdict extends InputSpan>(
  { evaluate, resultOf, labelOf = () => null }: Evaluator<Verdict>,
  options: PartOptions,
): EvaluatePart {
  const { noun, refang, onlyListed = false } = options;
  const member = noun.toLowerCase();

  /** The refusal of an input that looks like another format; `null` for other inputs. */
  function foreignIn(part: InputPart, { start, end }: Verdict): Refusal | null {
    if (!isGuarded(noun)) return null;
    return foreignInput("place" in part ? part.text : part.bytes.subarray(start, end), noun);
  }

  function forPeople(refused: RefusedInput, text: Input["text"]): RefusedInput {
    if (typeof text === "string" && text.trim() === "") return refusedBlank(refused, text, noun);
    return refang === undefined ? refused : withAdvice(refused, text);
  }

  function write(
    input: Input,
    verdict: Verdict,
    foreign: Refusal | null,
    writer: BlockWriter,
  ): void {
    const { place } = input;
    const early = refusalBefore(input);
    const text = early === null ? asText(input.text) : input.text;
    const evaluated = early ?? resultOf(text, verdict);
    const isListed = !("error" in evaluated) && evaluated.isListed;
    const result = input.refused ?? (isListed ? evaluated : (foreign ?? evaluated));
    if ("error" in result) {
      const toRecord = () => ({ ...inputRecord(input.text, member), error: result.error });
      const refused = input.refused ?? forPeople(result, input.text);
      writer.refuse(place, refused, toRecord);
      return;
    }
    writer.add(place, text, result);
  }

  return async (given, bytes) => {
    const part = refang ? refangPart(given) : given;
    const { verdicts, count, looks } = await evaluate(part);
    const writer = blockWriter(part, options);
    const block = "place" in part ? null : part;
    for (let i = 0; i < verdicts.length; i++) {
      const verdict = verdicts[i]!;
      const foreign = looks?.[i] === "plain" ? null : foreignIn(part, verdict);
      if (block !== null && foreign === null && !block.refused?.has(verdict.line)) {
        const label = labelOf(verdict);
        if (label !== null) {
          if (onlyListed) continue;
          if (writer.addPlain(label, block.bytes, verdict.start, verdict.end)) continue;
        }
      }
      write(inputAt(part, verdict), verdict, foreign, writer);
    }
    return writer.finish(count, bytes);
  };
}

/** Turns bytes that are printable ASCII into a string, which is faster to process. Returns other inputs unchanged. */
function asText(text: string | Uint8Array): string | Uint8Array {
  if (typeof text === "string") return text;
  // `Buffer` makes one character for each byte. In `TextDecoder`, "latin1" means windows-1252, where 0x80 is the euro
  // sign.
  const characters = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString("latin1");
  return isPlain(characters) ? characters : text;
}

/** The verdicts on the inputs in a part. */
interface Evaluated<Verdict extends InputSpan> {
  /** The verdicts, in the order of the inputs. */
  readonly verdicts: readonly Verdict[];
  /** The number of inputs. Blank lines are not inputs. */
  readonly count: number;
  /**
   * The classification of each line by `lookAtUrl`, in the order of the verdicts. A line is `"plain"` only if it was
   * also verified to be a canonical URL.
   */
  readonly looks?: readonly UrlLook[] | undefined;
}

/**
 * Evaluates inputs. The inputs of a part are evaluated together, and the result for each input is made when it is
 * written. An evaluator need not know which inputs look like another format: `evaluatePartWith` refuses such inputs.
 */
export interface Evaluator<Verdict extends InputSpan> {
  readonly evaluate: (part: InputPart) => Evaluated<Verdict> | Promise<Evaluated<Verdict>>;
  /** Returns the result for an input. This function is not called for an input that {@link refusalBefore} refuses. */
  readonly resultOf: (input: string | Uint8Array, verdict: Verdict) => Finding | RefusedInput;
  /**
   * In text, the label before an input if the output is only the label and the input; `null` if there is more output.
   */
  readonly labelOf?: (verdict: Verdict) => Uint8Array | null;
}

/**
 * The refusal of an input that is not evaluated, because its row cannot be read or only the beginning of its line was
 * kept.
 */
export function refusalBefore({ text, refused }: Input): Refusal | null {
  return refused ?? (typeof text === "string" ? null : tooLongLine(text));
}

/** Adds the input to the record of its result, before the other members. */
export function withInput(
  result: Finding | RefusedInput,
  input: string | Uint8Array,
  noun: Noun,
): Finding | RefusedInput {
  if ("error" in result) return result;
  const toRecord = () => Object.assign(inputRecord(input, noun.toLowerCase()), result.toRecord());
  return { ...result, toRecord };
}

/**
 * An evaluator for commands that evaluate their inputs one by one.
 *
 * @param evaluate evaluates one input. The record of the result does not include the input.
 * @param hasComments whether lines that start with `#` are comments, and spaces around a line are ignored.
 */
export function oneByOne(
  evaluate: (input: string | Uint8Array) => Finding | RefusedInput,
  noun: Noun,
  hasComments: boolean,
): Evaluator<InputSpan> {
  return {
    evaluate(part) {
      const verdicts = [...spansIn(part, { hasComments })];
      return { verdicts, count: verdicts.length };
    },
    resultOf: (input) => withInput(evaluate(input), input, noun),
  };
}

/** An evaluator for commands with asynchronous results, which evaluates one input after the other. */
export function oneAfterAnother(
  evaluate: (input: string | Uint8Array) => Promise<Finding | RefusedInput>,
  noun: Noun,
): Evaluator<InputSpan & { readonly result: Finding | RefusedInput | null }> {
  return {
    async evaluate(part) {
      const verdicts = [];
      for (const span of spansIn(part)) {
        const input = inputAt(part, span);
        const result = refusalBefore(input) === null ? await evaluate(input.text) : null;
        verdicts.push({ ...span, result });
      }
      return { verdicts, count: verdicts.length };
    },
    resultOf: (input, { result }) => withInput(result!, input, noun),
  };
}

/** Wraps a function that takes text, so that inputs that are not UTF-8 are refused. */
export function onText(
  evaluate: (text: string) => Finding | RefusedInput,
): (input: string | Uint8Array) => Finding | RefusedInput {
  return (input) => {
    const text = inputText(input);
    return typeof text === "string" ? evaluate(text) : text;
  };
}
