import type { CanonicalUrl } from "@x/canon";
import { fromCodes } from "@x/canon/bytes";
import type { CanonicalSpans } from "@x/canon/verify";

const LAST_ASCII = 0x7f;
const SLASH = 0x2f;

/** Writes text that is known to be ASCII, and returns the index after it. */
function writeAscii(text: string, bytes: Uint8Array, start: number): number {
  for (let i = 0; i < text.length; i++) bytes[start + i] = text.charCodeAt(i);
  return start + text.length;
}

/**
 * Writes the host, path and query of a canonical URL and sets `spans` to their indices. Returns `false`, and writes
 * nothing, when they do not fit.
 */
export function writeCanonical(
  { host, hostType, path, query }: CanonicalUrl,
  bytes: Uint8Array,
  start: number,
  spans: CanonicalSpans,
): boolean {
  const end = start + host.length + path.length + (query ? 1 + query.length : 0);
  if (end > bytes.length) return false;
  spans.hostType = hostType;
  spans.host = start;
  spans.path = writeAscii(host, bytes, spans.host);
  spans.query = writeAscii(path, bytes, spans.path);
  spans.end = query ? writeAscii(`?${query}`, bytes, spans.query) : spans.query;
  return true;
}

const encoder = new TextEncoder();

/**
 * Writes bytes, or text that is ASCII, and returns the index after them. Returns -1 when the text is not ASCII or there
 * is no room. Some of the text may then have been written. Bytes of another realm and empty bytes also give -1: parsing
 * then distinguishes them from other values, and from an array whose memory is gone.
 */
export function write(url: string | Uint8Array, bytes: Uint8Array, start: number): number {
  if (typeof url === "string") return writeText(url, bytes, start);
  if (!(url instanceof Uint8Array) || url.length === 0 || url.length > bytes.length - start) {
    return -1;
  }
  bytes.set(url, start);
  return start + url.length;
}

/** Like {@link write}, for text only. */
export function writeText(text: string, bytes: Uint8Array, start: number): number {
  if (start === 0) {
    // `encodeInto` is fastest, but another `start` would need a new view. Only ASCII text has as many bytes in UTF-8 as
    // code units.
    const { read, written } = encoder.encodeInto(text, bytes);
    return read === text.length && written === text.length ? written : -1;
  }
  if (text.length > bytes.length - start) return -1;
  let all = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes[start + i] = code;
    all |= code;
  }
  return all <= LAST_ASCII ? start + text.length : -1;
}

/** Returns bytes as text if they are ASCII, because text has the same readings and is read faster. */
export function textIfAscii(bytes: Uint8Array): string | Uint8Array {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! > LAST_ASCII) return bytes;
  return fromCodes(bytes);
}

const SCHEME = encoder.encode("http://");
const MAX_NAME_LENGTH = 253;
/** For each code unit, the byte in a canonical host; 0 for those that make parsing necessary. */
const IN_HOST = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9.-]/.test(character) ? character.charCodeAt(0) : 0;
});

/**
 * Writes the URL `http://HOST/` at index 0, with the host in lower case and without a dot at its end. Returns the index after
 * it, or -1 if the host has other characters than those of most names.
 */
export function writeHostUrl(host: string, bytes: Uint8Array): number {
  const length = host.endsWith(".") ? host.length - 1 : host.length;
  if (length > MAX_NAME_LENGTH) return -1;
  for (let i = 0; i < SCHEME.length; i++) bytes[i] = SCHEME[i]!;
  for (let i = 0; i < length; i++) {
    const byte = IN_HOST[host.charCodeAt(i)] ?? 0;
    if (byte === 0) return -1;
    bytes[SCHEME.length + i] = byte;
  }
  bytes[SCHEME.length + length] = SLASH;
  return SCHEME.length + length + 1;
}
