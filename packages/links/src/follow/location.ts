import { browserHref } from "@x/canon/browser";
import type { FollowReason } from "./hop.ts";

/** Where a link or redirect leads, or why that cannot be requested. */
export type Target =
  | { readonly url: string; readonly reason: null }
  | { readonly url: string | null; readonly reason: FollowReason };

const INVALID: Target = { url: null, reason: "url-invalid" };

/** Where a link that somebody clicks or types leads. */
export function givenTarget(link: string): Target {
  const href = browserHref(link);
  return targetOf(href ?? link.trim(), undefined);
}

/** Where a redirect leads. */
export function redirectTarget(written: string, base: string): Target {
  return targetOf(written, base);
}

function targetOf(written: string, base: string | undefined): Target {
  if (!URL.canParse(written, base)) return INVALID;
  const url = new URL(written, base);
  [url.username, url.password, url.hash] = ["", "", ""];
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb ? { url: url.href, reason: null } : { url: url.href, reason: "scheme-unsupported" };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The text of a header that may have bytes outside ASCII: `fetch` gives each byte as a character, and browsers read them
 * as UTF-8. Bytes that are not UTF-8 are escaped.
 */
export function headerText(value: string): string {
  if (/^[\0-\x7f]*$/.test(value) || /[^\0-\xff]/.test(value)) return value;
  try {
    return utf8.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
  } catch {
    return value.replace(
      /[\x80-\xff]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  }
}
