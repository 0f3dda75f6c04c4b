import { inputRecord, type Refusal } from "@x/explain";
import { isPlain } from "@x/explain/printable";
import { type InputSpan, inputAt, isGuarded } from "../input/arguments-or-lines.ts";
import { foreignInput } from "../input/foreign-input.ts";
import { refangPart, withAdvice } from "../input/refang-input.ts";
import { type BlockOptions, type BlockWriter, blockWriter } from "../output/block-writer.ts";
import type { Block, Input, InputPart, Noun } from "../output/results.ts";
import { type Evaluator, refusalBefore } from "./evaluator.ts";

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
      const refused = refang === undefined ? result : withAdvice(result, input.text);
      const toRecord = () => ({ ...inputRecord(input.text, member), error: result.error });
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
