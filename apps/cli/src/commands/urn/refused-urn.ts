import { type Refusal, refusalOf } from "@x/explain";
import { tryParseUrn, type Urn, type UrnSyntaxOptions, urnProblem } from "@x/urn";
import { pointAt } from "../../output/caret.ts";
import type { Finding, RefusedInput } from "../../output/results.ts";

/** A refusal whose text for people points at the character in question. */
export function withCaret({ error }: Refusal, text: string, columns: number | null): RefusedInput {
  const { index, expected, section, allowedBy } = error;
  if (index === null) return { error };
  // The message quotes the text, so these lines replace it.
  const caret = text === "" ? [] : pointAt(text, index, columns);
  const hint = allowedBy === undefined ? "" : ". RFC 8141 allows it: use --syntax rfc8141";
  return { error, text: [`Expected ${expected} (${section})${hint}`, ...caret].join("\n") };
}

/** The result of `evaluate` for the URN, or why the text is not one. */
export function evaluateUrn(
  text: string,
  { syntax }: UrnSyntaxOptions,
  columns: number | null,
  evaluate: (urn: Urn) => Finding,
): Finding | RefusedInput {
  const urn = tryParseUrn(text, { syntax });
  if (urn !== null) return evaluate(urn);
  return withCaret({ error: urnProblem(text, { syntax })! }, text, columns);
}

/** The result of `evaluate`, or why it refuses the name. */
export function evaluateName(
  text: string,
  columns: number | null,
  evaluate: (text: string) => Finding,
): Finding | RefusedInput {
  try {
    return evaluate(text);
  } catch (error) {
    return withCaret(refusalOf(error), text, columns);
  }
}
