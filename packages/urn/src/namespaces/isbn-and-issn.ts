import { isDigits, type Namespace, namespace } from "./namespace.ts";

/** The parts of an ISBN. */
export type IsbnParts = {
  /**
   * The elements between the hyphens. With all hyphens, these are the registration group, the publisher, the
   * title and the check digit, after the prefix 978 or 979 if there are 13 digits. Joined, they are all the
   * digits.
   */
  readonly elements: readonly string[];
};

/**
 * ISBNs with 10 or 13 digits. Hyphens and the case of `X` are ignored in comparisons.
 *
 * The 10-digit ISBN and the 13-digit ISBN of the same book are different names, because RFC 3187 and RFC 8254 do not
 * say otherwise. The registration of 2017, which replaced RFC 3187, is not covered.
 *
 * @example
 * ```ts
 * import { isbn } from "@x/urn/namespaces";
 *
 * isbn.tryParse("0-395-36341-1"); // → { elements: ["0", "395", "36341", "1"] }
 * isbn.rule("0-8044-2957-x"); // → "080442957X"
 * ```
 * @see RFC 3187 §3.2 and §5, RFC 8254 §2.1
 */
export const isbn: Namespace<IsbnParts> = /* @__PURE__ */ namespace({
  nid: "isbn",
  documents: ["RFC 3187", "RFC 8254"],
  form: {
    code: "isbn-form",
    expected:
      "an ISBN: 10 digits, where the last may be X, or 13 digits that start with 978 or 979, with single hyphens between parts",
    section: "RFC 3187 §5",
  },
  parse: (nss) => (isIsbnForm(nss) ? { elements: nss.split("-") } : null),
  write: ({ elements }) => elements.join("-"),
  conditions: [
    {
      code: "isbn-check-digit",
      expected: "the last digit of the ISBN to match the others",
      section: "RFC 3187 §5",
      holds: (nss) => {
        const digits = withoutHyphens(nss);
        return digits.length === 10 ? modulus11(digits) === 0 : modulus10(digits) === 0;
      },
    },
  ],
  rule: isbnRule,
});

/** RFC 3187 §5: hyphens are removed, and `x` becomes `X`. */
export function isbnRule(nss: string): string {
  return withoutHyphens(nss).replaceAll("x", "X");
}

function withoutHyphens(nss: string): string {
  return nss.replaceAll("-", "");
}

function isIsbnForm(nss: string): boolean {
  // An ISBN of thirteen digits has at most four hyphens.
  if (nss.length > 17 || nss.startsWith("-") || nss.endsWith("-") || nss.includes("--"))
    return false;
  const digits = withoutHyphens(nss);
  const isIsbn13 = digits.startsWith("978") || digits.startsWith("979");
  return isNumberWithX(digits, 10) || (digits.length === 13 && isIsbn13 && isDigits(digits));
}

/** The sum of the digits, weighted by 1 and 3 in turn, modulo 10. */
function modulus10(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.charAt(i)) * (i % 2 === 0 ? 1 : 3);
  return sum % 10;
}

/** The parts of an ISSN. */
export type IssnParts = {
  /** The two groups of four digits, or all digits in one element when there is no hyphen. */
  readonly elements: readonly string[];
};

/**
 * ISSNs. The hyphen and the case of `X` are ignored in comparisons.
 *
 * The registration of 2017, which replaced RFC 3044, is not covered.
 *
 * @example
 * ```ts
 * import { issn } from "@x/urn/namespaces";
 *
 * issn.tryParse("0259-000X"); // → { elements: ["0259", "000X"] }
 * issn.rule("0259-000x"); // → "0259000X"
 * ```
 * @see RFC 3044 §3.1 and §5
 */
export const issn: Namespace<IssnParts> = /* @__PURE__ */ namespace({
  nid: "issn",
  documents: ["RFC 3044"],
  form: {
    code: "issn-form",
    expected:
      "an ISSN: 8 digits, where the last may be X, with or without a hyphen after the fourth",
    section: "RFC 3044 §5",
  },
  parse: (nss) => (isNumberWithX(digitsOf(nss), 8) ? { elements: nss.split("-") } : null),
  write: ({ elements }) => elements.join("-"),
  conditions: [
    {
      code: "issn-check-digit",
      expected: "the last digit of the ISSN to match the others",
      section: "RFC 3044 §5",
      holds: (nss) => modulus11(digitsOf(nss)) === 0,
    },
  ],
  rule: issnRule,
});

/** RFC 3044 §5: the hyphen after the fourth digit does not count, and the check digit `x` becomes `X`. */
export function issnRule(nss: string): string {
  const digits = digitsOf(nss);
  return digits.length === 8 && digits.endsWith("x") ? `${digits.slice(0, 7)}X` : digits;
}

/** The hyphen after the fourth digit may be omitted. */
function digitsOf(nss: string): string {
  return nss.charAt(4) === "-" ? nss.slice(0, 4) + nss.slice(5) : nss;
}

/** Whether a text has exactly `length` digits, the last of which may be `X` or `x`. */
function isNumberWithX(text: string, length: number): boolean {
  return text.length === length && /^[0-9]+[0-9Xx]$/.test(text);
}

/**
 * The weighted sum of the digits, modulo 11. The weights go from the number of digits down to 1, and `X` counts as ten.
 */
function modulus11(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    sum += (digits.length - i) * (digit === "X" || digit === "x" ? 10 : Number(digit));
  }
  return sum % 11;
}
