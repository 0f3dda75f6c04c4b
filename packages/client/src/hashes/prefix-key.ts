/** The first four bytes of a hash or prefix, as a number. Searches send these four bytes and no more. */
export function prefixKey(bytes: Uint8Array): number {
  return ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
}

/** The four bytes of a number that {@link prefixKey} returned. */
export function prefixOf(key: number): Uint8Array {
  return Uint8Array.of(key >>> 24, key >>> 16, key >>> 8, key);
}

/** The bytes of a full hash, as a key of a map. */
export function hashKey(hash: Uint8Array): string {
  return String.fromCharCode(...hash);
}
