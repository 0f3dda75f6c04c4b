import { endOfText } from "./json-values.ts";

const QUOTE = 0x22;
/** Integers with fewer digits are exact in a double. */
const MIN_DIGITS = 16;
const INTEGER = /-?\d+(?![\d.eE])/y;

/**
 * Puts long integers in quotation marks, because `JSON.parse` would round them. ProtoJSON accepts integers as strings,
 * too.
 *
 * @param json JSON that can be parsed.
 */
export function quoteLongIntegers(json: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfText(json, i);
    else if (startsNumber(code)) {
      INTEGER.lastIndex = i;
      const found = INTEGER.exec(json)?.[0] ?? "";
      if (found.length >= MIN_DIGITS) {
        pieces.push(json.slice(kept, i), '"', found, '"');
        kept = i + found.length;
      }
      i = endOfNumber(json, i);
    }
  }
  return pieces.join("") + json.slice(kept);
}

function startsNumber(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

/** The index of the last character of a number. */
function endOfNumber(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && /[\d.eE+-]/.test(json[i]!)) i++;
  return i - 1;
}
