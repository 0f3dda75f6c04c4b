import { assertUrn } from "./format.ts";
import {
  type NamespaceChecks,
  type NamespaceProblem,
  namespaceChecks,
} from "./namespace-checks.ts";
import { lowerCase } from "./normalize.ts";
import { parseUrn } from "./parse.ts";
import type { UrnSyntaxOptions } from "./syntax.ts";
import type { Urn } from "./urn.ts";

/** What `checkNamespace` can be told. */
export interface CheckNamespaceOptions extends UrnSyntaxOptions {
  /** The checks to use; `namespaceChecks` by default. */
  readonly checks?: NamespaceChecks | undefined;
}

/**
 * The reasons why a URN breaks the rules of its own namespace: an ISBN whose check digit is wrong, a UUID
 * of another form.
 *
 * Empty when none is broken and when the namespace has no check; that the name was ever assigned, nobody
 * can tell from its characters.
 *
 * @throws {UrnError} with the codes of `parseUrn` when a string is not a URN.
 * @throws {TypeError} when the argument is neither a string nor a URN's record.
 * @example
 * ```ts
 * import { checkNamespace } from "@x/urn/namespaces";
 *
 * checkNamespace("urn:isbn:0-395-36341-1"); // → []
 * checkNamespace("urn:isbn:0-395-36341-2").map((problem) => problem.code); // → ["isbn-check-digit"]
 * ```
 * @see RFC 8141 §6.4.2
 */
export function checkNamespace(
  urn: Urn | string,
  options?: CheckNamespaceOptions,
): readonly NamespaceProblem[] {
  if (typeof urn !== "string") assertUrn(urn);
  const { nid, nss } = typeof urn === "string" ? parseUrn(urn, options) : urn;
  const checks = options?.checks ?? namespaceChecks;
  const name = lowerCase(nid);
  return Object.hasOwn(checks, name) ? checks[name]!(nss) : [];
}
