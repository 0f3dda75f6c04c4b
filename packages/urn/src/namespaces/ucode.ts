import type { Condition } from "./namespace-check.ts";

export const UCODE: readonly Condition[] = [
  {
    code: "ucode-form",
    expected: '"_" and then a multiple of 32 upper-case hexadecimal digits',
    section: "RFC 6588 §2",
    holds: (nss) => nss.length % 32 === 1 && /^_[0-9A-F]+$/.test(nss),
  },
];
