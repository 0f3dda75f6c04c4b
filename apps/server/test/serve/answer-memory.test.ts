import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { unreadAnswers } from "../../src/serve/http/answer-memory.ts";

const RUNS = { seed: 24, numRuns: sampleSize(300) };

/** A budget with a clock that the test moves and the names of the answers that were dropped. */
function budget(most: number) {
  const clock = { now: 0 };
  const unread = unreadAnswers({ most, now: () => clock.now });
  const dropped: string[] = [];
  const take = (client: string, bytes: number, name = client) =>
    unread.take(client, { length: bytes, held: bytes }, () => dropped.push(name));
  return { clock, unread, dropped, take };
}

test("the client that holds the most makes room, with the answer that it read least recently", () => {
  const { unread, dropped, take } = budget(100);
  take("greedy", 30, "first");
  const second = take("greedy", 30, "second")!;
  take("honest", 30);
  second.progressed();
  // The first answer counts as read least recently, because none of it was read.
  expect(take("another", 30)).not.toBeNull();
  expect(dropped).toEqual(["first"]);
  expect(unread.bytes).toBe(90);
});

test("the client that holds the most is refused, until one of the answers stalls", () => {
  const { clock, dropped, take } = budget(100);
  take("greedy", 40, "first");
  take("greedy", 40, "second")!.progressed();
  take("honest", 20);
  expect(take("greedy", 20)).toBeNull();
  clock.now += 5000;
  expect(take("greedy", 20)).not.toBeNull();
  expect(dropped).toEqual(["first"]);
});

test("a client that reads keeps its answer, however many answers others ask for", () => {
  const { clock, dropped, take } = budget(1000);
  const honest = take("honest", 10, "honest")!;
  for (let i = 0; i < 5000; i++) {
    clock.now += 100;
    honest.progressed();
    take(`hostile ${i % 50}`, 40 + (i % 7), "hostile");
  }
  expect(dropped.length).toBeGreaterThan(500);
  expect(dropped).not.toContain("honest");
});

test("one answer may be longer than the budget, but not beside others", () => {
  const { take } = budget(100);
  const long = take("a", 500)!;
  expect(take("a", 1)).toBeNull();
  long.end();
  long.end();
  expect(take("a", 1)).not.toBeNull();
});

test("an answer that is read too slowly is dropped, however much of it was read", () => {
  vi.useFakeTimers();
  try {
    const { unread, dropped } = budget(100);
    const take = (name: string) =>
      unread.take("client", { length: 1_600_000, held: 10 }, () => dropped.push(name))!;
    const slow = take("slow");
    take("fast").end();
    for (let second = 0; second < 159; second++) {
      vi.advanceTimersByTime(1000);
      slow.progressed();
    }
    expect(dropped).toEqual([]);
    // The limit is one minute plus 100 seconds for the length of the answer.
    vi.advanceTimersByTime(1000);
    expect(dropped).toEqual(["slow"]);
  } finally {
    vi.useRealTimers();
  }
});

test("counts exactly what was taken and has not ended", () => {
  let droppedOrRefused = 0;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          client: fc.constantFrom("a", "b", "c"),
          bytes: fc.integer({ min: 1, max: 60 }),
          ends: fc.nat(20),
          wait: fc.constantFrom(0, 0, 6000),
        }),
        { maxLength: 60 },
      ),
      (steps) => {
        const clock = { now: 0 };
        const unread = unreadAnswers({ most: 100, now: () => clock.now });
        const held = new Map<number, { bytes: number; end: () => void }>();
        for (const [number, { client, bytes, ends, wait }] of steps.entries()) {
          clock.now += wait;
          const taken = unread.take(client, { length: 0, held: bytes }, () => {
            held.delete(number);
            droppedOrRefused++;
          });
          if (taken === null) droppedOrRefused++;
          else held.set(number, { bytes, end: taken.end });
          held.get(number - ends)?.end();
          held.delete(number - ends);
          const sum = [...held.values()].reduce((all, each) => all + each.bytes, 0);
          expect(unread.bytes).toBe(sum);
          expect(sum).toBeLessThanOrEqual(100);
        }
      },
    ),
    RUNS,
  );
  expect(droppedOrRefused).toBeGreaterThan(fewest(300));
});
