import { CASE_BIT } from "../grammar/characters.ts";
import { type Condition, isHexDigits } from "./conditions.ts";

export const UCODE: readonly Condition[] = [
  {
    code: "ucode-form",
    expected: '"_" and then 32 upper-case hexadecimal digits, or a multiple of 32',
    section: "RFC 6588 §2",
    holds: (nss) => {
      const digits = nss.slice(1);
      return (
        nss.startsWith("_") &&
        digits.length % 32 === 0 &&
        isHexDigits(digits) &&
        !hasLowerCase(digits)
      );
    },
  },
];

function hasLowerCase(hexDigits: string): boolean {
  for (let i = 0; i < hexDigits.length; i++) {
    const unit = hexDigits.charCodeAt(i);
    // Digits have the case bit too, but come before the letters.
    if (unit >= 0x40 && (unit & CASE_BIT) !== 0) return true;
  }
  return false;
}
