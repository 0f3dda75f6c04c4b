export { canonicalizeHierarchical, type HierarchicalOptions } from "./hierarchical/canonicalize.ts";
export { type AbsoluteUri, formatUri, isHierarchical } from "./hierarchical/reference.ts";
export { parseUri } from "./hierarchical/resolve.ts";
