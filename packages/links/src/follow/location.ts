import { browserHref } from "@x/canon/browser";
import type { FollowReason } from "./hop.ts";

/** The destination of a link or redirect, or why it cannot be requested. */
export type Target =
  | { readonly url: string; readonly reason: null }
  | { readonly url: string | null; readonly reason: FollowReason };

const INVALID: Target = { url: null, reason: "url-invalid" };

/** The destination of a link that somebody clicks or types, as browsers read it. */
export function givenTarget(link: string): Target {
  const href = browserHref(link);
  return targetOf(href ?? link.trim(), undefined);
}

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
 * Decodes a header value with bytes outside ASCII: `fetch` returns each byte as a character, but browsers read the
 * bytes as UTF-8. If they are not valid UTF-8, they are percent-encoded.
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
