import { CASE_BIT } from "./ascii.ts";
import { codeUnitAt, isClass, LET_NUM } from "./character-classes.ts";
import { assertUrn } from "./format.ts";
import { readUrn } from "./grammar.ts";
import { isEscapeDigit, lowerCase, upperCaseEscapes } from "./normalize.ts";
import { readingError } from "./problem.ts";
import { chosenSyntax, type UrnSyntax, type UrnSyntaxOptions } from "./syntax.ts";
import { typeError } from "./type-error.ts";
import type { Urn } from "./urn.ts";

/**
 * What a namespace adds to the equivalence of URNs: a function from an NSS, whose escapes are in upper
 * case, to what is compared in its place. Two NSSs with the same result are equivalent; those that are
 * equal anyway stay so, whatever it gives.
 */
export type NamespaceRule = (nss: string) => string;

/** The rules of namespaces, by NID in lower case. */
export interface NamespaceRules {
  readonly [nid: string]: NamespaceRule;
}

/** What `equivalentUrns` can be told. */
export interface EquivalenceOptions extends UrnSyntaxOptions {
  /** Additional equivalences; none by default. `@x/urn/namespaces` has those of registered namespaces. */
  readonly namespaces?: NamespaceRules | undefined;
}

/** The NID and NSS of a URN, as slices of texts, so that nothing is copied to be compared. */
interface AssignedName {
  readonly nidText: string;
  readonly nidStart: number;
  readonly nidEnd: number;
  readonly nssText: string;
  readonly nssStart: number;
  readonly nssEnd: number;
}

/**
 * Whether two URNs are the same name: equal but for the case of `urn`, of the NID and of the hexadecimal
 * digits of escapes. Escapes are not decoded, and r-, q- and f-components are ignored.
 *
 * Strings are parsed under `syntax`; records are taken as `parseUrn` made them. `namespaces` can only make
 * more URNs equivalent, never fewer.
 *
 * @throws {UrnError} with the codes of `parseUrn` when a string is not a URN.
 * @throws {TypeError} when an argument is neither a string nor a URN's record, or when a rule gives
 * something else than a string.
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
  if (!sameNid(nameA, nameB)) return false;
  if (sameNss(nameA, nameB)) return true;
  return options?.namespaces !== undefined && sameByRule(nameA, nameB, options.namespaces);
}

function assignedName(urn: Urn | string, syntax: UrnSyntax): AssignedName {
  if (typeof urn === "string") {
    const reading = readUrn(urn, 0, syntax);
    if (reading.end !== urn.length) {
      throw readingError(urn, reading, syntax);
    }
    const { nidStart, nidEnd, nssStart, nssEnd } = reading;
    return { nidText: urn, nidStart, nidEnd, nssText: urn, nssStart, nssEnd };
  }
  assertUrn(urn);
  return {
    nidText: urn.nid,
    nidStart: 0,
    nidEnd: urn.nid.length,
    nssText: urn.nss,
    nssStart: 0,
    nssEnd: urn.nss.length,
  };
}

/** Whether two code units are the same, or one ASCII letter in both cases. */
function sameIgnoringCase(a: number, b: number): boolean {
  return a === b || ((a ^ b) === CASE_BIT && isClass(a, LET_NUM) && isClass(b, LET_NUM));
}

function sameNid(a: AssignedName, b: AssignedName): boolean {
  const length = a.nidEnd - a.nidStart;
  if (length !== b.nidEnd - b.nidStart) return false;
  for (let i = 0; i < length; i++) {
    const unitA = codeUnitAt(a.nidText, a.nidStart + i);
    const unitB = codeUnitAt(b.nidText, b.nidStart + i);
    if (!sameIgnoringCase(unitA, unitB)) return false;
  }
  return true;
}

function sameNss(a: AssignedName, b: AssignedName): boolean {
  if (a.nssEnd - a.nssStart !== b.nssEnd - b.nssStart) return false;
  const nssA = a.nssText.slice(a.nssStart, a.nssEnd);
  const nssB = b.nssText.slice(b.nssStart, b.nssEnd);
  // Only escapes can be the same and yet be written differently.
  return nssA === nssB || (nssA.includes("%") && sameWithEscapes(nssA, nssB));
}

/** Whether two NSSs of one length are equal but for the case of the digits of escapes. */
function sameWithEscapes(a: string, b: string): boolean {
  for (let i = 0; i < a.length; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA === unitB) continue;
    // What stands before is equal in both, so a digit of an escape in one is a digit of an escape in both.
    if (!sameIgnoringCase(unitA, unitB) || !isEscapeDigit(a, i)) return false;
  }
  return true;
}

function sameByRule(a: AssignedName, b: AssignedName, rules: NamespaceRules): boolean {
  const nid = lowerCase(a.nidText.slice(a.nidStart, a.nidEnd));
  // "constructor" is a NID like any other, and no rule.
  if (!Object.hasOwn(rules, nid)) return false;
  const rule = rules[nid]!;
  return applyRule(rule, nid, a) === applyRule(rule, nid, b);
}

function applyRule(rule: NamespaceRule, nid: string, name: AssignedName): string {
  const compared = rule(upperCaseEscapes(name.nssText.slice(name.nssStart, name.nssEnd)));
  if (typeof compared !== "string") {
    throw typeError(`what the rule of the namespace "${nid}" gives`, "a string", compared);
  }
  return compared;
}
