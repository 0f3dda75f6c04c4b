export { namespaceRules } from "./namespaces/equivalence-rules.ts";
export {
  type OidParts,
  oid,
  type ServiceParts,
  service,
  type UuidParts,
  uuid,
} from "./namespaces/identifiers.ts";
export { type IsbnParts, type IssnParts, isbn, issn } from "./namespaces/isbn-and-issn.ts";
export { type LexParts, lex } from "./namespaces/lex.ts";
export {
  ignoreCase,
  ignoreCaseBefore,
  type Namespace,
  type NamespaceCheck,
  type NamespaceParts,
  type NamespaceProblem,
} from "./namespaces/namespace.ts";
export { type NbnParts, nbn } from "./namespaces/nbn.ts";
export {
  type IetfParts,
  ietf,
  type MpegParts,
  mpeg,
  type OasisParts,
  oasis,
  type ThreeGppParts,
  threeGpp,
} from "./namespaces/standards.ts";
export {
  type CheckNamespaceOptions,
  checkNamespace,
  type NamespaceChecks,
  type NamespacePartsOptions,
  type Namespaces,
  namespaceChecks,
  namespaceParts,
  namespaces,
} from "./namespaces/table.ts";
