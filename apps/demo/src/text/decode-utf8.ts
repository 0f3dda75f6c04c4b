const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that octets are the UTF-8 of; `null` when they are not UTF-8. */
export function decodeUtf8(octets: Uint8Array): string | null {
  try {
    return utf8.decode(octets);
  } catch {
    return null;
  }
}
