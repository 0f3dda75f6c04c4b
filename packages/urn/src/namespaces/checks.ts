import { isUrn } from "../parse.ts";
import { hasGermanCheckDigit, isNbnForm } from "./nbn.ts";
import { digitsOfIssn } from "./rules.ts";

/** A rule of a namespace that a name breaks. */
export interface NamespaceProblem {
  /** The rule, for programs to compare, such as `"isbn-check-digit"`. */
  readonly code: string;
  /** A sentence that describes the expected NSS. */
  readonly message: string;
  /** The section with the rule. */
  readonly section: string;
  /**
   * Present when the NSS under RFC 2141 includes text that RFC 8141 treats as components, and the rest breaks no rule:
   * the URN can be read with `{ syntax: "rfc8141" }`. `checkNamespace` sets this property, and adds a sentence to
   * `message`.
   */
  readonly allowedBy?: "rfc8141";
}

/** A function that takes an NSS, as written, and returns the rules of the namespace that it breaks. */
export type NamespaceCheck = (nss: string) => readonly NamespaceProblem[];

/** The checks of namespaces, by NID in lower case. */
export interface NamespaceChecks {
  readonly [nid: string]: NamespaceCheck;
}

/** A condition that the names of a namespace must meet. */
interface Condition {
  /** The code of the problem when the condition is not met, for programs to compare. */
  readonly code: string;
  /** A description of the expected NSS. */
  readonly expected: string;
  /** The section with the condition. */
  readonly section: string;
  readonly holds: (nss: string) => boolean;
}

