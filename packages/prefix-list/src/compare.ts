/** Negative, 0 or positive as `size` octets of `a` at `i` sort before, with or after as many of `b` at `j`. */
export function compareOctets(
  a: Uint8Array,
  i: number,
  b: Uint8Array,
  j: number,
  size: number,
): number {
  for (let k = 0; k < size; k++) {
    const difference = a[i + k]! - b[j + k]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
