import type { Condition } from "./namespace-check.ts";

export const ADID: readonly Condition[] = [
  {
    code: "adid-form",
    expected: "an Ad-ID: 11 letters and digits, the first not 0, and then optionally H or D",
    section: "RFC 8107 §2",
    holds: (nss) => /^[1-9A-Z][0-9A-Z]{10}[HD]?$/i.test(nss),
  },
];
