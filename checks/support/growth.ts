import { expect } from "vitest";

const TIMES_LONGER = 16;
/** Between what linear growth costs (16) and what quadratic growth does (256). */
const LIMIT = 64;
const ROUNDS = 3;
const ATTEMPTS = 6;

/**
 * Starts to measure, and gives a function that gives the milliseconds since then: those that this process
 * had the processor, so that a busy machine does not count, where the system tells them finely enough.
 */
export function stopwatch(): () => number {
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  return () => {
    const elapsed = performance.now() - start;
    const { user, system } = process.cpuUsage(cpuStart);
    return Math.min(elapsed, (user + system) / 1000 || elapsed);
  };
}

/** The ratio of the times that a long and a short input take, each the best of some rounds. */
function ratio<T>(run: (input: T) => unknown, short: T, long: T): number {
  const time = (input: T) => {
    const elapsed = stopwatch();
    run(input);
    return elapsed();
  };
  const rounds = Array.from({ length: ROUNDS }, () => [time(short), time(long)] as const);
  const best = (which: 0 | 1) => Math.min(...rounds.map((times) => times[which]));
  // What is too short to be measured is taken for the least that can be.
  return best(1) / Math.max(best(0), 0.02);
}

/**
 * Checks that what `run` costs grows with the length of its input and not with the square of it: no time
 * is asserted, only how many times longer sixteen times the input takes. A busy machine can make one
 * measurement lie; it is believed only when it comes out the same several times.
 */
export function expectLinearGrowth<T>(
  run: (input: T) => unknown,
  make: (length: number) => T,
  length: number = 10_000,
): void {
  const [short, long] = [make(length), make(length * TIMES_LONGER)];
  const ratios: number[] = [];
  while (ratios.length < ATTEMPTS && !ratios.some((value) => value < LIMIT)) {
    ratios.push(ratio(run, short, long));
  }
  expect(
    Math.min(...ratios),
    `16 times the length took ${ratios.join(", ")} times as long`,
  ).toBeLessThan(LIMIT);
}
