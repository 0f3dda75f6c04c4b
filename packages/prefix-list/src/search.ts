export { maybeListed, type PrefixBloomFilter, prefixBloomFilterInSteps } from "./bloom-filter.ts";
export { longestMatch, mayMatch } from "./lookup.ts";
export { checkLayout } from "./prefix-list.ts";
