import { ownOptions } from "@x/canon/own-options";
import { fromHex, toHex } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { HashedUriError } from "./error.ts";
import { normalizeHashedUri, writeHashedUri } from "./format.ts";
import { type HashedUri, parseHashedUri } from "./parse.ts";

const HEX_DIGITS = 64;

/**
 * The maximum number of characters in an authority or a content type. Real ones are far shorter, and a text of this
 * length is still escaped quickly.
 */
const LONGEST_PART = 4096;

/**
 * These expressions match characters that are not allowed in the optional parts of an `ni` URI (RFC 3986 §3.2 and
 * §3.4).
 */
const NOT_AUTHORITY = /[^A-Za-z0-9\-._~!$&'()*+,;=:@[\]%]|%(?![0-9A-Fa-f]{2})/;
const NOT_QUERY = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]|%(?![0-9A-Fa-f]{2})/;

/** The optional parts of an `ni` URI. These parts are ignored when names are compared. */
export interface NiOptions {
  /** The host that may have the named resource, such as `"example.com"`. There is no default. */
  readonly authority?: string | undefined;
  /** The media type of the resource, such as `"text/plain"`, written as the parameter `ct`. There is no default. */
  readonly contentType?: string | undefined;
}

/**
 * The `ni` URI with the hash of an `x-sha256` hashed URI. The `ni` URI names the canonical form of the initial URI.
 *
 * @throws {@link HashedUriError} `ni-not-nameable`: the algorithm is not `x-sha256`, there are not 64 digits, or
 * there are flags, which `ni` URIs do not have; `ni-invalid`: the authority is longer than 4096 characters, or has
 * characters that are not allowed; `ni-content-type-invalid`: the content type is longer than 4096 characters, or
 * has characters outside printable ASCII; and the codes of `parseHashedUri`.
 * @throws TypeError when an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { hashUri, toNi } from "@x/hashed-uri";
 *
 * const hashed = hashUri("http://www.thus.net", { algorithm: "x-sha256" });
 * toNi(hashed); // → "ni:///sha-256;nxH6nqbmXiotTTT3qUB2xcLCmfcTVxZXtcbfS_ZoMMg"
 * toNi("hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"); // throws ni-not-nameable
 * ```
 * @see RFC 6920 §3
 */
export function toNi(hashed: HashedUri | string, options: NiOptions = {}): string {
  const given = typeof hashed === "string" ? parseHashedUri(hashed) : normalizeHashedUri(hashed);
  const { algorithm, value, fragment, query } = given;
  if (algorithm !== "x-sha256" || value.length !== HEX_DIGITS || fragment || query) {
    throw new HashedUriError("ni-not-nameable", writeHashedUri(given), null);
  }
  const { authority = "", contentType } = ownOptions(options);
  if (typeof authority !== "string") throw typeError("authority", "a string", authority);
  const isAuthority = authority.length <= LONGEST_PART && !NOT_AUTHORITY.test(authority);
  if (!isAuthority) throw new HashedUriError("ni-invalid", authority, null);
  const parameters = contentType === undefined ? "" : `?ct=${escapeContentType(contentType)}`;
  return `ni://${authority}/sha-256;${toBase64Url(fromHex(value))}${parameters}`;
}

/**
 * The `x-sha256` hashed URI with the hash of an `ni` URI, without flags.
 *
 * The authority and the parameters are checked and then left out, because they are not part of the name.
 *
 * @throws {@link HashedUriError} `ni-algorithm-unsupported`: the algorithm is not `sha-256`, but, for
 * example, the truncated `sha-256-128`; `ni-invalid`: not an `ni` URI, or a value that is not 32 bytes.
 * @throws TypeError when `ni` is not a string.
 *
 * @example
 * ```ts
 * import { fromNi } from "@x/hashed-uri";
 *
 * fromNi("ni://example.com/sha-256;f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk").value; // → "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069"
 * fromNi("ni:///sha-256-32;f4OxZQ?ct=text/plain"); // throws ni-algorithm-unsupported
 * ```
 * @see RFC 6920 §3
 */
export function fromNi(ni: string): HashedUri {
  if (typeof ni !== "string") throw typeError("ni", "a string", ni);
  const match = NI.exec(ni);
  if (match === null) throw new HashedUriError("ni-invalid", ni, null);
  const [, authority, algorithm, value, query] = match;
  if (NOT_AUTHORITY.test(authority!) || NOT_QUERY.test(query ?? "")) {
    throw new HashedUriError("ni-invalid", ni, null);
  }
  if (algorithm !== "sha-256") throw new HashedUriError("ni-algorithm-unsupported", ni, null);
  const bytes = fromBase64Url(value!);
  if (bytes === null) throw new HashedUriError("ni-invalid", ni, null);
  return { algorithm: "x-sha256", value: toHex(bytes), fragment: false, query: false };
}

const NI = /^ni:\/\/([^/?#]*)\/([A-Za-z0-9\-._~]+);([A-Za-z0-9\-._~]+)(?:\?([^#]*))?$/i;

/** RFC 6920 §3: characters that are not allowed in a query parameter are escaped. */
function escapeContentType(contentType: string): string {
  if (typeof contentType !== "string") throw typeError("contentType", "a string", contentType);
  if (contentType.length > LONGEST_PART) {
    throw new HashedUriError("ni-content-type-invalid", contentType, LONGEST_PART);
  }
  const bad = contentType.search(/[^ -~]/);
  if (bad >= 0) throw new HashedUriError("ni-content-type-invalid", contentType, bad);
  return encodeURIComponent(contentType).replaceAll("%2F", "/");
}

/** RFC 4648 §5, without padding. */
function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The 32 bytes that 43 digits encode, or null for anything else, such as digits with bits after the last byte. */
function fromBase64Url(digits: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]{43}$/.test(digits)) return null;
  const binary = atob(digits.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
  return toBase64Url(bytes) === digits ? bytes : null;
}
