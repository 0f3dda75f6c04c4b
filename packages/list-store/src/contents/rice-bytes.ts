/** Roughly how many bytes the Rice codes of `count` numbers below `end` take. */
export function riceBytes(count: number, end: number): number {
  // Each number takes as many bits as the mean gap has, plus one and a half for deviations, but at least four.
  return count === 0 ? 0 : (count * Math.max(4, Math.log2(end / count) + 1.5)) / 8;
}
