import { tryParseUrn } from "../parse.ts";

/** Whether an NSS is a National Bibliography Number (RFC 8458 §4.2). */
export function isNbnForm(nss: string): boolean {
  const hyphen = nss.indexOf("-");
  const [country = "", ...subspaces] = nss.slice(0, Math.max(0, hyphen)).split(":");
  return (
    /^[A-Za-z]{2}$/.test(country) &&
    subspaces.every((subspace) => /^[0-9A-Za-z]+$/.test(subspace)) &&
    /^[^/]/.test(nss.slice(hyphen + 1)) &&
    // "path-rootless" in RFC 3986 excludes "?" and "#", which RFC 2141 allows in an NSS.
    tryParseUrn(`urn:nbn:${nss}`, { syntax: "rfc8141" })?.nss === nss
  );
}

/**
 * The names of 22 digits in `urn:nbn:de:101:1-` that have no check digit. The Deutsche Nationalbibliothek, which
 * assigns them, does not describe them. All that were found consist of a date, a time and 8 digits. The library's older
 * names in this sub-namespace are shorter, and end in a check digit.
 */
const DATED_NAME =
  /^de:101:1-20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])(?:[0-5][0-9]){2}[0-9]{8}$/i;

/** Whether a German NBN ends in its check digit, or is a name without one. */
export function hasGermanCheckDigit(nss: string): boolean {
  if (DATED_NAME.test(nss)) return true;
  const checkDigit = nss.charAt(nss.length - 1);
  // A digit directly after the hyphen is the whole name.
  const hasDigit = /[0-9]/.test(checkDigit) && nss.length > nss.indexOf("-") + 2;
  return hasDigit && checkDigit === germanCheckDigit(`urn:nbn:${nss.slice(0, -1)}`);
}

/** The conversion table of the Deutsche Nationalbibliothek, with each character before its one or two digits. */
const DIGITS_OF: ReadonlyMap<string, string> = /* @__PURE__ */ (() => {
  const entries =
    "01 12 23 34 45 56 67 78 89 941 A18 B14 C19 D15 E16 F21 G22 H23 I24 J25 K42 L26 M27 N13 O28 P29 Q31 R12 S32 " +
    "T33 U11 V34 W35 X36 Y37 Z38 +49 :17 _43 -39 .47 /45";
  return new Map(entries.split(" ").map((entry) => [entry.charAt(0), entry.slice(1)]));
})();

/**
 * A multiple of 10 · d for every digit d from 1 to 9. Sums are reduced modulo this number: they stay small
 * enough to be exact, and the result does not change.
 */
const LOSSLESS_MODULUS = 25_200;

/**
 * The check digit of a name in `urn:nbn:de`, by the Deutsche Nationalbibliothek's "Description of algorithm
 * for calculation of URN check digit". The argument is the whole URN without the check digit.
 *
 * All characters become digits, each digit is multiplied by its position (counted from 1), and the sum of the
 * products is divided by the last digit. The check digit is the last digit before the decimal point of the
 * result.
 *
 * Returns `null` when a character has no digits in the table.
 */
function germanCheckDigit(urn: string): string | null {
  let sum = 0;
  let position = 0;
  let last = 1;
  for (const character of urn.toUpperCase()) {
    const digits = DIGITS_OF.get(character);
    if (digits === undefined) return null;
    for (const digit of digits) {
      last = Number(digit);
      position++;
      sum = (sum + position * last) % LOSSLESS_MODULUS;
    }
  }
  return String(Math.floor(sum / last) % 10);
}
