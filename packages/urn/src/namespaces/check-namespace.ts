import { allowedByRfc8141 } from "../error.ts";
import { lowerCase } from "../format.ts";
import { assertTable, chosenSyntax, ownOption, type UrnSyntaxOptions } from "../options.ts";
import { assertUrn, parseUrn, tryParseUrn, type Urn } from "../parse.ts";
import { type NamespaceChecks, type NamespaceProblem, namespaceChecks } from "./checks.ts";

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
  if (typeof urn !== "string") {
    assertUrn(urn);
    chosenSyntax(options);
  }
  const { nid, nss } = typeof urn === "string" ? parseUrn(urn, options) : urn;
  const name = lowerCase(nid);
  // "constructor" is a NID like any other.
  if (!Object.hasOwn(checks, name)) return [];
  const check = checks[name]!;
  const problems = check(nss);
  if (problems.length === 0) return problems;
  const shorter = nameBeforeComponents(nss);
  return shorter !== null && check(shorter).length === 0
    ? problems.map(allowedByRfc8141)
    : problems;
}

/**
 * RFC 8141 §2: the NSS without the components that only RFC 2141 counts as a part of it, or `null` when there are none.
 */
function nameBeforeComponents(nss: string): string | null {
  const read = tryParseUrn(`urn:nid:${nss}`, { syntax: "rfc8141" });
  return read === null || read.nss === nss ? null : read.nss;
}
