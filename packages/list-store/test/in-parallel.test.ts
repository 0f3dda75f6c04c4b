import { inParallel } from "@x/list-store/transport";
import { expect, test } from "vitest";

test("results are in the order of the items, and eight calls run at a time", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel(Array(50).keys(), async (item) => {
    most = Math.max(most, ++running);
    for (let i = 0; i <= (item * 7) % 5; i++) await Promise.resolve();
    running--;
    return item;
  });
  expect(results).toEqual([...Array(50).keys()]);
  expect(most).toBe(8);
  expect(await inParallel([], () => Promise.resolve(1))).toEqual([]);
});

test("after a call that fails, no more are started", async () => {
  const started: number[] = [];
  const calls = inParallel(Array(50).keys(), async (item) => {
    started.push(item);
    await Promise.resolve();
    if (item === 3) throw new Error("third");
  });
  await expect(calls).rejects.toThrow("third");
  expect(started.length).toBeLessThan(50);
});
