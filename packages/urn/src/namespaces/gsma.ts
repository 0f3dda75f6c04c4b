import { type Condition, isDigits } from "./conditions.ts";

/**
 * RFC 7254 §3: the value and the parameters of an IMEI are compared in order. Case and `vers=0` are ignored.
 * Other names of the namespace have no rule.
 */
export function gsmaRule(nss: string): string {
  const lower = nss.toLowerCase();
  if (!lower.startsWith("imei:")) return nss;
  return lower
    .split(";")
    .filter((parameter) => parameter !== "vers=0")
    .join(";");
}

export const GSMA: readonly Condition[] = [
  {
    code: "gsma-imei-form",
    expected:
      "groups of 8, 6 and 1 digits with hyphens between them after imei:, then optionally ;svn= with 2 digits and ;vers= with 1 digit",
    section: "RFC 7254 §3",
    holds: (nss) => {
      const lower = nss.toLowerCase();
      return !lower.startsWith("imei:") || isImei(lower.slice("imei:".length));
    },
  },
];

/** `imeival` and its parameters, which have a fixed order. */
function isImei(name: string): boolean {
  const [value = "", ...parameters] = name.split(";", 4);
  const [tac = "", serial = "", spare = "", ...more] = value.split("-", 4);
  const isNumber = (text: string, length: number) => text.length === length && isDigits(text);
  if (!isNumber(tac, 8) || !isNumber(serial, 6) || !isNumber(spare, 1) || more.length > 0) {
    return false;
  }
  if (parameters[0]?.startsWith("svn=") && isNumber(parameters[0].slice(4), 2)) parameters.shift();
  if (parameters[0]?.startsWith("vers=") && isNumber(parameters[0].slice(5), 1)) parameters.shift();
  return parameters.length === 0;
}
