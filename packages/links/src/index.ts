export { type FindLinksOptions, findLinks, type TextFormat } from "./find-links.ts";
export { findLinksInStream } from "./find-links-in-stream.ts";
export { type FoundLink, leadsToSite } from "./found-link.ts";
export { type LinePlace, linePlaces } from "./line-places.ts";
export { unwrapLink } from "./unwrap.ts";
