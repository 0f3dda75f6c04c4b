/** The conversion table of the Deutsche Nationalbibliothek, with each character before its one or two digits. */
const DIGITS_OF: ReadonlyMap<string, string> = new Map(
  (
    "01 12 23 34 45 56 67 78 89 941 A18 B14 C19 D15 E16 F21 G22 H23 I24 J25 K42 L26 M27 N13 O28 P29 Q31 R12 S32 " +
    "T33 U11 V34 W35 X36 Y37 Z38 +49 :17 _43 -39 .47 /45"
  )
    .split(" ")
    .map((entry) => [entry.charAt(0), entry.slice(1)]),
);

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
export function germanCheckDigit(urn: string): string | null {
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
