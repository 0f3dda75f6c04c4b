import { type Condition, isLettersAndDigits } from "./conditions.ts";

export const SERVICE: readonly Condition[] = [
  {
    code: "service-form",
    expected:
      "labels of letters, digits and inner hyphens, with dots between them, and a first label of at most 27 characters",
    section: "RFC 5031 §3",
    holds: (nss) => {
      const labels = nss.split(".");
      return labels[0]!.length <= 27 && labels.every(isLabel);
    },
  },
];

/** `let-dig [ *let-dig-hyp let-dig ]` */
function isLabel(label: string): boolean {
  return (
    isLettersAndDigits(label.replaceAll("-", "a")) && !label.startsWith("-") && !label.endsWith("-")
  );
}
