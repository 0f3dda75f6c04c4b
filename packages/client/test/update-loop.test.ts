import { type Client, type ClientStorage, memoryStorage } from "@x/client";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listOf } from "./support/fake-server.ts";
import { MINUTE, type SetUp, setUp } from "./support/set-up.ts";

/*
 * A client that updates its lists by itself, between a server that fails and a storage that fails, while the clock is
 * set and the program restarts. Commands of fast-check change the world; the model has only what the world did.
 */

const LISTS = ["mw-4b", "se-4b"];
const WAIT = 30 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const GRACE = DAY;
const SAFE_URL = "http://good.example/";

/** The ways in which a server fails, and what a client then does. */
const FAILURES = {
  unreachable: () => Promise.reject(new TypeError("fetch failed")),
  busy: () => new Response(null, { status: 503, headers: { "retry-after": "5" } }),
  broken: () => new Response(null, { status: 500 }),
  nonsense: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
} as const;
type Failure = keyof typeof FAILURES;

interface Model {
  isStarted: boolean;
  /** Whether this client was started, even if it has stopped since. */
  wasStarted: boolean;
  failure: Failure | null;
  damaged: ReadonlySet<string>;
  isStorageFull: boolean;
  /** The time that has really passed, whatever the clock says. */
  elapsed: number;
  /** When the server last gave out each list, in elapsed time. */
  readonly given: Map<string, number>;
  /** By how much the clock may be wrong about the age of lists: it is read once a minute. */
  unseen: number;
  /** By how much the clock was set back as the client has seen, but not stored. */
  unstored: number;
}

interface World {
  readonly setUp: SetUp;
  readonly storage: ClientStorage;
  client: Client;
  readonly reached: Map<string, number>;
}

/** What a sample must reach. */
const REACHED = [
  ...["clock", "damage", "publish", "restart", "safe", "server", "sleep", "start", "stop"],
  ...["storage", "unsure", "update", "wait", "restart with times"],
];

function count(reached: Map<string, number>, name: string): void {
  reached.set(name, (reached.get(name) ?? 0) + 1);
}

type Command = fc.AsyncCommand<Model, World>;

/** Lets time pass, and everything that is due happen. */
async function pass(model: Model, world: World, milliseconds: number): Promise<void> {
  const { clock } = world.setUp;
  for (let left = milliseconds; left > 0; left -= MINUTE) {
    const step = model.isStarted ? Math.min(MINUTE, left) : left;
    model.elapsed += step;
    await clock.pass(step);
    // Hashes are computed by other threads, which the clock does not know.
    while (world.client.status().isUpdating) await new Promise((resolve) => setImmediate(resolve));
    if (step === left) return;
  }
}

/** What always holds. */
function check(model: Model, { client, setUp: { server, clock }, reached }: World): void {
  const status = client.status();
  const now = clock.time;
  for (const { name, version, problem, checkedAt } of status.lists) {
    const published = server.lists[name]!.versions.map((each) => listOf(name, each).checksum);
    expect(version === null || published.includes(version), "a version of the server").toBe(true);
    expect(version === null).toBe(problem !== null);
    expect(checkedAt === null).toBe(version === null);
  }
  // Updates never stop: the longest pause is a day.
  if (status.nextUpdate !== null) expect(status.nextUpdate).toBeLessThanOrEqual(now + DAY);
  if (status.isDue && model.isStarted)
    expect(status.nextUpdate ?? now).toBeLessThanOrEqual(now + MINUTE);
  const { verdict } = client.checkLocally(SAFE_URL);
  const ages = LISTS.map((name) => model.elapsed - (model.given.get(name) ?? -Infinity));
  if (verdict === "safe") {
    expect(Math.max(...ages), "safe with old lists").toBeLessThanOrEqual(
      WAIT + GRACE + model.unseen,
    );
    count(reached, "safe");
  } else {
    count(reached, "unsure");
  }
}

