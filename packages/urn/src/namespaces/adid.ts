import { type Condition, isLettersAndDigits } from "./conditions.ts";

export const ADID: readonly Condition[] = [
  {
    code: "adid-form",
    expected: "an Ad-ID: 11 letters and digits, the first not 0, and then optionally H or D",
    section: "RFC 8107 §2",
    holds: (nss) => {
      const suffix = nss.charAt(11).toUpperCase();
      return (
        (nss.length === 11 || (nss.length === 12 && (suffix === "H" || suffix === "D"))) &&
        isLettersAndDigits(nss) &&
        !nss.startsWith("0")
      );
    },
  },
];
