import { toByteString, toDisplayText } from "./byte-string.ts";
import { type CanonicalizationStepName, runSteps } from "./canonicalize.ts";
import { CanonError } from "./error.ts";

/** One step of the canonicalization of one URL. */
export interface CanonicalizationStep {
  readonly step: CanonicalizationStepName;
  /** The section of the specification that requires the step. */
  readonly section: string;
  /**
   * The URL after the step, in readable form. Bytes above 0x7F are shown as the characters that they encode in UTF-8.
   * Where they are not UTF-8, each is shown as the character with the same code. After the last step, the text is
   * exactly the canonical URL.
   */
  readonly text: string;
  /** Whether the step changed `text`. */
  readonly changed: boolean;
}

/**
 * Every step of the canonicalization of a URL in order, including steps that changed nothing. Each step comes with the
 * URL after that step.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { explainCanonicalization } from "@x/canon";
 *
 * const steps = explainCanonicalization("http://EXAMPLE.com/%61");
 * steps.filter((step) => step.changed).map((step) => step.step); // → ["unescape", "lower-case-host"]
 * steps.at(-1)?.text; // → "http://example.com/a"
 * ```
 */
export function explainCanonicalization(url: string | Uint8Array): readonly CanonicalizationStep[] {
  const steps: CanonicalizationStep[] = [];
  let before = toByteString(url);
  let textBefore = typeof before === "string" ? toDisplayText(before) : "";
  const { problem } = runSteps(url, ({ name, section }, after) => {
    // Unchanged bytes need not be decoded again. Different bytes may still give the same text.
    const text = after === before ? textBefore : toDisplayText(after);
    const changed = text !== textBefore;
    steps.push({ step: name, section: `Web Risk, Hashing URLs, ${section}`, text, changed });
    before = after;
    textBefore = text;
  });
  if (problem !== null) throw new CanonError(url, problem.code, problem.index);
  return steps;
}
