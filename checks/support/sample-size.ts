/** Whether this is the deep run: `vitest --mode deep`, as `npm run test:deep` starts it. */
export const IS_DEEP: boolean = process.env["DEEP"] === "1";

/**
 * The share of the generated inputs that the deep run tries, from 0 to 1. CI uses less than the default of 1, to save
 * time.
 */
const DEEP_SHARE = Number(process.env["DEEP_SHARE"] ?? 1);

/**
 * How many generated inputs a test tries. In the deep run, this is the first number, times DEEP_SHARE. Otherwise, it is
 * a twentieth of the first number, but not fewer than thirty unless the first number is smaller. Tests that must reach
 * rare branches pass the second number, which is then the minimum.
 */
export function sampleSize(
  deep: number,
  few: number = Math.max(Math.ceil(deep / 20), Math.min(deep, 30)),
): number {
  return IS_DEEP ? Math.max(Math.ceil(deep * DEEP_SHARE), few) : few;
}

/** The cases that a test tries: all of them in the deep run, and otherwise only the first few. */
export function firstOf<T>(few: number, cases: readonly T[]): readonly T[] {
  return IS_DEEP ? cases : cases.slice(0, few);
}

/**
 * The minimum number of times that a sample must reach a branch. In the whole deep run, this is the number that is
 * passed; in `npm test`, a hundredth of it; and with DEEP_SHARE, half of the number times DEEP_SHARE, because small
 * samples vary.
 */
export function fewest(deep: number): number {
  if (!IS_DEEP) return Math.floor(deep / 100);
  return DEEP_SHARE < 1 ? Math.floor((deep * DEEP_SHARE) / 2) : deep;
}
