export { lookAtUrl, type UrlLook } from "./unwrap/look-at-url.ts";
export { type InnerUrl, type UnwrappedLink, unwrapLink } from "./unwrap/unwrap-link.ts";
