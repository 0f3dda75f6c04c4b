export {
  displayUrn,
  type UrnDisplay,
  type UrnDisplayText,
} from "./display.ts";
export {
  type EquivalenceOptions,
  equivalentUrns,
  type NamespaceRule,
  type NamespaceRules,
} from "./equivalence.ts";
export { UrnError, type UrnErrorCode } from "./error.ts";
export { formatUrn } from "./format.ts";
export { normalizeUrn } from "./normalize.ts";
export { isUrn, parseUrn, tryParseUrn } from "./parse.ts";
export { usesReservedCharacters } from "./reserved.ts";
export {
  type FindUrnsOptions,
  type FoundUrn,
  findUrns,
  findUrnsInStream,
  iterateUrns,
} from "./scan.ts";
export type { UrnSyntax, UrnSyntaxOptions } from "./syntax.ts";
export { decodeNss, type EncodeNssOptions, encodeNss } from "./translate.ts";
export type { Urn } from "./urn.ts";
