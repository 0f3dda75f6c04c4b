import { expect, test } from "vitest";
import { repeatedUpdates } from "../../src/serve/updates/repeated-updates.ts";

const HOUR = 3_600_000;
const WAIT = HOUR / 2;

test("a difference that is sent again is a repeated one, once", () => {
  const repeated = repeatedUpdates(WAIT);
  const key = repeated.keyOf("client", "token");
  expect(repeated.keyOf("client", "token")).toBe(key);
  repeated.rememberGiven(key);
  expect(repeated.isRepeated(key)).toBe(false);
  repeated.rememberSent(key);
  for (const other of [repeated.keyOf("other", "token"), repeated.keyOf("client", "other")]) {
    expect(repeated.isRepeated(other)).toBe(false);
  }
  expect(repeated.isRepeated(key)).toBe(true);
  expect(repeated.isRepeated(key)).toBe(false);
});

test("after a full update, a client may ask from the same token once more", () => {
  const repeated = repeatedUpdates(WAIT);
  const key = repeated.keyOf("client", "token");
  repeated.rememberGiven(key);
  for (let round = 0; round < 3; round++) {
    repeated.rememberSent(key);
    expect(repeated.isRepeated(key)).toBe(true);
  }
});

test("a client with a token that nothing is known about may ask until one and a half waits passed", () => {
  let now = 20_000 * HOUR;
  const repeated = repeatedUpdates(WAIT, () => now);
  const key = repeated.keyOf("client", "token");
  for (let asked = 0; asked < 1000; asked++) {
    expect(repeated.isRepeated(key)).toBe(false);
    repeated.rememberSent(key);
    now += (1.4 * WAIT) / 1000;
  }
  now += WAIT / 5;
  expect(repeated.isRepeated(key)).toBe(true);
});

test("a client may ask as often from a token as it was given it", () => {
  const repeated = repeatedUpdates(WAIT);
  const key = repeated.keyOf("client", "token");
  for (let given = 0; given < 100; given++) repeated.rememberGiven(key);
  for (let asked = 0; asked < 100; asked++) {
    expect(repeated.isRepeated(key)).toBe(false);
    repeated.rememberSent(key);
  }
  expect(repeated.isRepeated(key)).toBe(true);
});

test("differences that nobody asked for are not left to a client that failed for long", () => {
  let now = 20_000 * HOUR;
  const repeated = repeatedUpdates(WAIT, () => now);
  const key = repeated.keyOf("client", "token");
  for (let given = 0; given < 100_000; given++) repeated.rememberGiven(key);
  // It does not matter how late the first client asks.
  now += 10 * HOUR;
  expect(repeated.isRepeated(key)).toBe(false);
  repeated.rememberSent(key);
  now += WAIT;
  expect(repeated.isRepeated(key)).toBe(false);
  repeated.rememberSent(key);
  now += WAIT;
  expect(repeated.isRepeated(key)).toBe(true);
});

test.each([
  [11, true],
  [13, true],
  [25, false],
  [60, false],
])("after %d hours, that a difference was sent is remembered: %s", (hours, isRemembered) => {
  for (const others of [[], [6], [12], [6, 12, 18]]) {
    let now = 0;
    const repeated = repeatedUpdates(WAIT, () => now * HOUR);
    const key = repeated.keyOf("client", "token");
    repeated.rememberGiven(key);
    repeated.rememberSent(key);
    // Other clients ask at other times.
    for (const each of others.filter((hour) => hour < hours)) {
      now = each;
      repeated.rememberSent(repeated.keyOf(`other ${each}`, "token"));
    }
    now = hours;
    expect(repeated.isRepeated(key)).toBe(isRemembered);
  }
});

test("the newest fifty thousand are remembered at least, and a hundred thousand at most", () => {
  const repeated = repeatedUpdates(WAIT);
  const keys = Array.from({ length: 160_000 }, (_, i) => repeated.keyOf("client", String(i)));
  for (const key of keys) {
    repeated.rememberGiven(key);
    repeated.rememberSent(key);
  }
  const remembered = keys.reverse().map((key) => repeated.isRepeated(key));
  expect(remembered.slice(0, 50_000).every(Boolean)).toBe(true);
  expect(remembered.filter(Boolean).length).toBeLessThanOrEqual(100_000);
});