const command = (
  text: string,
  run: (model: Model, world: World) => Promise<void>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Command => ({
  check: isPossible,
  toString: () => text,
  async run(model, world) {
    await run(model, world);
    count(world.reached, text.split(" ")[0]!);
    check(model, world);
  },
});

function publish(name: string, number: number): Command {
  return command(`publish ${name} ${number}`, async (_, { setUp: { server } }) => {
    server.lists[name]!.versions.push([`evil${number}.example/`, `${name}.example/`]);
  });
}

const wait = (minutes: number) =>
  command(`wait ${minutes}`, async (model, world) => {
    const { requests } = world.setUp.server;
    const before = requests.length;
    await pass(model, world, minutes * MINUTE);
    // A minute between updates, and six requests until the pauses of a missing network are half a minute.
    expect(requests.length - before, "too many requests").toBeLessThanOrEqual(
      6 + 2 * (minutes + 1),
    );
    if (!model.isStarted) expect(requests).toHaveLength(before);
  });

/** The machine sleeps: the time passes, but no timer runs. */
const sleep = (minutes: number) =>
  command(`sleep ${minutes}`, async (model, world) => {
    world.setUp.clock.time += minutes * MINUTE;
    model.elapsed += minutes * MINUTE;
  });

const setClock = (minutes: number) =>
  command(`clock ${minutes}`, async (model, world) => {
    const { clock } = world.setUp;
    // Nobody can tell a clock that was set back while the machine slept from a shorter sleep.
    await pass(model, world, MINUTE);
    clock.time += minutes * MINUTE;
    if (minutes >= 0) return;
    // Up to a minute passes until a client that is started sees it. Any other client never does, nor the storage.
    model.unseen += model.isStarted ? MINUTE : -minutes * MINUTE;
    if (model.isStarted) model.unstored += -minutes * MINUTE;
    await pass(model, world, MINUTE);
  });

const fail = (failure: Failure | null) =>
  command(`server ${failure ?? "works"}`, async (model) => {
    model.failure = failure;
  });

const damage = (names: readonly string[]) =>
  command(`damage ${names.join()}`, async (model) => {
    model.damaged = new Set(names);
  });

const fillStorage = (isFull: boolean) =>
  command(`storage ${isFull ? "full" : "works"}`, async (model) => {
    model.isStorageFull = isFull;
  });

const START = command(
  "start",
  async (model, { client }) => {
    client.start();
    model.isStarted = true;
    model.wasStarted = true;
  },
  ({ isStarted }) => !isStarted,
);

const STOP = command(
  "stop",
  async (model, { client }) => {
    await client.stop();
    model.isStarted = false;
  },
  ({ isStarted }) => isStarted,
);

/** Another program goes on with what is stored. */
const RESTART = command("restart", async (model, world) => {
  const { client, setUp } = world;
  const before = client.status();
  await client.stop();
  world.client = setUp.another();
  await world.client.load();
  const after = world.client.status();
  const { lastError } = before;
  const isOffline = lastError?.code === "server-unreachable" && lastError.status === null;
  if (before.storageError === null) {
    expect(after.lists.map(({ version }) => version)).toEqual(
      before.lists.map(({ version }) => version),
    );
    // The delay after a start is not stored.
    if (!isOffline && !model.wasStarted) {
      expect(after.nextUpdate, "the next update").toBe(before.nextUpdate);
      expect(after.failures).toBe(before.failures);
      count(world.reached, "restart with times");
    }
  }
  model.unseen += model.unstored;
  model.unstored = 0;
  model.wasStarted = model.isStarted;
  if (model.isStarted) world.client.start();
});

const UPDATE = command("update", async (model, { client, setUp: { server, clock } }) => {
  const newest = (name: string) => listOf(name, server.lists[name]!.versions.at(-1)!).checksum;
  const before = client.status().lists.map(({ version }) => version);
  const result = await client.update().catch((error) => error);
  const { lists, nextUpdate } = client.status();
  if (model.failure !== null) {
    expect(result).toMatchObject({ name: "ClientError" });
    expect(lists.map(({ version }) => version)).toEqual(before);
    expect(nextUpdate).toBeGreaterThan(clock.time);
    return;
  }
  expect(result).toMatchObject({ lists: LISTS.map((name) => ({ name })) });
  for (const [i, { name, version, error }] of lists.entries()) {
    if (!model.damaged.has(name))
      expect({ version, error }).toEqual({ version: newest(name), error: null });
    else expect([null, before[i], newest(name)]).toContain(version);
  }
  expect(nextUpdate).toBeGreaterThanOrEqual(clock.time + MINUTE);
  expect(client.status().storageError === null).toBe(!model.isStorageFull);
});

const minutes = (most: number) => fc.integer({ min: 1, max: most });
const COMMANDS = [
  fc.tuple(fc.constantFrom(...LISTS), fc.nat(5)).map(([name, number]) => publish(name, number)),
  minutes(90).map(wait),
  minutes(90).map(wait),
  minutes(3000).map(sleep),
  fc.integer({ min: -4000, max: 4000 }).map(setClock),
  fc.constantFrom(...(Object.keys(FAILURES) as Failure[]), null, null).map(fail),
  fc.subarray(LISTS).map(damage),
  fc.boolean().map(fillStorage),
  fc.constant(START),
  fc.constant(STOP),
  fc.constant(RESTART),
  fc.constant(UPDATE),
];

function newWorld(reached: Map<string, number>): { model: Model; real: World } {
  const memory = memoryStorage();
  const model: Model = {
    isStarted: false,
    wasStarted: false,
    failure: null,
    damaged: new Set(),
    isStorageFull: false,
    elapsed: 0,
    given: new Map(),
    unseen: 0,
    unstored: 0,
  };
  const storage: ClientStorage = {
    ...memory,
    async put(name, bytes) {
      if (model.isStorageFull) throw new Error("ENOSPC: the disk is full");
      await memory.put(name, bytes);
    },
  };
  const world = setUp({ storage, grace: GRACE, lists: LISTS });
  world.server.instead = () => (model.failure === null ? null : FAILURES[model.failure]());
  world.server.change = (name, message) => {
    if (model.damaged.has(name)) {
      return { ...(message as object), partialUpdate: false, sha256Checksum: new Uint8Array(32) };
    }
    model.given.set(name, model.elapsed);
    return message;
  };
  return { model, real: { setUp: world, storage, client: world.client, reached } };
}

/** In the end, everything works again, and after at most two days all lists are current. */
async function recovers(model: Model, world: World): Promise<void> {
  model.failure = null;
  model.damaged = new Set();
  model.isStorageFull = false;
  model.isStarted = true;
  world.client.start();
  // Twice, because a clock that was set back while the client was stopped may delay the first update by a day.
  for (let day = 0; day < 2; day++) {
    world.setUp.clock.time += DAY;
    await pass(model, world, 2 * MINUTE);
  }
  const { server } = world.setUp;
  const newest = LISTS.map((name) => listOf(name, server.lists[name]!.versions.at(-1)!).checksum);
  const { lists, lastError, storageError } = world.client.status();
  expect(lists.map(({ version }) => version)).toEqual(newest);
  expect({ lastError, storageError }).toEqual({ lastError: null, storageError: null });
  expect(world.client.checkLocally(SAFE_URL).verdict).toBe("safe");
  await world.client.stop();
}

test("a client that updates by itself is never wrong, never stops, and recovers", async () => {
  const reached = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 30 }), async (commands) => {
      const { model, real } = newWorld(reached);
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await recovers(model, real);
    }),
    { numRuns: sampleSize(400) },
  );
  for (const name of REACHED) {
    expect(reached.get(name) ?? 0, name).toBeGreaterThanOrEqual(fewest(10));
  }
}, 120_000);
