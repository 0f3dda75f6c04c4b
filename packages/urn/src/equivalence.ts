import { CASE_BIT, codeUnitAt, isClass, LET_NUM, PERCENT } from "./characters.ts";
import { UrnError } from "./error.ts";
import { formatUrn, lowerCase, upperCaseEscapes, writeUrn } from "./format.ts";
import {
  assertTable,
  chosenSyntax,
  ownOption,
  typeError,
  type UrnSyntax,
  type UrnSyntaxOptions,
} from "./options.ts";
import { assertUrn, type Urn } from "./parse.ts";
import { notUrnProblem, scanUrn, type UrnScan } from "./scan-urn.ts";

/**
 * The additional equivalence of a namespace, as a function that takes an NSS, with its escapes in upper case, and
 * returns the text to compare instead. NSSs with the same result are equivalent. A rule cannot make equivalent NSSs
 * different.
 */
export type NamespaceRule = (nss: string) => string;

/** The rules of namespaces, by NID in lower case. */
export interface NamespaceRules {
  readonly [nid: string]: NamespaceRule;
}

/** The rules by which URNs are compared. */
export type EquivalenceBasis = "namespace" | "rfc8141" | "rfc2141" | "exact";

/** The options of `equivalentUrns` and `canonicalKey`. */
export interface EquivalenceOptions extends UrnSyntaxOptions {
  /**
   * The rules to compare by:
   *
   * - `"exact"`: the whole texts, character by character. A record is compared as the text that `formatUrn` returns.
   * - `"rfc2141"`: the case of `urn`, of the NID and of the digits of escapes does not matter. Everything after the NID
   *   is the name.
   * - `"rfc8141"`: as with `"rfc2141"`, but r-, q- and f-components are ignored.
   * - `"namespace"`: as with `"rfc8141"`, and then by the rules in `namespaces`.
   *
   * `"rfc2141"` and `"rfc8141"` also choose the `syntax`, unless you choose it yourself. By default, URNs are
   * compared by `"namespace"` if there are `namespaces`, and otherwise by the specification of their
   * `syntax`.
   */
  readonly by?: EquivalenceBasis | undefined;
  /**
   * The rules for `"namespace"`. By default, there are none. `@x/urn/namespaces` has the rules of registered
   * namespaces.
   */
  readonly namespaces?: NamespaceRules | undefined;
}

/** The parts of a URN that make up the name. Components are not part of the name. */
type AssignedName = Pick<Urn, "nid" | "nss">;

/**
 * Returns whether two URNs are the same name. By default, the case of `urn`, of the NID and of the
 * hexadecimal digits of escapes does not matter. Escapes are not decoded, and r-, q- and f-components are
 * ignored.
 *
 * Strings are parsed under `syntax`, and records are compared as they are. `namespaces` can only make more URNs
 * equivalent, never fewer. `by` chooses other rules.
 *
 * @throws {UrnError} with the codes of `parseUrn` when a string is not a URN.
 * @throws {TypeError} when an argument is neither a string nor the record of a URN, when `by` is not one of its values
 * or is `"namespace"` without `namespaces`, when a key of `namespaces` is not a NID in lower case, or when a rule does
 * not return a string.
 * @example
 * ```ts
 * import { equivalentUrns } from "@x/urn";
 * import { namespaceRules } from "@x/urn/namespaces";
 *
 * equivalentUrns("URN:FOO:a123%2c456", "urn:foo:a123%2C456"); // → true
 * equivalentUrns("urn:foo:a123,456", "urn:foo:a123%2C456"); // → false
 * equivalentUrns("urn:isbn:0-395-36341-1", "urn:isbn:0395363411", { namespaces: namespaceRules }); // → true
 * equivalentUrns("URN:example:a", "urn:example:a", { by: "exact" }); // → false
 * ```
 * @see RFC 2141 §5, RFC 8141 §3
 */
export function equivalentUrns(
  a: Urn | string,
  b: Urn | string,
  options?: EquivalenceOptions,
): boolean {
  const basis = chosenBasis(options);
  if (basis.by === "exact") return exactText(a, basis) === exactText(b, basis);
  const nameA = nameOf(a, basis);
  const nameB = nameOf(b, basis);
  if (!sameNid(nameA.nid, nameB.nid)) return false;
  if (sameNss(nameA.nss, nameB.nss)) return true;
  return basis.rules !== null && sameByRule(nameA, nameB, basis.rules);
}

/**
 * Returns a key for a URN. Two URNs have the same key if and only if `equivalentUrns` with the same options returns
 * `true` for them. Use the result as the key of a `Map` or of a database index.
 *
 * The key is only for comparisons, and need not be a URN.
 *
 * @throws {UrnError} with the codes of `formatUrn` when the argument is not a URN.
 * @throws {TypeError} in the same cases as `equivalentUrns`.
 * @example
 * ```ts
 * import { canonicalKey } from "@x/urn";
 * import { namespaceRules } from "@x/urn/namespaces";
 *
 * canonicalKey("URN:ISBN:0-395-36341-1"); // → "urn:isbn:0-395-36341-1"
 * canonicalKey("URN:ISBN:0-395-36341-1", { namespaces: namespaceRules }); // → "urn:isbn:0395363411"
 * ```
 * @see RFC 2141 §5, RFC 8141 §3
 */
