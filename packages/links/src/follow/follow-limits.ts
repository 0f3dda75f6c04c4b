import { typeError } from "@x/canon/type-error";

type LimitName = "maxHops" | "maxBytes" | "timeout";

/**
 * The default limits of `followLink`: 20 redirects, as in browsers, 1 MiB for all pages, and 15 seconds for the chain.
 */
export const FOLLOW_LIMITS: Readonly<Record<LimitName, number>> = Object.freeze({
  maxHops: 20,
  maxBytes: 2 ** 20,
  timeout: 15_000,
});

/** The smallest and the largest permitted value of each limit. A timer can run for at most 2 ** 31 - 1 milliseconds. */
const RANGES: Readonly<Record<LimitName, readonly [number, number]>> = {
  maxHops: [0, 1000],
  maxBytes: [0, 2 ** 30],
  timeout: [1, 2 ** 31 - 1],
};

/** Returns the given limit, or the default if none is given. Throws if the limit is not valid. */
export function followLimit(name: LimitName, given: number | undefined): number {
  const value = given ?? FOLLOW_LIMITS[name];
  const [min, max] = RANGES[name];
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not ${value}`);
}
