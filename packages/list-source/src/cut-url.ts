import { explainCanonicalization } from "@x/canon";

/*
 * Programs and pages often shorten long URLs for display, as in `http://evil.example/a/lon...`. If a host was cut
 * short, as in `login.evil.co...`, the rest of it is another host, which may belong to somebody else.
 */

/** A quick check for most texts: only a text that matches can have an ellipsis in its host. */
const SIGN_OF_CUT_HOST =
  /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?[^/?#]*?(?:\.\.|[%\u2025\u2026\u3002\uff0e\uff61])/i;

/** Matches an ellipsis in a host without escapes. Two dots count only at the end of the host. */
const ELLIPSIS_IN_HOST = /^[^/]*\/\/[^/?]*?(?:\.{3}|\.\.(?:[/?]|$)|[\u2025\u2026])/;

/**
 * Matches a text with an ellipsis or a mark such as `(truncated)` at its end, with `...` as a segment of its path, or
 * with the character `…` or `‥`.
 */
const CUT =
  /(?:\.{3}|%(?:25)*E2%(?:25)*80%(?:25)*A[56]|%u2026|&(?:hellip|#8230|#x2026);|[([{<]?(?:truncated|snip(?:ped)?)[)\]}>])[)\]}>'"/]*$|\/\.{3}[/?#]|[\u2025\u2026]/i;

/** A quick check for most texts: a text that matches {@link CUT} also matches this expression. */
const SIGN_OF_CUT = /\.{3}|%(?:25)*(?:E2|u2)|&(?:h|#)|[)\]}>\u2025\u2026]/i;

/**
 * Whether the host of a URL was cut short. The text is tested as it is before canonicalization removes the dots.
 */
export function isHostCut(text: string): boolean {
  if (!SIGN_OF_CUT_HOST.test(text)) return false;
  const steps = explainCanonicalization(text);
  const before = steps.findIndex(({ step }) => step === "trim-dots") - 1;
  return ELLIPSIS_IN_HOST.test(steps[before]!.text);
}

/** Whether a URL was probably cut short somewhere. */
export function isCut(text: string): boolean {
  return SIGN_OF_CUT.test(text) && CUT.test(text);
}
