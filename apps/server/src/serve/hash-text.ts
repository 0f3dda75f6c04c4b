const PRIME = 0x01000193;

/** A hash of 32 bits (FNV-1a), for tables in memory. It does not hide the text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash >>> 0;
}

/** The same with 53 bits, as many as a number holds exactly, from two seeds. */
export function longHashText(text: string, [one, other]: readonly [number, number]): number {
  let [high, low] = [one, other];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul(low ^ unit, PRIME);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
