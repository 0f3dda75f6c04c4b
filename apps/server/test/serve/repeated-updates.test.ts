import { expect, test } from "vitest";
import { repeatedUpdates } from "../../src/serve/updates/repeated-updates.ts";

const HOUR = 3_600_000;

test("a difference that is sent again is a repeated one, once", () => {
  const repeated = repeatedUpdates();
  const key = repeated.keyOf("client", "token");
  expect(repeated.keyOf("client", "token")).toBe(key);
  expect(repeated.isRepeated(key)).toBe(false);
  repeated.remember(key);
  for (const other of [repeated.keyOf("other", "token"), repeated.keyOf("client", "other")]) {
    expect(repeated.isRepeated(other)).toBe(false);
  }
  expect(repeated.isRepeated(key)).toBe(true);
  expect(repeated.isRepeated(key)).toBe(false);
});

test.each([
  [11, true],
  [13, true],
  [25, false],
  [60, false],
])("after %d hours, that a difference was sent is remembered: %s", (hours, isRemembered) => {
  for (const others of [[], [6], [12], [6, 12, 18]]) {
    let now = 0;
    const repeated = repeatedUpdates(() => now * HOUR);
    const key = repeated.keyOf("client", "token");
    repeated.remember(key);
    // Other clients come at other times.
    for (const each of others.filter((hour) => hour < hours)) {
      now = each;
      repeated.remember(repeated.keyOf(`other ${each}`, "token"));
    }
    now = hours;
    expect(repeated.isRepeated(key)).toBe(isRemembered);
  }
});

test("the newest fifty thousand are remembered at least, and a hundred thousand at most", () => {
  const repeated = repeatedUpdates();
  const keys = Array.from({ length: 160_000 }, (_, i) => repeated.keyOf("client", String(i)));
  for (const key of keys) repeated.remember(key);
  const remembered = keys.map((key) => repeated.isRepeated(key));
  expect(remembered.slice(-50_000).every(Boolean)).toBe(true);
  expect(remembered.filter(Boolean).length).toBeLessThanOrEqual(100_000);
});
