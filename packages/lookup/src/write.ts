/** Writes a text that is known to be ASCII, and gives where it ends. */
export function writeAscii(text: string, octets: Uint8Array, start: number): number {
  for (let i = 0; i < text.length; i++) octets[start + i] = text.charCodeAt(i);
  return start + text.length;
}

/**
 * Writes octets, or a text if it is ASCII; `false`, and anything may be written, if it is not. Octets of
 * another realm are left to `parseUrl` as well, which knows them from what is no octets.
 */
export function write(url: string | Uint8Array, octets: Uint8Array, start: number): boolean {
  if (typeof url !== "string") {
    if (!(url instanceof Uint8Array)) return false;
    octets.set(url, start);
    return true;
  }
  let all = 0;
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i);
    octets[start + i] = code;
    all |= code;
  }
  return all < 0x80;
}
