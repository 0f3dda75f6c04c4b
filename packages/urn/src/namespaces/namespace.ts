import type { NamespaceRule } from "../equivalence.ts";
import { quote, UrnError } from "../error.ts";
import { formatUrn } from "../format.ts";
import { assertString } from "../options.ts";
import { typeError } from "../type-error.ts";
import { type Condition, checkOf, type NamespaceCheck } from "./namespace-check.ts";

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
