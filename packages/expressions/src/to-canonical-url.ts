import { type CanonicalUrl, parseUrl } from "@x/canon";
import { checkCanonicalUrl } from "./check-canonical-url.ts";

/** The parts of a URL: of text or octets, which are parsed, or those given. */
export function toCanonicalUrl(url: string | Uint8Array | CanonicalUrl): CanonicalUrl {
  // Not `instanceof`: octets of another realm are octets too.
  if (typeof url === "string" || ArrayBuffer.isView(url)) return parseUrl(url);
  checkCanonicalUrl(url, "a string, a Uint8Array or a CanonicalUrl");
  return url;
}
