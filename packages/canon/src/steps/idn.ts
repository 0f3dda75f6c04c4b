import { isAscii } from "../ascii.ts";
import { decodeUtf8 } from "../utf8.ts";
import { collapseDots, trimDots } from "./host.ts";

/** Characters that the platform would take for delimiters, or drop, instead of refusing them. */
const STRUCTURE = /[\t\n\r/\\?#@:]/;

/** A last label that is not a number, so that the platform does not read an address into the host. */
const LAST_LABEL = "x";

/**
 * Converts an internationalized domain name to ASCII as browsers do (UTS 46: non-transitional, without
 * the STD3 and hyphen rules). A host that is not UTF-8, or that UTS 46 or the platform refuses, keeps
 * its bytes.
 */
export function idnToAscii(host: string): string {
  if (isAscii(host)) return host;
  // IDNA refuses the dots that the next steps remove, even if it accepts the canonical form.
  const name = decodeUtf8(collapseDots(trimDots(host)));
  if (name === null || STRUCTURE.test(name) || hasLongLabel(name)) return host;
  try {
    const ascii = new URL(`http://${name}.${LAST_LABEL}`).hostname;
    return ascii.slice(0, -LAST_LABEL.length - 1);
  } catch {
    return host;
  }
}

/**
 * The most UTF-16 code units of a label, not counting those that UTS 46 removes. A longer label is too
 * long for a domain name, whose labels have at most 63 bytes, and platforms take quadratic time for it.
 */
export const LONGEST_LABEL = 512;

/** The full stops of UTS 46. */
const FULL_STOPS = /[.\u3002\uff0e\uff61]/g;

/** The characters that UTS 46 removes, and a few more that no name may contain. */
const IGNORED = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu;

/** Whether a name, not yet mapped by IDNA, has a label that is too long to pass to the platform. */
export function hasLongLabel(name: string): boolean {
  if (name.length <= LONGEST_LABEL) return false;
  const shown = name.replace(IGNORED, "");
  let start = 0;
  for (const { index } of shown.matchAll(FULL_STOPS)) {
    if (index - start > LONGEST_LABEL) return true;
    start = index + 1;
  }
  return shown.length - start > LONGEST_LABEL;
}
