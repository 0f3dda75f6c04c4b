import { type Client, type ClientOptions, createClient } from "@x/client";
import { giveBackgroundTimersBack, takeBackgroundTimers } from "@x/test-support/background-timers";
import { onTestFinished } from "vitest";
import { type FakeServer, fakeServer } from "./fake-server.ts";

export const MINUTE: number = 60_000;
export const HOUR: number = 60 * MINUTE;
export const START: number = 1_000_000_000_000;

/** A clock. Timers that do not keep the process running run when it is moved. */
export interface FakeClock {
  time: number;
  /** The number of waiting timers. */
  readonly waiting: number;
  /** Moves the clock, and waits for the work that timers started. */
  pass(milliseconds: number): Promise<void>;
}

export function fakeClock(): FakeClock {
  let passed = 0;
  const timers = new Map<symbol, { at: number; callback: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  onTestFinished(giveBackgroundTimersBack);
  takeBackgroundTimers((milliseconds, callback) => {
    const id = Symbol();
    timers.set(id, { at: passed + milliseconds, callback });
    return () => timers.delete(id);
  });
  const clock: FakeClock = {
    time: START,
    get waiting() {
      return timers.size;
    },
    async pass(milliseconds) {
      const end = passed + milliseconds;
      for (;;) {
        for (let i = 0; i < 20; i++) await settle();
        const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at);
        if (next === undefined || next[1].at > end) break;
        const [id, { at, callback }] = next;
        timers.delete(id);
        clock.time += at - passed;
        passed = at;
        callback();
      }
      clock.time += end - passed;
      passed = end;
    },
  };
  return clock;
}

export interface SetUp {
  readonly clock: FakeClock;
  readonly server: FakeServer;
  readonly client: Client;
  /** Another client of the same server. */
  another(options?: Partial<ClientOptions>): Client;
}

export const KEY = "s3cret/+key";

/** A client of a server with three lists. */
export function setUp(options: Partial<ClientOptions> = {}): SetUp {
  const clock = fakeClock();
  const server = fakeServer({
    "mw-4b": { versions: [["evil.example/", "bad.example/path"]] },
    "se-4b": {
      versions: [["phish.example/"]],
      details: [{ threatType: "SOCIAL_ENGINEERING", attributes: [] }],
    },
    "gc-32b": { versions: [["good.example/"]], details: [] },
  });
  const another = (more: Partial<ClientOptions> = {}) =>
    createClient({
      protocol: "v5",
      server: "https://lists.example",
      lists: ["mw-4b", "se-4b"],
      key: KEY,
      fetch: server.fetch,
      now: () => clock.time,
      random: () => 0.5,
      ...options,
      ...more,
    });
  return { clock, server, client: another(), another };
}
