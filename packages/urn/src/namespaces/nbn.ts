import type { NamespaceRule } from "../equivalence.ts";
import { tryParseUrn } from "../parse.ts";
import {
  ignoreCaseBefore,
  isDigits,
  isLettersAndDigits,
  type Namespace,
  namespace,
} from "./namespace.ts";

/** The parts of a National Bibliography Number. */
export type NbnParts = {
  /** The two-letter country code. */
  readonly country: string;
  /** The codes of sub-namespaces, from the outermost. */
  readonly subspaces: readonly string[];
  /** The NBN string, without the check digit. */
  readonly name: string;
  /**
   * For the country `de`, the digit at the end of the NBN string. `null` for other countries, when the string does not
   * end in a digit, when the string is only that digit, and for names without a check digit (see {@link nbn}).
   */
  readonly checkDigit: string | null;
};

/** RFC 8458 §4.3: case does not matter in the country code and its subdivisions. */
export const nbnRule: NamespaceRule = /* @__PURE__ */ ignoreCaseBefore("-");

/**
 * National Bibliography Numbers. Case before the first hyphen is ignored in comparisons.
 *
 * In Germany, names end in a check digit, as defined in the Deutsche Nationalbibliothek's "Description of algorithm for
 * calculation of URN check digit". Names of 22 digits in `urn:nbn:de:101:1-`, which the Deutsche Nationalbibliothek
 * itself assigns, have no check digit if they consist of a date, a time and 8 more digits, as all known ones do.
 *
 * Croatian names, such as `urn:nbn:hr:105:621611`, have a colon before the name. RFC 8458 §4.3 demands a hyphen there
 * and does not consider other delimiters equivalent, so `tryParse` returns `null` and `check` reports
 * `nbn-hr-delimiter`.
 *
 * @example
 * ```ts
 * import { nbn } from "@x/urn/namespaces";
 *
 * nbn.tryParse("de:gbv:089-3321752945"); // → { country: "de", subspaces: ["gbv", "089"], name: "332175294", checkDigit: "5" }
 * nbn.check("de:gbv:089-3321752946").map(({ code }) => code); // → ["nbn-de-check-digit"]
 * nbn.check("fi-fe201003181510"); // → []
 * ```
 * @see RFC 8458 §4.2 and §4.3
 */
export const nbn: Namespace<NbnParts> = /* @__PURE__ */ namespace({
  nid: "nbn",
  documents: ["RFC 8458"],
  form: {
    code: "nbn-form",
    expected:
      "a two-letter country code, optional subdivisions of letters and digits after colons, then a hyphen and a name",
    section: "RFC 8458 §4.2",
  },
  exceptions: [
    {
      code: "nbn-hr-delimiter",
      expected:
        "a hyphen, not a colon, before the name; published names of urn:nbn:hr have a colon, against RFC 8458",
      section: "RFC 8458 §4.3",
      holds: (nss) => !/^hr:[0-9]+:[0-9]+$/i.test(nss),
    },
  ],
  parse,
  write: ({ country, subspaces, name, checkDigit }) =>
    `${[country, ...subspaces].join(":")}-${name}${checkDigit ?? ""}`,
  conditions: [
    {
      code: "nbn-de-check-digit",
      expected:
        "a check digit that matches the other characters at the end of a name of urn:nbn:de",
      section: 'Deutsche Nationalbibliothek, "URN check digit"',
      holds: (nss) => {
        const parts = parse(nss);
        if (parts === null || !isGerman(parts.country)) return true;
        const { checkDigit } = parts;
        return checkDigit === null
          ? isDatedName(parts)
          : checkDigit === germanCheckDigit(`urn:nbn:${nss.slice(0, -1)}`);
      },
    },
  ],
  rule: nbnRule,
});

function parse(nss: string): NbnParts | null {
  const hyphen = nss.indexOf("-");
  const [country = "", ...subspaces] = nss.slice(0, Math.max(0, hyphen)).split(":");
  const name = nss.slice(hyphen + 1);
  const isNbn =
    /^[A-Za-z]{2}$/.test(country) &&
    subspaces.every(isLettersAndDigits) &&
    name !== "" &&
    !name.startsWith("/") &&
    // "path-rootless" in RFC 3986 excludes "?" and "#", which RFC 2141 allows in an NSS.
    tryParseUrn(`urn:nbn:${nss}`, { syntax: "rfc8141" })?.nss === nss;
  if (!isNbn) return null;
  const whole = { country, subspaces, name, checkDigit: null };
  const end = name.length - 1;
  return isGerman(country) && end > 0 && isDigits(name.charAt(end)) && !isDatedName(whole)
    ? { ...whole, name: name.slice(0, end), checkDigit: name.charAt(end) }
    : whole;
}

const DATED_NAME =
  /^20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])(?:[0-5][0-9]){2}[0-9]{8}$/;

/**
 * Whether a name is one of those in `urn:nbn:de:101:1-` that have no check digit. The Deutsche Nationalbibliothek does
 * not describe them. All that were found consist of a date, a time and 8 digits. The library's older names in this
 * sub-namespace are shorter, and end in a check digit.
 */
function isDatedName({ country, subspaces, name }: NbnParts): boolean {
  return isGerman(country) && subspaces.join(":") === "101:1" && DATED_NAME.test(name);
}

function isGerman(country: string): boolean {
  return country.toLowerCase() === "de";
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
