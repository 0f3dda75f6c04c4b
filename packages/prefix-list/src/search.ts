export {
  maybeListed,
  type PrefixBloomFilter,
  prefixBloomFilterInSteps,
} from "./list/bloom-filter.ts";
export { longestMatch, mayMatch } from "./list/look-up.ts";
export { checkLayout } from "./list/prefix-list.ts";
