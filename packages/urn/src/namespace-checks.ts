import { CASE_BIT } from "./ascii.ts";
import { issnDigits } from "./namespace-rules.ts";
import { isDigits, isHexDigits, isLetters, isLettersAndDigits } from "./runs.ts";

/** One rule of its namespace that a name breaks. */
export interface NamespaceProblem {
  /** Which rule, in a word that programs can compare: `"isbn-check-digit"`. */
  readonly code: string;
  /** What was expected, as a sentence. */
  readonly message: string;
  /** The section that has the rule. */
  readonly section: string;
}

/** A function from an NSS, as written, to the rules of the namespace that it breaks. */
export type NamespaceCheck = (nss: string) => readonly NamespaceProblem[];

/** The checks of namespaces, by NID in lower case. */
export interface NamespaceChecks {
  readonly [nid: string]: NamespaceCheck;
}

/** A check of one condition. */
function check(
  code: string,
  expected: string,
  section: string,
  holds: (nss: string) => boolean,
): NamespaceCheck {
  const problems = Object.freeze([
    Object.freeze({ code, message: `Expected ${expected}.`, section }),
  ]);
  return (nss) => (holds(nss) ? [] : problems);
}

/** The first of several checks that fails: a check digit means nothing where the form is wrong. */
function inOrder(...checks: readonly NamespaceCheck[]): NamespaceCheck {
  return (nss) => {
    for (const one of checks) {
      const problems = one(nss);
      if (problems.length > 0) return problems;
    }
    return [];
  };
}

/** The digits weighed by falling weights down to 1; a last `X` is ten. */
function modulus11(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    sum += (digits.length - i) * (digit === "X" || digit === "x" ? 10 : Number(digit));
  }
  return sum % 11;
}

/** The digits weighed by 1 and 3 in turn. */
function modulus10(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits.charAt(i)) * (i % 2 === 0 ? 1 : 3);
  return sum % 10;
}

/** Digits of a length, of which the last may be `X` or `x`. */
function isNumberWithX(text: string, length: number): boolean {
  const last = text.charAt(length - 1);
  return (
    text.length === length &&
    isDigits(text.slice(0, -1)) &&
    (isDigits(last) || last === "X" || last === "x")
  );
}

const withoutHyphens = (nss: string) => nss.replaceAll("-", "");

function isIsbnForm(nss: string): boolean {
  // Longer texts need not be gone through: thirteen digits have at most four hyphens between them.
  if (nss.length > 17 || nss.startsWith("-") || nss.endsWith("-") || nss.includes("--"))
    return false;
  const digits = withoutHyphens(nss);
  const isIsbn13 = digits.startsWith("978") || digits.startsWith("979");
  return isNumberWithX(digits, 10) || (digits.length === 13 && isIsbn13 && isDigits(digits));
}

const isbn = inOrder(
  check(
    "isbn-form",
    "an ISBN: 10 digits, the last of which may be X, or 13 digits from 978 or 979, with single hyphens between parts",
    "RFC 3187 §5",
    isIsbnForm,
  ),
  check("isbn-check-digit", "the ISBN's last digit to match the others", "RFC 3187 §5", (nss) => {
    const digits = withoutHyphens(nss);
    return digits.length === 10 ? modulus11(digits) === 0 : modulus10(digits) === 0;
  }),
);

const issn = inOrder(
  check(
    "issn-form",
    "an ISSN: 8 digits, the last of which may be X, with or without a hyphen after the fourth",
    "RFC 3044 §5",
    (nss) => isNumberWithX(issnDigits(nss), 8),
  ),
  check(
    "issn-check-digit",
    "the ISSN's last digit to match the others",
    "RFC 3044 §5",
    (nss) => modulus11(issnDigits(nss)) === 0,
  ),
);

const UUID_GROUPS = [8, 4, 4, 4, 12];

const uuid = check(
  "uuid-form",
  "a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12, with hyphens between them",
  "RFC 4122 §3",
  (nss) => {
    const groups = nss.split("-", UUID_GROUPS.length + 1);
    return (
      groups.length === UUID_GROUPS.length &&
      groups.every((group, i) => group.length === UUID_GROUPS[i] && isHexDigits(group))
    );
  },
);

const hasLeadingZero = (number: string) => number.length > 1 && number.startsWith("0");

const oid = inOrder(
  check(
    "oid-form",
    "an OID: numbers without leading zeros, with dots between them",
    "RFC 3061 §2",
    (nss) => nss.split(".").every((arc) => isDigits(arc) && !hasLeadingZero(arc)),
  ),
  check(
    "oid-arc",
    "the OID's first number to be 0, 1 or 2, and the second to be below 40 after 0 and 1",
    "ITU-T X.660",
    (nss) => {
      const [first = "", second = ""] = nss.split(".", 2);
      return first === "2" || ((first === "0" || first === "1") && Number(second) < 40);
    },
  ),
);

const nbn = check(
  "nbn-form",
  "two letters of a country, codes of letters and digits each after a colon, a hyphen and a name",
  "RFC 8458 §4.2",
  (nss) => {
    const hyphen = nss.indexOf("-");
    const [country = "", ...codes] = nss.slice(0, Math.max(0, hyphen)).split(":");
    const name = nss.slice(hyphen + 1);
    return (
      country.length === 2 &&
      isLetters(country) &&
      codes.every(isLettersAndDigits) &&
      name !== "" &&
      !name.startsWith("/")
    );
  },
);

