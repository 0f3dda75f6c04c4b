import { findBrowserHref } from "./browser-href.ts";
import { type CanonicalUrl, tryParseUrl } from "./canonicalize.ts";
import { hasValidLabels } from "./steps/uts46.ts";

/**
 * The canonical form of the URL that a browser opens for a text, without user name and password. The
 * specification's rules are applied to the browser's reading of the text.
 *
 * Browsers read some texts differently from the specification: they treat a backslash as a slash, need no slashes after
 * the scheme, and split a URL before they unescape it. A filter for raw text has to check the browser's reading as well
 * as that of `tryParseUrl`; `readUrl` of `@x/canon/readings` returns both.
 *
 * Text without a scheme is read as address bars read it, with `http://` in front. The host is mapped by UTS
 * #46 with this package's own tables. Nothing depends on the platform's `URL`. Where browsers differ, a host
 * is accepted if any of them opens it.
 *
 * Returns `null` when no browser opens the text, or its scheme is not `http`, `https`, `ftp`, `ws` or `wss`;
 * when `url` or its reading is longer than `MAX_URL_LENGTH`; and when the host cannot be decided, because it
 * has characters that Unicode does not define yet, or because a label that IDNA converts has more than 512
 * characters, or all such labels together have more than 2048. `readUrl` tells the last case apart from the
 * others. Bytes are decoded as UTF-8, with U+FFFD for invalid bytes.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { tryParseUrl } from "@x/canon";
 * import { tryParseUrlAsBrowser } from "@x/canon/browser";
 *
 * const url = "http://evil.example\\@good.example/";
 * tryParseUrl(url)?.host; // → "good.example"
 * tryParseUrlAsBrowser(url)?.host; // → "evil.example"
 * tryParseUrlAsBrowser("evil.example")?.href; // → "http://evil.example/"
 * tryParseUrlAsBrowser("mailto:someone@evil.example"); // → null
 * ```
 * @see WHATWG URL Standard, section "URL parsing"
 */
export function tryParseUrlAsBrowser(url: string | Uint8Array): CanonicalUrl | null {
  const href = browserHref(url);
  return href === null ? null : tryParseUrl(href);
}

/**
 * The URL that a browser opens for a text, without user name and password, or `null` in the same cases as for {@link
 * tryParseUrlAsBrowser}, which returns the canonical form of this URL. Show this URL to users to explain why the two
 * readings differ.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { browserHref } from "@x/canon/browser";
 *
 * browserHref("https:/good.example%2F@EVIL.example\\a"); // → "https://evil.example/a"
 * ```
 */
export function browserHref(url: string | Uint8Array): string | null {
  return findBrowserHref(url).href;
}

/**
 * Whether a canonical host has an `xn--` label that is not the ASCII form of any name. No domain with such a label can
 * be registered. Most browsers do not open such a host, but Chromium does.
 *
 * @example
 * ```ts
 * import { hasInvalidIdn } from "@x/canon/browser";
 *
 * hasInvalidIdn("xn--bcher-kva.example"); // → false
 * hasInvalidIdn("xn--a.example"); // → true
 * ```
 */
export function hasInvalidIdn(host: string): boolean {
  return !hasValidLabels(host);
}
