import { lowerCase } from "../normalize.ts";
import { ownOption, type UrnSyntaxOptions } from "../options.ts";
import { parseUrn } from "../parse.ts";
import { assertUrn, type Urn } from "../urn.ts";
import { threeGpp } from "./3gpp.ts";
import { ietf } from "./ietf.ts";
import { isbn } from "./isbn.ts";
import { issn } from "./issn.ts";
import { lex } from "./lex.ts";
import { mpeg } from "./mpeg.ts";
import type { Namespace, NamespaceParts } from "./namespace.ts";
import { nbn } from "./nbn.ts";
import { oasis } from "./oasis.ts";
import { oid } from "./oid.ts";
import { service } from "./service.ts";
import { uuid } from "./uuid.ts";

/** Namespaces, by NID in lower case. */
export interface Namespaces {
  readonly [nid: string]: Namespace;
}

/** The options of `namespaceParts`. */
export interface NamespacePartsOptions extends UrnSyntaxOptions {
  /** The namespaces to use; `namespaces` by default. */
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
  if (typeof urn !== "string") assertUrn(urn);
  const { nid, nss } = typeof urn === "string" ? parseUrn(urn, options) : urn;
  const table = ownOption(options, "namespaces") ?? namespaces;
  const name = lowerCase(nid);
  return Object.hasOwn(table, name) ? table[name]!.tryParse(nss) : null;
}

/**
 * The namespaces whose names have known parts. Other namespaces are generic.
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
