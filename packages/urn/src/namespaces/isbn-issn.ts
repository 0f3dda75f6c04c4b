import { type Condition, isDigits } from "./conditions.ts";

/** RFC 3187 §5: hyphens are removed, and `x` becomes `X`. ISBN-10 and ISBN-13 stay different. */
export function isbnRule(nss: string): string {
  return withoutHyphens(nss).replaceAll("x", "X");
}

export const ISBN: readonly Condition[] = [
  {
    code: "isbn-form",
    expected:
      "an ISBN: 10 digits, where the last may be X, or 13 digits that start with 978 or 979, with single hyphens between parts",
    section: "RFC 3187 §5",
    holds: isIsbnForm,
  },
  {
    code: "isbn-check-digit",
    expected: "the last digit of the ISBN to match the others",
    section: "RFC 3187 §5",
    holds: (nss) => {
      const digits = withoutHyphens(nss);
      return digits.length === 10 ? modulus11(digits) === 0 : modulus10(digits) === 0;
    },
  },
];

/** RFC 3044 §5: the hyphen after the fourth digit may be omitted, and the check digit `x` becomes `X`. */
export function issnRule(nss: string): string {
  const digits = issnDigits(nss);
  return digits.length === 8 && digits.endsWith("x") ? `${digits.slice(0, 7)}X` : digits;
}

export const ISSN: readonly Condition[] = [
  {
    code: "issn-form",
    expected:
      "an ISSN: 8 digits, where the last may be X, with or without a hyphen after the fourth",
    section: "RFC 3044 §5",
    holds: (nss) => isNumberWithX(issnDigits(nss), 8),
  },
  {
    code: "issn-check-digit",
    expected: "the last digit of the ISSN to match the others",
    section: "RFC 3044 §5",
    holds: (nss) => modulus11(issnDigits(nss)) === 0,
  },
];

function withoutHyphens(nss: string): string {
  return nss.replaceAll("-", "");
}

function issnDigits(nss: string): string {
  return nss.charAt(4) === "-" ? nss.slice(0, 4) + nss.slice(5) : nss;
}

function isIsbnForm(nss: string): boolean {
  // Thirteen digits have at most four hyphens between them.
  if (nss.length > 17 || nss.startsWith("-") || nss.endsWith("-") || nss.includes("--"))
    return false;
  const digits = withoutHyphens(nss);
  const isIsbn13 = digits.startsWith("978") || digits.startsWith("979");
  return isNumberWithX(digits, 10) || (digits.length === 13 && isIsbn13 && isDigits(digits));
}

/** Whether a text has exactly that many digits, where the last may be `X` or `x`. */
function isNumberWithX(text: string, length: number): boolean {
  const last = text.charAt(length - 1);
  return (
    text.length === length &&
    isDigits(text.slice(0, -1)) &&
    (isDigits(last) || last === "X" || last === "x")
  );
}

/** The sum of the digits, modulo 11, weighted from their count down to 1; `X` counts as ten. */
function modulus11(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    sum += (digits.length - i) * (digit === "X" || digit === "x" ? 10 : Number(digit));
  }
  return sum % 11;
}

/** The sum of the digits, modulo 10, weighted by 1 and 3 in turn. */
function modulus10(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.charAt(i)) * (i % 2 === 0 ? 1 : 3);
  return sum % 10;
}
