import { expect, test } from "vitest";
import { failedUpdates } from "../../src/serve/updates/decide-update.ts";

const HOUR = 3_600_000;
const WAIT = HOUR / 2;

test("a difference that is sent again is a repeated one, once", () => {
  const failures = failedUpdates(WAIT);
  const key = failures.keyOf("client", "token");
  expect(failures.keyOf("client", "token")).toBe(key);
  failures.rememberGiven(key);
  expect(failures.hasFailed(key)).toBe(false);
  failures.rememberSent(key);
  for (const other of [failures.keyOf("other", "token"), failures.keyOf("client", "other")]) {
    expect(failures.hasFailed(other)).toBe(false);
  }
  expect(failures.hasFailed(key)).toBe(true);
  expect(failures.hasFailed(key)).toBe(false);
});

test("after a full update, a client may ask from the same token once more", () => {
  const failures = failedUpdates(WAIT);
  const key = failures.keyOf("client", "token");
  failures.rememberGiven(key);
  for (let round = 0; round < 3; round++) {
    failures.rememberSent(key);
    expect(failures.hasFailed(key)).toBe(true);
  }
});

test("a client with a token that nothing is known about may ask until one and a half waits passed", () => {
  let now = 20_000 * HOUR;
  const failures = failedUpdates(WAIT, () => now);
  const key = failures.keyOf("client", "token");
  for (let asked = 0; asked < 1000; asked++) {
    expect(failures.hasFailed(key)).toBe(false);
    failures.rememberSent(key);
    now += (1.4 * WAIT) / 1000;
  }
  now += WAIT / 5;
  expect(failures.hasFailed(key)).toBe(true);
});

test("a client may ask as often from a token as it was given it", () => {
  const failures = failedUpdates(WAIT);
  const key = failures.keyOf("client", "token");
  for (let given = 0; given < 100; given++) failures.rememberGiven(key);
  for (let asked = 0; asked < 100; asked++) {
    expect(failures.hasFailed(key)).toBe(false);
    failures.rememberSent(key);
  }
  expect(failures.hasFailed(key)).toBe(true);
});

test("differences that nobody asked for are not left to a client that failed for long", () => {
  let now = 20_000 * HOUR;
  const failures = failedUpdates(WAIT, () => now);
  const key = failures.keyOf("client", "token");
  for (let given = 0; given < 100_000; given++) failures.rememberGiven(key);
  // It does not matter how late the first client asks.
  now += 10 * HOUR;
  expect(failures.hasFailed(key)).toBe(false);
  failures.rememberSent(key);
  now += WAIT;
  expect(failures.hasFailed(key)).toBe(false);
  failures.rememberSent(key);
  now += WAIT;
  expect(failures.hasFailed(key)).toBe(true);
});

test.each([
  [11, true],
  [13, true],
  [25, false],
  [60, false],
])("after %d hours, that a difference was sent is remembered: %s", (hours, isRemembered) => {
  for (const others of [[], [6], [12], [6, 12, 18]]) {
    let now = 0;
    const failures = failedUpdates(WAIT, () => now * HOUR);
    const key = failures.keyOf("client", "token");
    failures.rememberGiven(key);
    failures.rememberSent(key);
    // Other clients ask at other times.
    for (const each of others.filter((hour) => hour < hours)) {
      now = each;
      failures.rememberSent(failures.keyOf(`other ${each}`, "token"));
    }
    now = hours;
    expect(failures.hasFailed(key)).toBe(isRemembered);
  }
});

test("the newest fifty thousand are remembered at least, and a hundred thousand at most", () => {
  const failures = failedUpdates(WAIT);
  const keys = Array.from({ length: 160_000 }, (_, i) => failures.keyOf("client", String(i)));
  for (const key of keys) {
    failures.rememberGiven(key);
    failures.rememberSent(key);
  }
  const remembered = keys.reverse().map((key) => failures.hasFailed(key));
  expect(remembered.slice(0, 50_000).every(Boolean)).toBe(true);
  expect(remembered.filter(Boolean).length).toBeLessThanOrEqual(100_000);
});
