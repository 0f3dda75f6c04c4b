import { DIGIT_9 } from "./ascii.ts";
import { HEX, isClass, LET_NUM } from "./character-classes.ts";

/** Whether a text is not empty and each of its code units is in a set. */
function isRun(text: string, has: (unit: number) => boolean): boolean {
  for (let i = 0; i < text.length; i++) {
    if (!has(text.charCodeAt(i))) return false;
  }
  return text !== "";
}

const isDigit = (unit: number) => isClass(unit, LET_NUM) && unit <= DIGIT_9;

/** `1*DIGIT` */
export function isDigits(text: string): boolean {
  return isRun(text, isDigit);
}

/** `1*HEXDIG`, in both cases */
export function isHexDigits(text: string): boolean {
  return isRun(text, (unit) => isClass(unit, HEX));
}

/** `1*ALPHA` */
export function isLetters(text: string): boolean {
  return isRun(text, (unit) => isClass(unit, LET_NUM) && unit > DIGIT_9);
}

/** `1*(ALPHA / DIGIT)` */
export function isLettersAndDigits(text: string): boolean {
  return isRun(text, (unit) => isClass(unit, LET_NUM));
}