/** The conditions of each namespace, in the order in which they are checked. */
const CONDITIONS: Readonly<Record<string, readonly Condition[]>> = {
  "3gpp": [
    {
      code: "3gpp-form",
      expected: "a name in the characters of RFC 2141",
      section: "RFC 5279 §2",
      holds: (nss) => isUrn(`urn:3gpp:${nss}`),
    },
  ],
  adid: [
    {
      code: "adid-form",
      expected: "an Ad-ID: 11 letters and digits, the first not 0, and then optionally H or D",
      section: "RFC 8107 §2",
      holds: (nss) => /^[1-9A-Z][0-9A-Z]{10}[HD]?$/i.test(nss),
    },
  ],
  eidr: [
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
      holds: (nss) => /^(?!10\.5240:)|^10\.5240:(?:[0-9A-F]{4}-){5}[0-9A-Z]$/i.test(nss),
    },
    {
      code: "eidr-check-character",
      expected: "the last character of the EIDR to match the others",
      section: "RFC 7972 §2",
      holds: (nss) =>
        !nss.startsWith("10.5240:") ||
        checksMod37(nss.slice("10.5240:".length).replaceAll("-", "").toUpperCase()),
    },
  ],
  gsma: [
    {
      code: "gsma-imei-form",
      expected:
        "groups of 8, 6 and 1 digits with hyphens between them after imei:, then optionally ;svn= with 2 digits and ;vers= with 1 digit",
      section: "RFC 7254 §3",
      // The parameters have a fixed order.
      holds: (nss) =>
        !/^imei:/i.test(nss) ||
        /^imei:[0-9]{8}-[0-9]{6}-[0-9](?:;svn=[0-9]{2})?(?:;vers=[0-9])?$/i.test(nss),
    },
  ],
  ietf: [
    {
      code: "ietf-form",
      expected:
        "a number after rfc:, fyi:, std: and bcp:, letters, digits and hyphens after id: and mtg:, and names with colons between them after params:",
      section: "RFC 2648 §2",
      holds: isIetfForm,
    },
  ],
  isbn: [
    {
      code: "isbn-form",
      expected:
        "an ISBN: 10 digits, where the last may be X, or 13 digits that start with 978 or 979, with single hyphens between parts",
      section: "RFC 3187 §5",
      holds: isIsbnForm,
    },
    {
      code: "isbn-check-digit",
      expected: "the last digit of the ISBN to match the others",
      section: "RFC 3187 §5",
      holds: (nss) => {
        const digits = nss.replaceAll("-", "");
        return digits.length === 10 ? checksMod11(digits) : checksMod10(digits);
      },
    },
  ],
  issn: [
    {
      code: "issn-form",
      expected:
        "an ISSN: 8 digits, where the last may be X, with or without a hyphen after the fourth",
      section: "RFC 3044 §5",
      holds: (nss) => /^[0-9]{7}[0-9X]$/i.test(digitsOfIssn(nss)),
    },
    {
      code: "issn-check-digit",
      expected: "the last digit of the ISSN to match the others",
      section: "RFC 3044 §5",
      holds: (nss) => checksMod11(digitsOfIssn(nss)),
    },
  ],
  lex: [
    {
      code: "lex-form",
      expected:
        "a jurisdiction, an authority, a measure and details with colons between them, then optionally annexes, @ and an expression, and $ and a manifestation",
      section: "RFC 9676 §8",
      holds: isLexForm,
    },
  ],
  mpeg: [
    {
      code: "mpeg-form",
      expected: "the name of an MPEG standard, a colon and a name, in the characters of RFC 2141",
      section: "RFC 3614 §2",
      holds: (nss) => /^[^:]+:./.test(nss) && isUrn(`urn:mpeg:${nss}`),
    },
  ],
  nbn: [
    {
      code: "nbn-hr-delimiter",
      expected:
        "a hyphen, not a colon, before the name; published names of urn:nbn:hr have a colon, against RFC 8458",
      section: "RFC 8458 §4.3",
      holds: (nss) => !/^hr:[0-9]+:[0-9]+$/i.test(nss),
    },
    {
      code: "nbn-form",
      expected:
        "a two-letter country code, optional subdivisions of letters and digits after colons, then a hyphen and a name",
      section: "RFC 8458 §4.2",
      holds: isNbnForm,
    },
    {
      code: "nbn-de-check-digit",
      expected:
        "a check digit that matches the other characters at the end of a name of urn:nbn:de",
      section: 'Deutsche Nationalbibliothek, "URN check digit"',
      holds: (nss) => !/^de[:-]/i.test(nss) || hasGermanCheckDigit(nss),
    },
  ],
  oasis: [
    {
      code: "oasis-form",
      expected:
        "names: with specification, tc or technical and three or more fields, or member: with the member's identifier and a name",
      section: "RFC 3121 §2",
      holds: isOasisForm,
    },
  ],
  oid: [
    {
      code: "oid-form",
      expected: "an OID: numbers without leading zeros, with dots between them",
      section: "RFC 3061 §2",
      holds: (nss) => nss.split(".").every((arc) => /^(?:0|[1-9][0-9]*)$/.test(arc)),
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
  ],
  service: [
    {
      code: "service-form",
      expected:
        "labels of letters, digits and inner hyphens, with dots between them, and a first label of at most 27 characters",
      section: "RFC 5031 §3",
      holds: (nss) => nss.split(".").every(isServiceLabel) && /^[^.]{1,27}(?:\.|$)/.test(nss),
    },
  ],
  smpte: [
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
      holds: (nss) => isAfter("ul", nss, /^[0-9a-f]{8}(?:\.[0-9a-f]{8})*$/i),
    },
    {
      code: "smpte-umid-form",
      expected: "8 or 16 groups of 8 hexadecimal digits with dots between them after umid:",
      section: "SMPTE ST 2029 §8.1",
      // A basic UMID has 32 bytes, an extended one 64.
      holds: (nss) =>
        isAfter("umid", nss, /^[0-9a-f]{8}(?:\.[0-9a-f]{8}){7}(?:(?:\.[0-9a-f]{8}){8})?$/i),
    },
  ],
  ucode: [
    {
      code: "ucode-form",
      expected: '"_" and then a multiple of 32 upper-case hexadecimal digits',
      section: "RFC 6588 §2",
      holds: (nss) => nss.length % 32 === 1 && /^_[0-9A-F]+$/.test(nss),
    },
  ],
  uuid: [
    {
      code: "uuid-form",
      expected:
        "a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12, with hyphens between them",
      section: "RFC 9562 §4",
      holds: (nss) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(nss),
    },
  ],
};

/**
 * Checks for the form and the check digits of names in registered namespaces, from the RFCs that registered
 * them. Only the first rule that a name breaks is reported.
 *
 * To add a namespace of your own, copy the table: `{ ...namespaceChecks, acme: (nss) => … }`.
 *
 * @example
 * ```ts
 * import { checkNamespace, namespaceChecks } from "@x/urn/namespaces";
 *
 * const problem = { code: "acme-empty", message: "Expected a digit.", section: "ACME 1" };
 * const checks = { ...namespaceChecks, acme: (nss: string) => (nss === "0" ? [] : [problem]) };
 * checkNamespace("urn:acme:x", { checks }); // → [problem]
 * ```
 * @see RFC 8141 §6.4.2
 */
