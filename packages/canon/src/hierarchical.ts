export { canonicalizeHierarchical, type HierarchicalOptions } from "./hierarchical/canonicalize.ts";
export { type AbsoluteUri, formatUri, isHierarchical } from "./hierarchical/reference.ts";
export { parseUri, resolveUri } from "./hierarchical/resolve.ts";
