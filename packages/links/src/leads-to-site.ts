const NO_SITE = /^(?:mailto|tel|sms|cid|mid):|^data:image\/(?:png|jpe?g|gif|webp)[;,]/i;

/**
 * Whether a link can lead to a site. `false` for links that start a mail, a call or a message, that lead to another
 * part of a mail, or that contain a picture. `true` for other schemes, such as `javascript:`, because they may still
 * lead to a site.
 *
 * @example
 * ```ts
 * import { leadsToSite } from "@x/links";
 *
 * leadsToSite("http://example.com/"); // → true
 * leadsToSite("mailto:somebody@example.com"); // → false
 * leadsToSite("javascript:location='http://evil.example/'"); // → true
 * ```
 */
export function leadsToSite(url: string): boolean {
  return !NO_SITE.test(url);
}
