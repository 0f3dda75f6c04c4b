export { type CheckNamespaceOptions, checkNamespace } from "./namespaces/check-namespace.ts";
export {
  type NamespaceCheck,
  type NamespaceChecks,
  type NamespaceProblem,
  namespaceChecks,
} from "./namespaces/checks.ts";
export { ignoreCase, ignoreCaseBefore, namespaceRules } from "./namespaces/rules.ts";
