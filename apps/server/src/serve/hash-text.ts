const PRIME = 0x01000193;

/** A 32-bit FNV-1a hash for tables in memory. The hash is not cryptographic. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash >>> 0;
}

/** A hash of 53 bits, the most that a number holds exactly, from two FNV-1a hashes with 32-bit seeds. */
export function longHashText(text: string, [one, other]: readonly [number, number]): number {
  let [high, low] = [one, other];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul(low ^ unit, PRIME);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
