import { type Condition, isDigits } from "./conditions.ts";

export const OID: readonly Condition[] = [
  {
    code: "oid-form",
    expected: "an OID: numbers without leading zeros, with dots between them",
    section: "RFC 3061 §2",
    holds: (nss) => nss.split(".").every((arc) => isDigits(arc) && !hasLeadingZero(arc)),
  },
  {
    code: "oid-arc",
    expected:
      "the first number of the OID to be 0, 1 or 2, and the second to be below 40 when the first is 0 or 1",
    section: "ITU-T X.660",
    holds: (nss) => {
      const [first = "", second = ""] = nss.split(".", 2);
      return first === "2" || ((first === "0" || first === "1") && Number(second) < 40);
    },
  },
];

function hasLeadingZero(number: string): boolean {
  return number.length > 1 && number.startsWith("0");
}