export const namespaceChecks: NamespaceChecks = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(CONDITIONS).map(([nid, conditions]) => [nid, checkOf(conditions)]),
);

/** Only the first condition that fails is reported: a check digit means nothing when the form is wrong. */
function checkOf(conditions: readonly Condition[]): NamespaceCheck {
  return (nss) => {
    const broken = conditions.find((condition) => !condition.holds(nss));
    if (broken === undefined) return [];
    const { code, expected, section } = broken;
    return [{ code, message: `Expected ${expected}.`, section }];
  };
}

/** ISO 7064 MOD 37,36: whether the last character matches the others, all in upper case. */
function checksMod37(characters: string): boolean {
  const valueAt = (i: number) =>
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(characters.charAt(i));
  let product = 36;
  for (let i = 0; i < characters.length - 1; i++) {
    const sum = (product + valueAt(i)) % 36;
    product = ((sum === 0 ? 36 : sum) * 2) % 37;
  }
  return (product + valueAt(characters.length - 1)) % 36 === 1;
}

/** Series that RFC 6924 does not list may have any fields, because new series may be registered (RFC 3553 §3). */
function isIetfForm(nss: string): boolean {
  const [series = "", ...names] = nss.split(":");
  switch (series.toLowerCase()) {
    case "rfc":
    case "fyi":
    case "std":
    case "bcp":
      return names.length === 1 && /^[0-9]+$/.test(names[0]!);
    case "id":
    case "mtg":
      return names.length === 1 && /^[0-9A-Za-z-]+$/.test(names[0]!);
    case "params":
      return names.length > 0 && !names.includes("");
    default:
      return /^[0-9A-Za-z-]+$/.test(series);
  }
}

function isIsbnForm(nss: string): boolean {
  // An ISBN of thirteen digits has at most four hyphens.
  if (nss.length > 17 || /^-|--|-$/.test(nss)) return false;
  return /^(?:[0-9]{9}[0-9X]|97[89][0-9]{10})$/i.test(nss.replaceAll("-", ""));
}

/** Whether the sum of the digits, weighted by 1 and 3 in turn, is a multiple of 10. */
function checksMod10(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.charAt(i)) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

/**
 * Whether the weighted sum of the digits is a multiple of 11. The weights go from the number of digits down to 1, and
 * `X` counts as ten.
 */
function checksMod11(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    sum += (digits.length - i) * (digit === "X" || digit === "x" ? 10 : Number(digit));
  }
  return sum % 11 === 0;
}

/**
 * RFC 9676 §2.1, §3.2 and §5.3: the fields of a document and its annexes, then an expression after `@`, a manifestation
 * after `$` and a partition after `~`, which only RFC 8141 allows. The contents of a field are not checked.
 */
function isLexForm(nss: string): boolean {
  const [document, partition] = splitAt(nss, "~");
  const [localName, manifestation] = splitAt(document, "$");
  const [work, expression] = splitAt(localName, "@");
  const fields = work.split(":");
  return fields.length >= 4 && ![...fields, partition, manifestation, expression].includes("");
}

/** The text before the first delimiter, and the text after it, or `null` without the delimiter. */
function splitAt(text: string, delimiter: string): [before: string, after: string | null] {
  const at = text.indexOf(delimiter);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function isOasisForm(nss: string): boolean {
  const [branch, first = "", ...rest] = nss.split(":");
  if (branch === "member") return first !== "" && rest.join(":") !== "";
  const isClass = ["specification", "tc", "technical"].includes(first);
  return branch === "names" && isClass && rest.length >= 3 && !rest.includes("");
}

/** `let-dig [ *let-dig-hyp let-dig ]` */
function isServiceLabel(label: string): boolean {
  return /^[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?$/.test(label);
}

/** Whether a name has the form that a sub-namespace requires, or is in another sub-namespace. */
function isAfter(subspace: string, nss: string, form: RegExp): boolean {
  const [first = "", ...rest] = nss.split(":");
  return first.toLowerCase() !== subspace || form.test(rest.join(":"));
}
