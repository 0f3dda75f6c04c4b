export { type CheckNamespaceOptions, checkNamespace } from "./check-namespace.ts";
export type { NamespaceRule, NamespaceRules } from "./equivalence.ts";
export {
  type NamespaceCheck,
  type NamespaceChecks,
  type NamespaceProblem,
  namespaceChecks,
} from "./namespace-checks.ts";
export { ignoreCase, ignoreCaseBefore, namespaceRules } from "./namespace-rules.ts";
