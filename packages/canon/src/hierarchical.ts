export { canonicalizeHierarchical, type HierarchicalOptions } from "./hierarchical/canonicalize.ts";
export {
  type AbsoluteUri,
  formatUri,
  isHierarchical,
  type UriProblem,
} from "./hierarchical/reference.ts";
export { parseUri, readUri } from "./hierarchical/resolve.ts";
