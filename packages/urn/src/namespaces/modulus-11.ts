/** Whether a text has exactly `length` digits, the last of which may be `X` or `x`. */
export function isNumberWithX(text: string, length: number): boolean {
  return text.length === length && /^[0-9]+[0-9Xx]$/.test(text);
}

/**
 * The weighted sum of the digits, modulo 11. The weights go from the number of digits down to 1, and `X` counts as ten.
 */
export function modulus11(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    sum += (digits.length - i) * (digit === "X" || digit === "x" ? 10 : Number(digit));
  }
  return sum % 11;
}
