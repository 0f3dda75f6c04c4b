import type { Condition } from "./namespace-check.ts";

/** RFC 5119 §2: only Universal Labels are compared without regard to case. */
export function smpteRule(nss: string): string {
  const lower = nss.toLowerCase();
  return lower.startsWith("ul:") ? lower : nss;
}

const UNIVERSAL_LABEL = /^[0-9a-f]{8}(?:\.[0-9a-f]{8})*$/i;
/** A basic UMID has 32 bytes, an extended one 64. */
const UMID = /^[0-9a-f]{8}(?:\.[0-9a-f]{8}){7}(?:(?:\.[0-9a-f]{8}){8})?$/i;

export const SMPTE: readonly Condition[] = [
  {
    code: "smpte-form",
    expected: "only letters, digits, hyphens and colons, except after ul: and umid:",
    section: "RFC 5119 §2",
    holds: (nss) => /^(?:(?:ul|umid):|[0-9A-Za-z:-]+$)/i.test(nss),
  },
  {
    code: "smpte-ul-form",
    expected: "groups of 8 hexadecimal digits with dots between them after ul:",
    section: "RFC 5119 §2",
    holds: (nss) => isIn("ul", nss, UNIVERSAL_LABEL),
  },
  {
    code: "smpte-umid-form",
    expected: "8 or 16 groups of 8 hexadecimal digits with dots between them after umid:",
    section: "SMPTE ST 2029 §8.1",
    holds: (nss) => isIn("umid", nss, UMID),
  },
];

/** Whether a name has the form that a sub-namespace requires, or is in another sub-namespace. */
function isIn(subspace: string, nss: string, form: RegExp): boolean {
  const [first = "", ...rest] = nss.split(":");
  return first.toLowerCase() !== subspace || form.test(rest.join(":"));
}
