import { typeError } from "@x/canon/own-options";

/**
 * A link that was found.
 *
 * `start` and `end` are indices in UTF-16 code units. For a link in an attribute value with character references, they
 * span the whole value.
 */
export interface FoundLink {
  /** The link as it is written. */
  readonly text: string;
  /** The index of the first character of the link. */
  readonly start: number;
  /** The index after the last character of the link. */
  readonly end: number;
  /**
   * The URL to check: refanged, without invisible characters and line breaks, with `http://` if the link has no scheme,
   * and resolved if it is relative.
   */
  readonly url: string;
  /**
   * Where the link was found: `"text"`, the name of an attribute in lower case, such as `"href"`, or `"refresh"`,
   * `"css"`, `"script"` or `"comment"`. In Markdown, the destination of a link is an `"href"`, and that of an image a
   * `"src"`.
   */
  readonly where: string;
  /** Whether the link was defanged, as in `hxxps://evil[.]example`. */
  readonly isDefanged: boolean;
  /**
   * The visible text of the link, if it names a host that is neither the host of the URL nor a parent or child domain
   * of it; otherwise `null`. In text without markup, it is a URL or host before a URL in angle brackets, as in
   * `www.bank.example <http://evil.example/>`: email programs write links so.
   */
  readonly shown: string | null;
}

/** Called with each link as it is found. */
export type LinkSink = (link: FoundLink) => void;

const NO_SITE = /^(?:mailto|tel|sms|cid|mid):|^data:image\/(?:png|jpe?g|gif|webp)[;,]/i;

/**
 * Whether a link can lead to a site. `false` for links that start an email, a call or a message, that lead to another
 * part of an email, or that contain a picture. `true` for other schemes, such as `javascript:`, because they may still
 * lead to a site.
 *
 * @throws {TypeError} when `url` is not a string.
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
  if (typeof url !== "string") throw typeError("url", "a string", url);
  return !NO_SITE.test(url);
}
