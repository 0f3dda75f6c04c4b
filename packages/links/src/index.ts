export {
  type FindLinksOptions,
  findLinks,
  findLinksInStream,
  type TextFormat,
} from "./find-links.ts";
export { type FoundLink, leadsToSite } from "./found-link.ts";
export { type LinePlace, linePlaces } from "./line-places.ts";
export { unwrapLink } from "./unwrap.ts";
