import type { Condition } from "./namespace.ts";

/** The registrant prefix whose suffix form RFC 7972 describes. */
const RP2079_PREFIX = "10.5240:";

export const EIDR: readonly Condition[] = [
  {
    code: "eidr-form",
    expected:
      "an EIDR: a prefix, a colon and a suffix of letters, digits, hyphens, dots and underscores",
    section: "RFC 7972 §2",
    holds: (nss) => /^[\w.-]+:[\w.-]+$/.test(nss),
  },
  {
    code: "eidr-suffix-form",
    expected:
      "five groups of 4 hexadecimal digits and a final letter or digit, with hyphens between them, after 10.5240",
    section: "RFC 7972 §2",
    holds: (nss) =>
      !nss.startsWith(RP2079_PREFIX) ||
      /^(?:[0-9A-F]{4}-){5}[0-9A-Z]$/i.test(nss.slice(RP2079_PREFIX.length)),
  },
  {
    code: "eidr-check-character",
    expected: "the last character of the EIDR to match the others",
    section: "RFC 7972 §2",
    holds: (nss) =>
      !nss.startsWith(RP2079_PREFIX) ||
      checksMod37(nss.slice(RP2079_PREFIX.length).replaceAll("-", "").toUpperCase()),
  },
];

const ALPHABET_36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** ISO 7064 MOD 37,36: whether the last character matches the others, all in upper case. */
function checksMod37(characters: string): boolean {
  let product = 36;
  for (let i = 0; i < characters.length - 1; i++) {
    const sum = (product + ALPHABET_36.indexOf(characters.charAt(i))) % 36;
    product = ((sum === 0 ? 36 : sum) * 2) % 37;
  }
  return (product + ALPHABET_36.indexOf(characters.charAt(characters.length - 1))) % 36 === 1;
}

export const ADID: readonly Condition[] = [
  {
    code: "adid-form",
    expected: "an Ad-ID: 11 letters and digits, the first not 0, and then optionally H or D",
    section: "RFC 8107 §2",
    holds: (nss) => /^[1-9A-Z][0-9A-Z]{10}[HD]?$/i.test(nss),
  },
];

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

/**
 * RFC 3085 §2: the provider, date, item and revision are compared. Case and the letter `A` or `U` after the
 * revision are ignored.
 */
export function newsmlRule(nss: string): string {
  const fields = nss.toLowerCase().split(":");
  if (fields.length === 4) fields[3] = fields[3]!.replace(/^([0-9]+)[au]$/, "$1");
  return fields.join(":");
}

export const UCODE: readonly Condition[] = [
  {
    code: "ucode-form",
    expected: '"_" and then a multiple of 32 upper-case hexadecimal digits',
    section: "RFC 6588 §2",
    holds: (nss) => nss.length % 32 === 1 && /^_[0-9A-F]+$/.test(nss),
  },
];
