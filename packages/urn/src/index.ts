export { displayUrn, type UrnDisplay, type UrnDisplayText } from "./display-urn.ts";
export { decodeNss, type EncodeNssOptions, encodeNss } from "./encode-nss.ts";
export {
  canonicalKey,
  type EquivalenceBasis,
  type EquivalenceOptions,
  equivalentUrns,
  type NamespaceRule,
  type NamespaceRules,
} from "./equivalence.ts";
export { UrnError, type UrnErrorCode, type UrnProblem } from "./error.ts";
export { type FindUrnsOptions, type FoundUrn, findUrns, type UnreadPart } from "./find-urns.ts";
export { formatUrn, normalizeUrn } from "./format.ts";
export type { UrnSyntax, UrnSyntaxOptions } from "./options.ts";
export {
  isUrn,
  parseUrn,
  tryParseUrn,
  type Urn,
  urnProblem,
  usesReservedCharacters,
} from "./parse.ts";
export { type UrnFinder, type UrnFinderOptions, urnFinder } from "./urn-finder.ts";
