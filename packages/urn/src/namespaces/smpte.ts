import { type Condition, isHexDigits, isLettersAndDigits } from "./conditions.ts";

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
    holds: (nss) =>
      nss.toLowerCase().startsWith("ul:") ||
      isLettersAndDigits(nss.replaceAll("-", "a").replaceAll(":", "a")),
  },
  {
    code: "smpte-ul-form",
    expected: "groups of 8 hexadecimal digits with dots between them after ul:",
    section: "RFC 5119 §2",
    holds: (nss) => {
      const [kind = "", ...label] = nss.split(":", 3);
      if (kind.toLowerCase() !== "ul") return true;
      return (
        label.length === 1 &&
        label[0]!.split(".").every((group) => group.length === 8 && isHexDigits(group))
      );
    },
  },
];