export function canonicalKey(urn: Urn | string, options?: EquivalenceOptions): string {
  const basis = chosenBasis(options);
  // A record made by hand may have a ":" in its NID. Without this check, it could get the key of another name.
  if (typeof urn !== "string") formatUrn(urn);
  if (basis.by === "exact") return exactText(urn, basis);
  const { nid, nss } = nameOf(urn, basis);
  const name = lowerCase(nid);
  const rule = basis.rules === null ? null : ownRule(basis.rules, name);
  return `urn:${name}:${rule === null ? upperCaseEscapes(nss) : applyRule(rule, name, nss)}`;
}

/** The options of a comparison, checked. */
interface ChosenBasis {
  readonly by: EquivalenceBasis | null;
  readonly syntax: UrnSyntax;
  readonly rules: NamespaceRules | null;
}

function chosenBasis(options: EquivalenceOptions | undefined): ChosenBasis {
  const syntax = chosenSyntax(options);
  const rules = ownOption(options, "namespaces") ?? null;
  if (rules !== null) assertTable(rules, "namespaces", "function");
  const by = ownOption(options, "by") ?? null;
  switch (by) {
    case null:
      return { by, syntax, rules };
    case "namespace":
      if (rules !== null) return { by, syntax, rules };
      throw typeError(
        "namespaces",
        'the rules to compare by, such as those of "@x/urn/namespaces"',
        rules,
      );
    case "exact":
      return { by, syntax, rules: null };
    case "rfc2141":
    case "rfc8141":
      return { by, syntax: ownOption(options, "syntax") === undefined ? by : syntax, rules: null };
    default:
      throw typeError("by", '"namespace", "rfc8141", "rfc2141" or "exact"', by);
  }
}

function exactText(urn: Urn | string, { syntax }: ChosenBasis): string {
  if (typeof urn !== "string") {
    assertUrn(urn);
    return writeUrn(urn);
  }
  scanWhole(urn, syntax);
  return urn;
}

function nameOf(urn: Urn | string, { by, syntax }: ChosenBasis): AssignedName {
  if (typeof urn === "string") {
    const { nidStart, nidEnd, nssStart, nssEnd } = scanWhole(urn, syntax);
    const end = by === "rfc2141" ? urn.length : nssEnd;
    return { nid: urn.slice(nidStart, nidEnd), nss: urn.slice(nssStart, end) };
  }
  assertUrn(urn);
  if (by !== "rfc2141") return urn;
  return { nid: urn.nid, nss: writeUrn(urn).slice("urn::".length + urn.nid.length) };
}

/** @throws {UrnError} when the whole text is not a URN. */
function scanWhole(text: string, syntax: UrnSyntax): UrnScan {
  const scan = scanUrn(text, 0, syntax);
  if (scan.end !== text.length) throw new UrnError(text, notUrnProblem(scan, syntax));
  return scan;
}

/** Whether two code units are the same, or the upper and lower case of one ASCII letter. */
function sameIgnoringCase(a: number, b: number): boolean {
  return a === b || ((a ^ b) === CASE_BIT && isClass(a, LET_NUM) && isClass(b, LET_NUM));
}

function sameNid(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!sameIgnoringCase(codeUnitAt(a, i), codeUnitAt(b, i))) return false;
  }
  return true;
}

function sameNss(a: string, b: string): boolean {
  // Without escapes, equivalent NSSs are equal.
  return a === b || (a.length === b.length && a.includes("%") && sameWithEscapes(a, b));
}

/** Whether two NSSs of the same length differ only in the case of the digits of escapes. */
function sameWithEscapes(a: string, b: string): boolean {
  for (let i = 0; i < a.length; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA === unitB) continue;
    // The characters before this one are equivalent, so this one is a digit of an escape in both texts or in neither.
    if (!sameIgnoringCase(unitA, unitB) || !isEscapeDigit(a, i)) return false;
  }
  return true;
}

/** Whether the code unit at `at` is one of the two digits of an escape. */
function isEscapeDigit(nss: string, at: number): boolean {
  return (
    (at >= 1 && nss.charCodeAt(at - 1) === PERCENT) ||
    (at >= 2 && nss.charCodeAt(at - 2) === PERCENT)
  );
}

function sameByRule(a: AssignedName, b: AssignedName, rules: NamespaceRules): boolean {
  const nid = lowerCase(a.nid);
  const rule = ownRule(rules, nid);
  return rule !== null && applyRule(rule, nid, a.nss) === applyRule(rule, nid, b.nss);
}

function ownRule(rules: NamespaceRules, nid: string): NamespaceRule | null {
  // "constructor" is a NID like any other, and an inherited property is not a rule for it.
  return Object.hasOwn(rules, nid) ? rules[nid]! : null;
}

function applyRule(rule: NamespaceRule, nid: string, nss: string): string {
  const compared = rule(upperCaseEscapes(nss));
  if (typeof compared !== "string") {
    throw typeError(`the result of the rule for the namespace "${nid}"`, "a string", compared);
  }
  return compared;
}