/** `imeival` and its parameters, which come in one order. */
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

const gsma = check(
  "gsma-imei-form",
  "after imei: 8, 6 and 1 digits with hyphens between them, then ;svn= with 2 digits and ;vers= with 1 if at all",
  "RFC 7254 §3",
  (nss) => {
    const lower = nss.toLowerCase();
    return !lower.startsWith("imei:") || isImei(lower.slice("imei:".length));
  },
);

const adid = check(
  "adid-form",
  "an Ad-ID: 11 letters and digits, the first not 0, and then H or D if at all",
  "RFC 8107 §2",
  (nss) => {
    const suffix = nss.charAt(11).toUpperCase();
    return (
      (nss.length === 11 || (nss.length === 12 && (suffix === "H" || suffix === "D"))) &&
      isLettersAndDigits(nss) &&
      !nss.startsWith("0")
    );
  },
);

const ALPHABET_36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** ISO 7064 MOD 37,36: whether the last character checks the others, all in upper case. */
function checksMod37(characters: string): boolean {
  let product = 36;
  for (let i = 0; i < characters.length - 1; i++) {
    const sum = (product + ALPHABET_36.indexOf(characters.charAt(i))) % 36;
    product = ((sum === 0 ? 36 : sum) * 2) % 37;
  }
  return (product + ALPHABET_36.indexOf(characters.charAt(characters.length - 1))) % 36 === 1;
}

const RP2079_PREFIX = "10.5240:";

const isEidrText = (text: string) =>
  isLettersAndDigits(text.replaceAll("-", "a").replaceAll(".", "a").replaceAll("_", "a"));

const eidr = inOrder(
  check(
    "eidr-form",
    "an EIDR: a prefix, a colon and a suffix of letters, digits, hyphens, dots and underscores",
    "RFC 7972 §2",
    (nss) => {
      const parts = nss.split(":", 3);
      return parts.length === 2 && parts.every(isEidrText);
    },
  ),
  check(
    "eidr-suffix-form",
    "five groups of 4 hexadecimal digits and a letter or digit, with hyphens between them, after 10.5240",
    "RFC 7972 §2",
    (nss) => {
      if (!nss.startsWith(RP2079_PREFIX)) return true;
      const groups = nss.slice(RP2079_PREFIX.length).split("-", 7);
      const last = groups.pop() ?? "";
      return (
        groups.length === 5 &&
        groups.every((group) => group.length === 4 && isHexDigits(group)) &&
        last.length === 1 &&
        isLettersAndDigits(last)
      );
    },
  ),
  check(
    "eidr-check-character",
    "the EIDR's last character to match the others",
    "RFC 7972 §2",
    (nss) =>
      !nss.startsWith(RP2079_PREFIX) ||
      checksMod37(withoutHyphens(nss.slice(RP2079_PREFIX.length)).toUpperCase()),
  ),
);

/** `let-dig [ *let-dig-hyp let-dig ]` */
function isServiceLabel(label: string): boolean {
  return (
    isLettersAndDigits(label.replaceAll("-", "a")) && !label.startsWith("-") && !label.endsWith("-")
  );
}

const service = check(
  "service-form",
  "labels of letters, digits and inner hyphens with dots between them, the first of at most 27 characters",
  "RFC 5031 §3",
  (nss) => {
    const labels = nss.split(".");
    return labels[0]!.length <= 27 && labels.every(isServiceLabel);
  },
);

const smpte = check(
  "smpte-ul-form",
  "after ul: groups of 8 hexadecimal digits with dots between them",
  "RFC 5119 §2",
  (nss) => {
    const [kind = "", ...label] = nss.split(":", 3);
    if (kind.toLowerCase() !== "ul") return true;
    return (
      label.length === 1 &&
      label[0]!.split(".").every((group) => group.length === 8 && isHexDigits(group))
    );
  },
);

const ucode = check(
  "ucode-form",
  '"_" and one or more times 32 hexadecimal digits, in upper case',
  "RFC 6588 §2",
  (nss) => {
    const digits = nss.slice(1);
    const isUpperCase = () => !hasLowerCase(digits);
    return nss.startsWith("_") && digits.length % 32 === 0 && isHexDigits(digits) && isUpperCase();
  },
);

function hasLowerCase(hexDigits: string): boolean {
  for (let i = 0; i < hexDigits.length; i++) {
    const unit = hexDigits.charCodeAt(i);
    // A letter with the case bit set; digits have it too, but not the letters' own bit.
    if (unit >= 0x40 && (unit & CASE_BIT) !== 0) return true;
  }
  return false;
}

/**
 * The checks of registered namespaces, each from the text that registered it: the form of their names
 * and check digits.
 *
 * A table like any other: `{ ...namespaceChecks, acme: (nss) => … }` adds a namespace.
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
export const namespaceChecks: NamespaceChecks = {
  adid,
  eidr,
  gsma,
  isbn,
  issn,
  nbn,
  oid,
  service,
  smpte,
  ucode,
  uuid,
};
