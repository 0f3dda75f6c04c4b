const NO_SITE = /^(?:mailto|tel|sms|cid|mid):|^data:image\/(?:png|jpe?g|gif|webp)[;,]/i;

/**
 * Whether a link can lead to a site. `false` for links to a program, to another part of a mail, or to a picture in the
 * link itself. Other links that are not to sites, such as `javascript:`, may still send people somewhere.
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
