export type { NamespaceRule, NamespaceRules } from "./equivalence.ts";
export { ignoreCase, ignoreCaseBefore, namespaceRules } from "./namespaces/equivalence-rules.ts";
export {
  type CheckNamespaceOptions,
  checkNamespace,
  type NamespaceCheck,
  type NamespaceChecks,
  type NamespaceProblem,
  namespaceChecks,
} from "./namespaces/namespace-checks.ts";
