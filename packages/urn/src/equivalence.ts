import { UrnError } from "./error.ts";
import { CASE_BIT, codeUnitAt, isClass, LET_NUM, PERCENT } from "./grammar/characters.ts";
import { notUrnProblem } from "./grammar/scan-problem.ts";
import { scanUrn } from "./grammar/scan-urn.ts";
import { lowerCase, upperCaseEscapes } from "./normalize.ts";
import { chosenSyntax, ownOption, type UrnSyntax, type UrnSyntaxOptions } from "./options.ts";
import { typeError } from "./type-error.ts";
import { assertUrn, type Urn } from "./urn.ts";

/**
 * The additional equivalence of a namespace: a function that takes an NSS, with its escapes in upper case,
 * and returns the text to compare instead. NSSs with the same result are equivalent. A rule cannot make
 * equivalent NSSs different.
 */
export type NamespaceRule = (nss: string) => string;

/** The rules of namespaces, by NID in lower case. */
export interface NamespaceRules {
  readonly [nid: string]: NamespaceRule;
}

/** The options of `equivalentUrns`. */
export interface EquivalenceOptions extends UrnSyntaxOptions {
  /**
   * Additional rules; there are none by default. `@x/urn/namespaces` has the rules of registered namespaces.
   */
  readonly namespaces?: NamespaceRules | undefined;
}

/** The parts of a URN that name something. */
type AssignedName = Pick<Urn, "nid" | "nss">;

/**
 * Returns whether two URNs are the same name. The case of `urn`, of the NID and of the hexadecimal digits of
 * escapes does not matter. Escapes are not decoded, and r-, q- and f-components are ignored.
 *
 * Strings are parsed under `syntax`; records are compared as they are. `namespaces` can only make more
 * URNs equivalent, never fewer.
 *
 * @throws {UrnError} with the codes of `parseUrn` when a string is not a URN.
 * @throws {TypeError} when an argument is neither a string nor the record of a URN, or when a rule does not
 * return a string.
 * @example
 * ```ts
 * import { equivalentUrns } from "@x/urn";
 * import { namespaceRules } from "@x/urn/namespaces";
 *
 * equivalentUrns("URN:FOO:a123%2c456", "urn:foo:a123%2C456"); // → true
 * equivalentUrns("urn:foo:a123,456", "urn:foo:a123%2C456"); // → false
 * equivalentUrns("urn:isbn:0-395-36341-1", "urn:isbn:0395363411", { namespaces: namespaceRules }); // → true
 * ```
 * @see RFC 2141 §5, RFC 8141 §3
 */
export function equivalentUrns(
  a: Urn | string,
  b: Urn | string,
  options?: EquivalenceOptions,
): boolean {
  const syntax = chosenSyntax(options);
  const nameA = assignedName(a, syntax);
  const nameB = assignedName(b, syntax);
  if (!sameNid(nameA.nid, nameB.nid)) return false;
  if (sameNss(nameA.nss, nameB.nss)) return true;
  const namespaces = ownOption(options, "namespaces");
  return namespaces !== undefined && sameByRule(nameA, nameB, namespaces);
}

function assignedName(urn: Urn | string, syntax: UrnSyntax): AssignedName {
  if (typeof urn === "string") {
    const scan = scanUrn(urn, 0, syntax);
    if (scan.end !== urn.length) throw new UrnError(urn, notUrnProblem(scan, syntax));
    const { nidStart, nidEnd, nssStart, nssEnd } = scan;
    return { nid: urn.slice(nidStart, nidEnd), nss: urn.slice(nssStart, nssEnd) };
  }
  assertUrn(urn);
  return urn;
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
    // The characters before it are equivalent, so it is a digit of an escape in both texts or in neither.
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
  // "constructor" is a NID like any other; the table has no rule for it.
  if (!Object.hasOwn(rules, nid)) return false;
  const rule = rules[nid]!;
  return applyRule(rule, nid, a.nss) === applyRule(rule, nid, b.nss);
}

function applyRule(rule: NamespaceRule, nid: string, nss: string): string {
  const compared = rule(upperCaseEscapes(nss));
  if (typeof compared !== "string") {
    throw typeError(`the result of the rule for the namespace "${nid}"`, "a string", compared);
  }
  return compared;
}
