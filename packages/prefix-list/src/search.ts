export {
  maybeListed,
  type PrefixBitmap,
  prefixBitmap,
  prefixBitmapInSteps,
} from "./list/bitmap.ts";
export { longestMatch, mayMatch } from "./list/look-up.ts";
export { checkLayout } from "./list/prefix-list.ts";
