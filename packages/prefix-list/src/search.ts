export { maybeListed, type PrefixBitmap, prefixBitmap } from "./list/bitmap.ts";
export { longestMatch, mayMatch } from "./list/look-up.ts";
export { checkLayout } from "./list/prefix-list.ts";
