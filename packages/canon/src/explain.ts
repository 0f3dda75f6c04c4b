import { type CanonicalizationStepName, formatUrl, type Trace } from "./canonicalize.ts";
import { toDisplayText, toOctetString } from "./octets.ts";
import { orThrow, run } from "./parse.ts";
import { WEB_RISK } from "./web-risk.ts";

const SECTIONS: Readonly<Record<CanonicalizationStepName, string>> = {
  "remove-tab-cr-lf": `${WEB_RISK}, Canonicalization, first`,
  "trim-spaces": `${WEB_RISK}, Canonicalization, first`,
  "remove-fragment": `${WEB_RISK}, Canonicalization, second`,
  unescape: `${WEB_RISK}, Canonicalization, third`,
  split: `${WEB_RISK}, To canonicalize the hostname`,
  "drop-userinfo": `${WEB_RISK}, Suffix/prefix expressions`,
  "drop-port": `${WEB_RISK}, Suffix/prefix expressions`,
  "idn-to-ascii": `${WEB_RISK}, Canonicalization`,
  "trim-dots": `${WEB_RISK}, To canonicalize the hostname, 1`,
  "collapse-dots": `${WEB_RISK}, To canonicalize the hostname, 2`,
  "normalize-ip-address": `${WEB_RISK}, To canonicalize the hostname, 3`,
  "lower-case-host": `${WEB_RISK}, To canonicalize the hostname, 4`,
  "resolve-dot-segments": `${WEB_RISK}, To canonicalize the path, 1`,
  "collapse-slashes": `${WEB_RISK}, To canonicalize the path, 2`,
  escape: `${WEB_RISK}, To canonicalize the path, last paragraph`,
};

/** One step of the canonicalization of one URL. */
export interface CanonicalizationStep {
  readonly step: CanonicalizationStepName;
  /** The section of the text that asks for the step. */
  readonly section: string;
  /**
   * The URL after the step. For people: octets above 0x7F are shown as the characters they are the UTF-8
   * of, or, where they are not UTF-8, each as the character of its number. After the last step it is the
   * canonical URL, exactly.
   */
  readonly text: string;
  /** Whether `text` is another than before the step. */
  readonly changed: boolean;
}

/**
 * Every step of the canonicalization of a URL, those that changed nothing too, in the order of the text
 * and with what the URL was after each. {@link parseUrl} goes through the same steps.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
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
  let before = toOctetString(url);
  let textBefore = typeof before === "string" ? toDisplayText(before) : "";
  const trace: Trace = (step, draft) => {
    const after = typeof draft === "string" ? draft : formatUrl(draft);
    // Octets that are the same need not be decoded again; others may still show as the same text.
    const text = after === before ? textBefore : toDisplayText(after);
    steps.push({ step, section: SECTIONS[step], text, changed: text !== textBefore });
    before = after;
    textBefore = text;
  };
  orThrow(url, run(url, trace));
  return steps;
}
