import { expect } from "vitest";

const TIMES_LONGER = 16;
/** The number of times that the short input is timed. The first time includes the compilation of the code. */
const SHORT_ROUNDS = 3;
/** How many times longer than usual the inputs of an attempt are, and the limit for the ratio of their times. */
interface Attempt {
  readonly times: number;
  readonly limit: number;
}

/** The limit is between the ratio for linear growth (16) and the one for quadratic growth (256). */
const USUAL: Attempt = { times: 1, limit: 64 };
/**
 * On some machines, memory beyond a certain size is up to ten times slower, which looks like growth at that size. If
 * partly quadratic growth reaches the usual limit, its ratio is more than 170 for inputs eight times longer.
 */
const LONGER: Attempt = { times: 8, limit: 160 };
const ATTEMPTS: readonly Attempt[] = [USUAL, USUAL, USUAL, LONGER, LONGER, LONGER];

/**
 * Starts a measurement, and returns a function that returns the milliseconds since then. Where the system
 * reports it finely enough, this is processor time, so that other load on the machine does not count. With `"computing"`,
 * it leaves out what the kernel does, such as providing memory: on some virtual machines, memory that was not used for a
 * while costs a hundred times more than other memory.
 */
export function stopwatch(counted: "all" | "computing" = "all"): () => number {
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  return () => {
    const elapsed = performance.now() - start;
    const { user, system } = process.cpuUsage(cpuStart);
    if (user + system === 0) return elapsed;
    return Math.min(elapsed, (counted === "all" ? user + system : user) / 1000);
  };
}

/** As `expectLinearGrowth`, for a function that returns a promise. */
export async function expectLinearGrowthOfPromise<T>(
  run: (input: T) => Promise<unknown>,
  make: (length: number) => T,
  length: number = 10_000,
): Promise<void> {
  const time = async (input: T, counted?: "computing") => {
    const elapsed = stopwatch(counted);
    await run(input);
    return elapsed();
  };
  const ratios: number[] = [];
  for (const { times, limit } of ATTEMPTS) {
    const short = make(length * times);
    let shortest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < SHORT_ROUNDS; round++) {
      shortest = Math.min(shortest, await time(short));
    }
    const long = await time(make(length * times * TIMES_LONGER), "computing");
    const found = long / Math.max(shortest, SHORTEST);
    if (found < limit) return;
    ratios.push(found);
  }
  expect.fail(`${TIMES_LONGER} times the length took ${ratios.join(", ")} times as long`);
}

/** A time that is too short to measure counts as this many milliseconds. */
const SHORTEST = 0.02;

/**
 * The ratio of the times that a long and a short input take. For the short input, the best of a few times counts, with
 * what the kernel does: a short time is not always divided correctly between the program and the kernel.
 */
function ratio<T>(run: (input: T) => unknown, short: T, long: T): number {
  const time = (input: T, counted?: "computing") => {
    const elapsed = stopwatch(counted);
    run(input);
    return elapsed();
  };
  const shortTimes = Array.from({ length: SHORT_ROUNDS }, () => time(short));
  return time(long, "computing") / Math.max(Math.min(...shortTimes), SHORTEST);
}

/**
 * Checks that the time of `run` grows linearly with the length of its input, not with the square of the length. The
 * check asserts no time, only how many times longer an input of sixteen times the length takes. One measurement can be
 * wrong on a busy machine, so the check fails only if several measurements in a row do.
 */
export function expectLinearGrowth<T>(
  run: (input: T) => unknown,
  make: (length: number) => T,
  length: number = 10_000,
): void {
  const ratios: number[] = [];
  for (const { times, limit } of ATTEMPTS) {
    const found = ratio(run, make(length * times), make(length * times * TIMES_LONGER));
    if (found < limit) return;
    ratios.push(found);
  }
  expect.fail(`${TIMES_LONGER} times the length took ${ratios.join(", ")} times as long`);
}
