import { allowedByRfc8141 } from "../error.ts";
import { lowerCase } from "../normalize.ts";
import { assertTable, chosenSyntax, ownOption, type UrnSyntaxOptions } from "../options.ts";
import { parseUrn, tryParseUrn } from "../parse.ts";
import { assertUrn, type Urn } from "../urn.ts";
import { oid, service, uuid } from "./identifiers.ts";
import { isbn, issn } from "./isbn-and-issn.ts";
import { lex } from "./lex.ts";
import {
  checkOf,
  type Namespace,
  type NamespaceCheck,
  type NamespaceParts,
  type NamespaceProblem,
} from "./namespace.ts";
import { nbn } from "./nbn.ts";
import { ietf, mpeg, oasis, threeGpp } from "./standards.ts";
import { ADID, EIDR, GSMA, SMPTE, UCODE } from "./without-parts.ts";

/**
 * Looks up the namespace of a URN in a table by NID. Returns the value found and the NSS, or `null` if there
 * is none.
 */
function inTable<Value>(
  urn: Urn | string,
  options: UrnSyntaxOptions | undefined,
  table: Readonly<Record<string, Value>>,
): { readonly value: Value; readonly nss: string } | null {
  if (typeof urn !== "string") {
    assertUrn(urn);
    chosenSyntax(options);
  }
  const { nid, nss } = typeof urn === "string" ? parseUrn(urn, options) : urn;
  const name = lowerCase(nid);
  // "constructor" is a NID like any other.
  return Object.hasOwn(table, name) ? { value: table[name]!, nss } : null;
}

/** The checks of namespaces, by NID in lower case. */
export interface NamespaceChecks {
  readonly [nid: string]: NamespaceCheck;
}

/** The options of `checkNamespace`. */
export interface CheckNamespaceOptions extends UrnSyntaxOptions {
  /** The checks to use. The default is `namespaceChecks`. */
  readonly checks?: NamespaceChecks | undefined;
}

/**
 * Returns the rules of its namespace that a URN breaks. For example, an ISBN may have a wrong check digit.
 * The checks in `namespaceChecks` report only the first broken rule.
 *
 * A broken rule has `allowedBy: "rfc8141"` when RFC 8141 would not count a component, such as a fragment, as a part of
 * the name.
 *
 * The array is empty when no rule is broken, and when the namespace has no check. The result does not say
 * whether the name was ever assigned.
 *
 * @throws {UrnError} with the codes of `parseUrn` when a string is not a URN.
 * @throws {TypeError} when the argument is neither a string nor the record of a URN.
 * @example
 * ```ts
 * import { checkNamespace } from "@x/urn/namespaces";
 *
 * checkNamespace("urn:isbn:0-395-36341-1"); // → []
 * checkNamespace("urn:isbn:0-395-36341-2").map((problem) => problem.code); // → ["isbn-check-digit"]
 * checkNamespace("urn:isbn:0-395-36341-1#p1")[0]?.allowedBy; // → "rfc8141"
 * ```
 * @see RFC 8141 §6.4.2
 */
export function checkNamespace(
  urn: Urn | string,
  options?: CheckNamespaceOptions,
): readonly NamespaceProblem[] {
  const checks = ownOption(options, "checks") ?? namespaceChecks;
  assertTable(checks, "checks", "function");
  const found = inTable(urn, options, checks);
  if (found === null) return [];
  const { value: check, nss } = found;
  const problems = check(nss);
  if (problems.length === 0) return problems;
  const name = nameBeforeComponents(nss);
  return name !== null && check(name).length === 0 ? problems.map(allowedByRfc8141) : problems;
}

/**
 * RFC 8141 §2: the NSS without the components that only RFC 2141 counts as a part of it, or `null` when there are none.
 */
function nameBeforeComponents(nss: string): string | null {
  const read = tryParseUrn(`urn:nid:${nss}`, { syntax: "rfc8141" });
  return read === null || read.nss === nss ? null : read.nss;
}

/**
 * Checks for the form and the check digits of names in registered namespaces, from the RFCs that registered
 * them.
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
export const namespaceChecks: NamespaceChecks = {
  "3gpp": threeGpp.check,
  adid: checkOf(ADID),
  eidr: checkOf(EIDR),
  gsma: checkOf(GSMA),
  ietf: ietf.check,
  isbn: isbn.check,
  issn: issn.check,
  lex: lex.check,
  mpeg: mpeg.check,
  nbn: nbn.check,
  oasis: oasis.check,
  oid: oid.check,
  service: service.check,
  smpte: checkOf(SMPTE),
  ucode: checkOf(UCODE),
  uuid: uuid.check,
};

/** Namespaces, by NID in lower case. */
export interface Namespaces {
  readonly [nid: string]: Namespace;
}

/** The options of `namespaceParts`. */
export interface NamespacePartsOptions extends UrnSyntaxOptions {
  /** The namespaces to use. The default is `namespaces`. */
  readonly namespaces?: Namespaces | undefined;
}

/**
 * Returns the parts of a name by the rules of its namespace, or `null` when the name does not have the form of its
 * namespace or the namespace is not in the table.
 *
 * @throws {UrnError} with the codes of `parseUrn` when a string is not a URN.
 * @throws {TypeError} when the argument is neither a string nor the record of a URN.
 * @example
 * ```ts
 * import { namespaceParts } from "@x/urn/namespaces";
 *
 * namespaceParts("urn:oid:1.3.6.1"); // → { arcs: ["1", "3", "6", "1"] }
 * namespaceParts("urn:oid:1.3.a"); // → null
 * namespaceParts("urn:example:a"); // → null
 * ```
 * @see RFC 8141 §6.4.2
 */
export function namespaceParts(
  urn: Urn | string,
  options?: NamespacePartsOptions,
): NamespaceParts | null {
  const table = ownOption(options, "namespaces") ?? namespaces;
  assertTable(table, "namespaces", "object");
  const found = inTable(urn, options, table);
  return found === null ? null : found.value.tryParse(found.nss);
}

/**
 * The namespaces whose names this package can split into parts, by NID.
 *
 * @example
 * ```ts
 * import { namespaces } from "@x/urn/namespaces";
 *
 * namespaces.nbn?.documents; // → ["RFC 8458"]
 * ```
 */
export const namespaces: Namespaces = {
  "3gpp": threeGpp,
  ietf,
  isbn,
  issn,
  lex,
  mpeg,
  nbn,
  oasis,
  oid,
  service,
  uuid,
};
