import { inputRecord, type Refusal } from "@x/explain";
import { linesIn } from "@x/lookup/lines";
import { type InputSpan, inputAt, isGuarded } from "../input/arguments-or-lines.ts";
import { foreignInput, foreignLines } from "../input/foreign-input.ts";
import { refangPart, withAdvice } from "../input/refang-input.ts";
import {
  asText,
  type Block,
  type BlockOptions,
  type BlockWriter,
  blockWriter,
  type Input,
  type InputPart,
  type Noun,
  type RowBlock,
} from "../output/results.ts";
import { type Evaluator, refusalBefore } from "./evaluator.ts";

/** Turns a part of the input into what is written about it. @param bytes how many bytes were read for the part. */
export type EvaluatePart = (part: InputPart, bytes: number) => Promise<Block>;

export interface PartOptions extends BlockOptions {
  readonly noun: Noun;
  /** Whether defanged inputs are turned back into the original ones; `undefined` for commands without `--refang`. */
  readonly refang?: boolean | undefined;
}

/** Inputs in their order, and why some of them are refused if they are not listed. */
interface Guarded<Verdict extends InputSpan> {
  readonly spans: readonly (Verdict | InputSpan)[];
  /** The inputs on which there is no verdict, because they need not be written unless they are refused. */
  readonly unevaluated: ReadonlySet<InputSpan>;
  readonly foreign: ReadonlyMap<number, Refusal>;
}

const NONE: ReadonlyMap<number, Refusal> = new Map();
const NO_SPANS: ReadonlySet<never> = new Set();

function foreignIn(
  part: InputPart,
  lines: Iterable<InputSpan>,
  noun: Noun,
): ReadonlyMap<number, Refusal> {
  if (!isGuarded(noun)) return NONE;
  if (!("place" in part)) return foreignLines(part.bytes, lines, noun);
  const refusal = foreignInput(part.text, noun);
  return refusal === null ? NONE : new Map([[0, refusal]]);
}

/** Adds the lines to refuse that the evaluator has left out. */
function withLeftOut<Verdict extends InputSpan>(
  verdicts: readonly Verdict[],
  block: RowBlock,
  noun: Noun,
): Guarded<Verdict> {
  const foreign = foreignIn(block, linesIn(block), noun);
  const { refused = NONE } = block;
  if (foreign.size + refused.size === 0) {
    return { spans: verdicts, unevaluated: NO_SPANS, foreign };
  }
  const found = new Map(verdicts.map((verdict) => [verdict.line, verdict]));
  const spans: (Verdict | InputSpan)[] = [];
  const unevaluated = new Set<InputSpan>();
  for (const line of linesIn(block)) {
    const verdict = found.get(line.line);
    if (verdict === undefined && !foreign.has(line.line) && !refused.has(line.line)) continue;
    spans.push(verdict ?? line);
    if (verdict === undefined) unevaluated.add(line);
  }
  return { spans, unevaluated, foreign };
}

/**
 * Evaluates a part of the input, and writes the results. This alone decides what becomes of an input that is refused,
 * that looks like another format, or that is defanged; evaluators only give verdicts.
 */
export function evaluatePartWith<Verdict extends InputSpan>(
  { evaluate, resultOf, labelOf = () => null }: Evaluator<Verdict>,
  options: PartOptions,
): EvaluatePart {
  const { noun, refang } = options;
  const member = noun.toLowerCase();

  /** @param verdict `null` if the input is only written because it is refused. */
  function write(
    input: Input,
    verdict: Verdict | null,
    foreign: Refusal | null,
    writer: BlockWriter,
  ): void {
    const { place } = input;
    const early = refusalBefore(input) ?? (verdict === null ? foreign : null);
    const text = early === null ? asText(input.text) : input.text;
    const evaluated = early ?? resultOf(text, verdict!);
    const isListed = !("error" in evaluated) && evaluated.isListed;
    const result = input.refused ?? (isListed ? evaluated : (foreign ?? evaluated));
    if ("error" in result) {
      const refused = refang === undefined ? result : withAdvice(result, refang);
      const toRecord = () => ({ ...inputRecord(input.text, member), error: result.error });
      writer.refuse(place, refused, toRecord);
      return;
    }
    writer.add(place, text, result);
  }

  return async (given, bytes) => {
    const part = refang ? refangPart(given) : given;
    const { verdicts, count, isPartial = false } = await evaluate(part);
    const writer = blockWriter(part, options);
    const block = "place" in part ? null : part;
    const { spans, unevaluated, foreign }: Guarded<Verdict> =
      isPartial && block !== null
        ? withLeftOut(verdicts, block, noun)
        : { spans: verdicts, unevaluated: NO_SPANS, foreign: foreignIn(part, verdicts, noun) };
    for (const span of spans) {
      const isLeftOut = unevaluated.size > 0 && unevaluated.has(span);
      const verdict = isLeftOut ? null : (span as Verdict);
      const refusal = foreign.get(span.line) ?? null;
      if (
        block !== null &&
        verdict !== null &&
        refusal === null &&
        !block.refused?.has(span.line)
      ) {
        const label = labelOf(verdict);
        if (label !== null && writer.addPlain(label, block.bytes, span.start, span.end)) continue;
      }
      write(inputAt(part, span), verdict, refusal, writer);
    }
    return writer.finish(count, bytes);
  };
}
