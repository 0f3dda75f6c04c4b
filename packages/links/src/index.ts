export type { FoundLink } from "./found-link.ts";
export { type UnwrappedLink, unwrapLink } from "./unwrap.ts";
