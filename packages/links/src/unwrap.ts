export { lookAtUrl, type UrlLook } from "./unwrap/look-at-url.ts";
export {
  type ClosedWrapper,
  type InnerUrl,
  MAX_UNWRAP_DEPTH,
  MAX_UNWRAP_LENGTH,
  MAX_UNWRAPPED_URLS,
  type UnwrapLimit,
  type UnwrappedLink,
  unwrapLink,
} from "./unwrap/unwrap-link.ts";
export type { WrapperName } from "./unwrap/wrapper.ts";
