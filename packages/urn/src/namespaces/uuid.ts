import { type Condition, isHexDigits } from "./conditions.ts";

const GROUPS = [8, 4, 4, 4, 12];

export const UUID: readonly Condition[] = [
  {
    code: "uuid-form",
    expected:
      "a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12, with hyphens between them",
    section: "RFC 4122 §3",
    holds: (nss) => {
      const groups = nss.split("-", GROUPS.length + 1);
      return (
        groups.length === GROUPS.length &&
        groups.every((group, i) => group.length === GROUPS[i] && isHexDigits(group))
      );
    },
  },
];
