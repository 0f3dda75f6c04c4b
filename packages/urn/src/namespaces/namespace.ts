import type { NamespaceRule } from "../equivalence.ts";
import { quote, UrnError } from "../error.ts";
import { formatUrn } from "../format.ts";
import { assertString, typeError } from "../options.ts";

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

/** A condition that the names of a namespace must meet. */
export interface Condition {
  /** The code of the problem when the condition is not met, for programs to compare. */
  readonly code: string;
  /** A description of the expected NSS. */
  readonly expected: string;
  /** The section with the condition. */
  readonly section: string;
  readonly holds: (nss: string) => boolean;
}

/** Only the first condition that fails is reported: a check digit means nothing when the form is wrong. */
export function checkOf(conditions: readonly Condition[]): NamespaceCheck {
  return (nss) => {
    const broken = conditions.find((condition) => !condition.holds(nss));
    if (broken === undefined) return [];
    const { code, expected, section } = broken;
    return [{ code, message: `Expected ${expected}.`, section }];
  };
}

/** `1*DIGIT` */
export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

/** `1*(ALPHA / DIGIT)` */
export function isLettersAndDigits(text: string): boolean {
  return /^[0-9A-Za-z]+$/.test(text);
}

/** `1*(ALPHA / DIGIT / "-")` */
export function isLettersDigitsAndHyphens(text: string): boolean {
  return /^[0-9A-Za-z-]+$/.test(text);
}

/** The parts of a name in a namespace. Each key is the name of a part. */
export type NamespaceParts = Readonly<Record<string, string | number | null | readonly string[]>>;

/**
 * A namespace, with functions that read, write, check and compare its names. All functions take or return an NSS, so
 * r-, q- and f-components are not touched.
 */
export interface Namespace<Parts extends NamespaceParts = NamespaceParts> {
  /** The NID, in lower case. */
  readonly nid: string;
  /** The documents whose rules are followed, such as `["RFC 8458"]`. */
  readonly documents: readonly string[];
  /**
   * Returns the parts of an NSS, as written, or `null` when the NSS does not have the form of the namespace. A wrong
   * check digit does not matter, because `check` finds it.
   */
  tryParse(nss: string): Parts | null;
  /**
   * Returns the NSS with these parts. The function is the inverse of `tryParse`.
   *
   * @throws {UrnError} `record-ambiguous` when parsing the NSS would not give these parts, or a code of `parseUrn`.
   * @throws {TypeError} when the parts do not have the types that the namespace requires.
   */
  format(parts: Parts): string;
  /**
   * Returns an array with the first rule of the namespace that an NSS breaks, or an empty array, as `namespaceChecks`
   * requires.
   */
  readonly check: NamespaceCheck;
  /** The additional equivalence, for `namespaceRules`. The rule returns the NSS unchanged when there is none. */
  readonly rule: NamespaceRule;
}

interface Definition<Parts> {
  readonly nid: string;
  readonly documents: readonly string[];
  /** The problem to report for an NSS that has no parts. */
  readonly form: Omit<Condition, "holds">;
  /** Conditions with a better description than `form` has, for an NSS that has no parts. */
  readonly exceptions?: readonly Condition[];
  readonly parse: (nss: string) => Parts | null;
  /** The parts joined, unchecked. */
  readonly write: (parts: Parts) => string;
  /** Further conditions, for an NSS that has parts. */
  readonly conditions?: readonly Condition[];
  readonly rule?: NamespaceRule;
}

/** Makes a namespace from its definition. Mark the call as pure, so that bundlers can leave it out. */
export function namespace<Parts extends NamespaceParts>(
  definition: Definition<Parts>,
): Namespace<Parts> {
  const { nid, documents, form, exceptions = [], parse, conditions = [] } = definition;
  const { rule = asWritten } = definition;
  return {
    nid,
    documents,
    tryParse(nss) {
      assertString(nss, "nss");
      return parse(nss);
    },
    format(parts) {
      const nss = writeParts(definition, parts);
      const text = formatUrn({ nid, nss, rComponent: null, qComponent: null, fComponent: null });
      if (!areSame(parse(nss), parts)) throw wrongParts(text, text.length - nss.length, form);
      return nss;
    },
    check: checkOf([
      ...exceptions,
      { ...form, holds: (nss) => parse(nss) !== null },
      ...conditions,
    ]),
    rule,
  };
}

/** @throws {TypeError} when the parts cannot be joined. */
function writeParts<Parts>({ nid, write }: Definition<Parts>, parts: Parts): string {
  try {
    return write(parts);
  } catch {
    throw typeError("parts", `the parts of a name of urn:${nid}`, parts);
  }
}

function asWritten(nss: string): string {
  return nss;
}

/** Whether the parts that were read are the same as those that were written. */
function areSame(read: NamespaceParts | null, written: NamespaceParts): boolean {
  if (read === null) return false;
  return Object.entries(read).every(([name, part]) => {
    const other = Object.hasOwn(written, name) ? written[name] : undefined;
    if (!Array.isArray(part)) return part === other;
    return (
      Array.isArray(other) &&
      part.length === other.length &&
      part.every((element, i) => element === other[i])
    );
  });
}

function wrongParts(text: string, index: number, { expected, section }: Definition<never>["form"]) {
  const message = `${quote(text, index)} at index ${index}: expected parts of ${expected} (${section}).`;
  return new UrnError(text, { code: "record-ambiguous", message, expected, index, section });
}

/**
 * The rule for a namespace that compares NSSs without regard to case.
 *
 * @example
 * ```ts
 * import { equivalentUrns } from "@x/urn";
 * import { ignoreCase, namespaceRules } from "@x/urn/namespaces";
 *
 * const namespaces = { ...namespaceRules, acme: ignoreCase };
 * equivalentUrns("urn:acme:A", "urn:acme:a", { namespaces }); // → true
 * ```
 * @see RFC 2141 §5, RFC 8141 §3.1
 */
export function ignoreCase(nss: string): string {
  // Escapes are not decoded, so an escape never equals a letter: "%41" is not "A".
  return nss.toLowerCase();
}

/**
 * Returns the rule for a namespace that ignores case only before the first delimiter. An NSS without the
 * delimiter is compared as it is.
 *
 * @throws {TypeError} when the delimiter is not a string.
 * @example
 * ```ts
 * import { equivalentUrns } from "@x/urn";
 * import { ignoreCaseBefore } from "@x/urn/namespaces";
 *
 * const namespaces = { acme: ignoreCaseBefore(":") };
 * equivalentUrns("urn:acme:A:x", "urn:acme:a:x", { namespaces }); // → true
 * equivalentUrns("urn:acme:a:X", "urn:acme:a:x", { namespaces }); // → false
 * ```
 * @see RFC 2141 §5, RFC 8141 §3.1
 */
export function ignoreCaseBefore(delimiter: string): NamespaceRule {
  assertString(delimiter, "delimiter");
  return (nss) => {
    const end = nss.indexOf(delimiter);
    return end === -1 ? nss : nss.slice(0, end).toLowerCase() + nss.slice(end);
  };
}
