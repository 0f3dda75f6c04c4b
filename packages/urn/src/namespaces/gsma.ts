import type { Condition } from "./namespace-check.ts";

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

/** `imeival` and its parameters, which have a fixed order. */
const IMEI = /^imei:[0-9]{8}-[0-9]{6}-[0-9](?:;svn=[0-9]{2})?(?:;vers=[0-9])?$/i;

export const GSMA: readonly Condition[] = [
  {
    code: "gsma-imei-form",
    expected:
      "groups of 8, 6 and 1 digits with hyphens between them after imei:, then optionally ;svn= with 2 digits and ;vers= with 1 digit",
    section: "RFC 7254 §3",
    holds: (nss) => !/^imei:/i.test(nss) || IMEI.test(nss),
  },
];
