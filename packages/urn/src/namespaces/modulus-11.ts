import { isDigits } from "./conditions.ts";

/** Whether a text has exactly that many digits, where the last may be `X` or `x`. */
export function isNumberWithX(text: string, length: number): boolean {
  const last = text.charAt(length - 1);
  return (
    text.length === length &&
    isDigits(text.slice(0, -1)) &&
    (isDigits(last) || last === "X" || last === "x")
  );
}

/** The sum of the digits, modulo 11, weighted from their count down to 1; `X` counts as ten. */
export function modulus11(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    sum += (digits.length - i) * (digit === "X" || digit === "x" ? 10 : Number(digit));
  }
  return sum % 11;
}
