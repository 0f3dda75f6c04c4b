import type { Condition } from "./conditions.ts";

/** RFC 5119 §2: only Universal Labels are compared without regard to case. */
export function smpteRule(nss: string): string {
  const lower = nss.toLowerCase();
  return lower.startsWith("ul:") ? lower : nss;
}

export const SMPTE: readonly Condition[] = [
  {
    code: "smpte-form",
    expected: "only letters, digits, hyphens and colons, except after ul:",
    section: "RFC 5119 §2",
    holds: (nss) => /^(?:ul:|[0-9A-Za-z:-]+$)/i.test(nss),
  },
  {
    code: "smpte-ul-form",
    expected: "groups of 8 hexadecimal digits with dots between them after ul:",
    section: "RFC 5119 §2",
    holds: (nss) => {
      const [kind = "", ...label] = nss.split(":");
      if (kind.toLowerCase() !== "ul") return true;
      return label
        .join(":")
        .split(".")
        .every((group) => /^[0-9a-f]{8}$/i.test(group));
    },
  },
];
