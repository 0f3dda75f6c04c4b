import { afterEach, expect, test, vi } from "vitest";
import { listKeeper } from "../../src/serve/lists/refresh-lists.ts";
import {
  newList,
  retryAfter,
  unavailable,
  withProblem,
} from "../../src/serve/lists/served-lists.ts";
import { threatRow } from "../../src/serve/lists/threat-rows.ts";

/* When clients may ask again after a fault. */

const SECOND = 1000;
const START = 1_800_000_000_000;

/** Sets the clock to this many seconds after the start. */
const at = (seconds: number) => vi.setSystemTime(START + seconds * SECOND);
afterEach(() => void vi.useRealTimers());

test.each([
  [0, "1"],
  [3 * SECOND, "2"],
  [20 * SECOND, "10"],
  [3600 * SECOND, "60"],
  [-3600 * SECOND, "1"],
])("a fault that has lasted for %i ms", (lasted, seconds) => {
  at(0);
  expect(retryAfter(START - lasted)).toEqual({ "Retry-After": seconds });
});

test("a list that cannot be served is asked for again soon, and later less often", async () => {
  at(0);
  let problem: string | null = "It is damaged";
  const row = threatRow("malware");
  const keeper = listKeeper<never>(
    {
      names: async () => ["malware"],
      load: async (name, before = newList(name, row)) =>
        problem === null ? newList(name, row) : withProblem(before, { problem, detail: null }, 0),
      tooOld: () => ({ problem, detail: null }),
    },
    {},
  );
  const wait = () => unavailable(keeper.all()[0]!).headers["Retry-After"];
  await keeper.refresh();
  expect(wait()).toBe("1");
  at(10);
  expect(wait()).toBe("5");
  // Another problem of the same list continues the fault.
  problem = "It is too old";
  await keeper.refresh();
  at(20);
  expect(wait()).toBe("10");
  problem = null;
  await keeper.refresh();
  problem = "It is damaged";
  await keeper.refresh();
  expect(wait()).toBe("1");
});
