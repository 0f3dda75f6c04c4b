import type { Condition } from "./namespace-check.ts";

/** The registrant prefix whose suffix form RFC 7972 describes. */
const RP2079_PREFIX = "10.5240:";

export const EIDR: readonly Condition[] = [
  {
    code: "eidr-form",
    expected:
      "an EIDR: a prefix, a colon and a suffix of letters, digits, hyphens, dots and underscores",
    section: "RFC 7972 §2",
    holds: (nss) => /^[\w.-]+:[\w.-]+$/.test(nss),
  },
  {
    code: "eidr-suffix-form",
    expected:
      "five groups of 4 hexadecimal digits and a final letter or digit, with hyphens between them, after 10.5240",
    section: "RFC 7972 §2",
    holds: (nss) =>
      !nss.startsWith(RP2079_PREFIX) ||
      /^(?:[0-9A-F]{4}-){5}[0-9A-Z]$/i.test(nss.slice(RP2079_PREFIX.length)),
  },
  {
    code: "eidr-check-character",
    expected: "the last character of the EIDR to match the others",
    section: "RFC 7972 §2",
    holds: (nss) =>
      !nss.startsWith(RP2079_PREFIX) ||
      checksMod37(nss.slice(RP2079_PREFIX.length).replaceAll("-", "").toUpperCase()),
  },
];

const ALPHABET_36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** ISO 7064 MOD 37,36: whether the last character matches the others, all in upper case. */
function checksMod37(characters: string): boolean {
  let product = 36;
  for (let i = 0; i < characters.length - 1; i++) {
    const sum = (product + ALPHABET_36.indexOf(characters.charAt(i))) % 36;
    product = ((sum === 0 ? 36 : sum) * 2) % 37;
  }
  return (product + ALPHABET_36.indexOf(characters.charAt(characters.length - 1))) % 36 === 1;
}
