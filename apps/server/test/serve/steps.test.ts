import * as fc from "fast-check";
import { expect, test } from "vitest";
import { perform, ready, type Steps } from "../../src/serve/steps.ts";

/** A number or an error, which is there at once or comes later. */
interface Given {
  readonly number: number;
  readonly isLate: boolean;
  readonly isError: boolean;
}

const given: fc.Arbitrary<Given> = fc.record({
  number: fc.nat(9),
  isLate: fc.boolean(),
  isError: fc.boolean(),
});

function valueFor({ number, isLate, isError }: Given): number | Promise<number> {
  if (isLate) return isError ? Promise.reject(new Error(`${number}`)) : Promise.resolve(number);
  if (isError) throw new Error(`${number}`);
  return number;
}

/** Adds the numbers. An error counts as 100 if `mends` is `true`, and otherwise ends the sum. */
function* sumOf(all: readonly Given[], mends: boolean): Steps<number> {
  let sum = 0;
  for (const each of all) {
    try {
      sum += yield* ready(valueFor(each));
    } catch (error) {
      if (!mends) throw error;
      sum += 100;
    }
  }
  return sum;
}

async function plainSumOf(all: readonly Given[], mends: boolean): Promise<number> {
  let sum = 0;
  for (const each of all) {
    try {
      sum += await valueFor(each);
    } catch (error) {
      if (!mends) throw error;
      sum += 100;
    }
  }
  return sum;
}

test("steps do what an async function does, and at once unless they wait", async () => {
  const reached = { atOnce: 0, later: 0, errors: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(given, { maxLength: 4 }), fc.boolean(), async (all, mends) => {
      const plain = await plainSumOf(all, mends).catch((error: Error) => error.message);
      const failed = mends ? -1 : all.findIndex(({ isError }) => isError);
      const done = failed < 0 ? all : all.slice(0, failed + 1);
      const isAtOnce = done.every(({ isLate }) => !isLate);
      let result: number | string | Promise<number | string>;
      try {
        const performed = perform(sumOf(all, mends));
        expect(performed instanceof Promise).toBe(!isAtOnce);
        result =
          performed instanceof Promise
            ? performed.catch((error: Error) => error.message)
            : performed;
      } catch (error) {
        expect(isAtOnce).toBe(true);
        result = (error as Error).message;
      }
      expect(await result).toBe(plain);
      reached[isAtOnce ? "atOnce" : "later"]++;
      if (failed >= 0) reached.errors++;
    }),
    { numRuns: 300 },
  );
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(30);
});
