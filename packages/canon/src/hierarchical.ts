export { canonicalizeHierarchical, type HierarchicalOptions } from "./canonicalize-hierarchical.ts";
export {
  type AbsoluteUri,
  formatUri,
  isHierarchical,
  parseUri,
  readUri,
  type UriProblem,
} from "./uri.ts";
