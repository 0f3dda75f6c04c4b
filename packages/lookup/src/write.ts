import type { CanonicalUrl } from "@x/canon";
import type { CanonicalSpans } from "@x/canon/verify";

/** Writes a text that is known to be ASCII, and gives where it ends. */
function writeAscii(text: string, octets: Uint8Array, start: number): number {
  for (let i = 0; i < text.length; i++) octets[start + i] = text.charCodeAt(i);
  return start + text.length;
}

/**
 * Writes host, path and query of a canonical URL and tells in `spans` where they are; `false`, and nothing is
 * written, when they do not fit.
 */
export function writeCanonical(
  { host, hostType, path, query }: CanonicalUrl,
  octets: Uint8Array,
  start: number,
  spans: CanonicalSpans,
): boolean {
  const end = start + host.length + path.length + (query ? 1 + query.length : 0);
  if (end > octets.length) return false;
  spans.hostType = hostType;
  spans.host = start;
  spans.path = writeAscii(host, octets, spans.host);
  spans.query = writeAscii(path, octets, spans.path);
  spans.end = query ? writeAscii(`?${query}`, octets, spans.query) : spans.query;
  return true;
}

/**
 * Writes octets, or a text if it is ASCII, and gives where they end; -1, and anything may be written, if it is
 * not or there is no room. Octets of another realm are left to `parseUrl` as well, which knows them from what is
 * no octets.
 */
export function write(url: string | Uint8Array, octets: Uint8Array, start: number): number {
  if (typeof url !== "string") {
    if (!(url instanceof Uint8Array) || url.length > octets.length - start) return -1;
    octets.set(url, start);
    return start + url.length;
  }
  if (url.length > octets.length - start) return -1;
  let all = 0;
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i);
    octets[start + i] = code;
    all |= code;
  }
  return all < 0x80 ? start + url.length : -1;
}
