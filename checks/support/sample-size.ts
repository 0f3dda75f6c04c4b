/** Whether this is the deep run: `vitest --mode deep`, as `npm run test:deep` starts it. */
export const IS_DEEP: boolean = process.env["DEEP"] === "1";

/**
 * How many generated inputs a test tries: in the deep run, the first number; otherwise a twentieth of it, but not fewer
 * than thirty unless fewer were requested. Tests that must reach rare branches pass a second number instead.
 */
export function sampleSize(
  deep: number,
  few: number = Math.max(Math.ceil(deep / 20), Math.min(deep, 30)),
): number {
  return IS_DEEP ? deep : few;
}

/** The cases that a test tries: all in the deep run, otherwise the first few. */
export function firstOf<T>(few: number, cases: readonly T[]): readonly T[] {
  return IS_DEEP ? cases : cases.slice(0, few);
}

/**
 * The minimum number of times that a sample must reach a branch: in the deep run, the number that is passed; otherwise
 * a hundredth, because small samples vary.
 */
export function fewest(deep: number): number {
  return IS_DEEP ? deep : Math.floor(deep / 100);
}
