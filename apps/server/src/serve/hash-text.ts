/** A hash of 32 bits (FNV-1a), for tables in memory. It does not hide the text. */
export function hashText(text: string, seed: number = 0x811c9dc5): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
