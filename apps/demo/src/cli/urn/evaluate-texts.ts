import type { Context } from "../context.ts";
import type { Finding, Noun } from "../evaluate.ts";
import { evaluateGiven } from "../evaluate-given.ts";
import { type FormatOptions, formatOf } from "../format.ts";
import { checkGiven, type GivenOptions } from "../given.ts";
import { onText } from "../on-text.ts";
import { writeFindings } from "../write-findings.ts";
import { refusing } from "./refusing.ts";

/** Finds out about the URNs, or names, of a command line, and writes what was found. */
export async function evaluateTexts(
  texts: readonly string[],
  { noun, ...options }: FormatOptions & GivenOptions & { readonly noun: Noun },
  evaluate: (text: string) => Finding,
  context: Context,
): Promise<void> {
  checkGiven(texts, options, noun);
  const format = formatOf(options);
  const reading = options.file === undefined ? { noun } : { noun, file: options.file };
  const blocks = evaluateGiven(
    texts,
    reading,
    onText((text) => refusing(context.columns, () => evaluate(text))),
    { format, onlyListed: false, noun },
    context.io,
  );
  await writeFindings(blocks, format, context);
}
