import { inputRecord, inputText, type Refusal, tooLongLine } from "@x/explain";
import type { UrlLook } from "@x/links/unwrap";
import { type InputSpan, inputAt, spansIn } from "../input/arguments-or-lines.ts";
import type { Finding, Input, InputPart, Noun, RefusedInput } from "../output/results.ts";

/** The verdicts on the inputs in a part. */
export interface Evaluated<Verdict extends InputSpan> {
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
 * @param hasComments whether lines that start with `#` are comments, and blanks around a line are ignored.
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
