import { afterEach, describe, expect, test } from "vitest";
import { measureList } from "../../bench/fleet/measured-list.js";
import { DAY, simulatePolls } from "../../bench/fleet/polls.js";
import { costsOf, simulateFleet } from "../../bench/fleet/simulate.js";
import { NEW, wayThrough } from "../../bench/fleet/ways.js";

const FLEET = {
  ...{ clients: 3000, days: 7, warmUp: 3, growth: 0.1 },
  ...{ wait: 1800, maxAge: 300, interval: 300 },
};
const VERSIONS = (10 * DAY) / 300;
const WINDOWS = [10, 200, 2000];
const PLACES = [0, 1, 5];
const measured = {
  ...{ none: 100, full: 100_000 },
  partial: (age: number) => 200 + 10 * age,
  processor: (bytes: number) => bytes * 1e-9,
};

test("clients wait between updates, and nobody asks after the end", () => {
  const last = new Int32Array(FLEET.clients).fill(-FLEET.wait);
  let [time, polls] = [-1, 0];
  simulatePolls(FLEET, {
    onSecond(second: number) {
      time = second;
    },
    onPoll(client: number, at: number) {
      polls++;
      if (at !== time || at - last[client]! < FLEET.wait) throw new Error(`${client} at ${at}`);
      last[client] = at;
    },
  });
  expect(time).toBe(10 * DAY - 1);
  expect(last.filter((each) => each >= 0).length).toBeGreaterThan(FLEET.clients * 0.9);
  // Clients that are always on ask 48 times a day.
  expect(polls).toBeGreaterThan(FLEET.clients * 0.2 * 47 * 9);
  expect(polls).toBeLessThan(FLEET.clients * 48 * 10);
});

test("a cache goes by path and age, and each place has its own", () => {
  const facts = { clients: 4, versions: 10, maxAge: 300, formOf: () => 0 };
  const way = wayThrough(2, { ...facts, placeOf: (client: number) => (client === 3 ? 1 : 0) });
  const ask = (client: number, time: number, newest: number) => [
    way.ask(client, time, newest),
    way.isHit,
  ];
  expect(ask(0, 0, 3)).toEqual([NEW, false]);
  expect(ask(1, 299, 4)).toEqual([NEW, true]);
  expect(ask(2, 300, 5)).toEqual([NEW, false]);
  expect(ask(3, 301, 5)).toEqual([NEW, false]);
  // Clients 0 and 1 got version 3 before, from the cache or the server.
  expect(ask(0, 900, 7)).toEqual([4, false]);
  expect(ask(1, 901, 7)).toEqual([4, true]);
  expect(ask(2, 902, 7)).toEqual([2, false]);
  // Without a cache, all clients get the newest version.
  const direct = wayThrough(0, { ...facts, placeOf: () => 0 });
  direct.ask(0, 0, 3);
  expect(direct.ask(0, 1, 4)).toBe(1);
  expect(direct.isHit).toBe(false);
});

test("the sums of a fleet fit together", () => {
  const scenarios = WINDOWS.map((window) => ({ costs: costsOf(measured, window, VERSIONS) }));
  const [direct, one, many] = simulateFleet(FLEET, PLACES, scenarios);
  for (const [i, sum] of direct!.entries()) {
    expect([sum.hits, sum.originRequests]).toEqual([0, sum.requests]);
    for (const cached of [one![i]!, many![i]!]) {
      expect(cached.requests).toBe(sum.requests);
      expect(cached.hits + cached.originRequests).toBe(sum.requests);
      expect(cached.originBytes).toBeLessThan(cached.bytes);
    }
    expect(one![i]!.hits).toBeGreaterThan(many![i]!.hits);
    expect(sum.peak.requests).toBeGreaterThan(sum.requests / (7 * DAY));
    const hourly = sum.hourly.reduce((total, hour) => total + hour.requests, 0);
    expect(hourly).toBe(sum.requests);
  }
  const fulls = direct!.map(({ full }) => full);
  expect(fulls[0]).toBeGreaterThan(fulls[1]!);
  expect(fulls[1]).toBeGreaterThan(fulls[2]!);
  // A tenth of the clients are new in the measured days.
  expect(fulls[2]).toBeGreaterThan(FLEET.clients * 0.05);
  expect(fulls[2]).toBeLessThan(FLEET.clients * 0.15);
});

describe("real handlers", () => {
  let list: Awaited<ReturnType<typeof measureList>> | undefined;
  afterEach(() => list?.store.remove());

  test("answer every age with a difference, and a new client with the whole list", async () => {
    list = await measureList({ size: 5000, share: 0.01, ages: [1, 5, 20] });
    const { answers, publishing } = list;
    const bytes = ["none", 1, 5, 20, "new"].map((name) => answers.get(name)!.body.length);
    expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
    expect(bytes[0]).toBeGreaterThan(0);
    expect(
      [...answers.values()].every(({ cacheControl }) => cacheControl === "public, max-age=300"),
    ).toBe(true);
    expect(publishing).toMatchObject({ changed: 50 });
  });
});
