import {
  generateSigningKey,
  memoryStorage as memoryStore,
  publish,
  type Signer,
  signerOf,
} from "@x/list-store";
import { prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { type PlainList, plainServer } from "@x/test-support/plain-server";
import { IS_DEEP } from "@x/test-support/sample-size";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  ClientError,
  type ClientOptions,
  type ClientStorage,
  createClient,
  memoryStorage,
} from "../src/index.ts";

/*
 * Random histories with faults: of the network, of the server, of the storage and of the clock. Whatever happens, a list is one that was
 * published or none, a listed URL is never safe, and when the faults are over, everything is right again. A failed history
 * is named by its seed.
 */

const START = 1_790_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SERVER = "https://lists.example";
const POOL = Array.from({ length: 24 }, (_, i) => `h${i}.example/`);
const LISTS = 2;
const STEPS = 14;
const MOST_BYTES = 2 ** 18;
/** After how many milliseconds something hangs; and when nothing does any more, but the machine may be slow. */
const TIMEOUT = 40;
const LONG = 60_000;

/** Random numbers from 0 to below 1, the same ones for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Protocol = ClientOptions["protocol"];
type Answer = () => Promise<Response>;
/** What goes wrong with an answer. */
type Fault = (answer: Answer, world: FaultWorld) => Response | Promise<Response>;

interface FaultWorld {
  readonly random: () => number;
  readonly init: RequestInit;
  /** Answers that were given before. */
  readonly earlier: readonly Response[];
}

async function changed(
  answer: Answer,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
) {
  const response = await answer();
  const bytes = change(new Uint8Array(await response.arrayBuffer()));
  return new Response(bytes, { status: response.status, headers: response.headers });
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal?.aborted) reject(signal.reason);
  });
}

const BREAKING: Readonly<Record<string, Fault>> = {
  unreachable: () => Promise.reject(new TypeError("fetch failed")),
  "too many requests": () => new Response("slow down", { status: 429 }),
  "internal error": () => new Response(null, { status: 500 }),
  busy: () => new Response(null, { status: 503, headers: { "retry-after": "120" } }),
  forbidden: () => new Response("{}", { status: 403 }),
  "a web page": () =>
    new Response("<!doctype html><title>Log in</title>", {
      headers: { "content-type": "text/html" },
    }),
  nothing: () => new Response(new Uint8Array(0)),
  hanging: (_, { init }) => untilAborted(init.signal),
  "a gigabyte": (_, { init }) => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        init.signal?.throwIfAborted();
        controller.enqueue(new Uint8Array(65_536));
        sent += 65_536;
        if (sent >= 2 ** 30) controller.close();
      },
    });
    return new Response(body);
  },
  "cut off": async (answer, { random }) => {
    const response = await answer();
    const bytes = new Uint8Array(await response.arrayBuffer());
    const end = Math.floor(random() * bytes.length);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, end));
        controller.error(new TypeError("terminated"));
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  },
};

/** Faults that a server's signature or a checksum shows, or that nobody can see. They make sense only for updates. */
const LYING: Readonly<Record<string, Fault>> = {
  "a truncated answer": (answer, { random }) =>
    changed(answer, (bytes) => bytes.slice(0, Math.floor(random() * bytes.length))),
  "a changed byte": (answer, { random }) =>
    changed(answer, (bytes) => {
      const at = Math.floor(random() * bytes.length);
      if (bytes.length > 0) bytes[at]! ^= 1 << Math.floor(random() * 8);
      return bytes;
    }),
  "an earlier answer": (answer, { earlier, random }) =>
    earlier[Math.floor(random() * earlier.length)]?.clone() ?? answer(),
};

interface Backend {
  readonly lists: readonly string[];
  readonly options: Partial<ClientOptions>;
  set(list: number, expressions: readonly string[]): Promise<void>;
  answer(url: URL, init: RequestInit): Promise<Response>;
  /** Whether a request is for an update. */
  isUpdate(url: URL): boolean;
}

const prefixesOf = (expressions: readonly string[]) =>
  expressions.map((text) => toHex(fullHash(text)).slice(0, 8));

function plainBackend(lists: readonly string[], now: () => number, found: number): Backend {
  const make = (threatType: PlainList["threatType"]): PlainList => ({
    threatType,
    versions: [[]],
    fullHashes: [],
  });
  const own = [make("MALWARE"), make("SOCIAL_ENGINEERING")];
  const server = plainServer({
    lists: { "mw-4b": own[0]!, "se-4b": own[1]! },
    waits: { update: 30 * MINUTE, found, notFound: found },
    now,
  });
  return {
    lists,
    options: {},
    async set(list, expressions) {
      own[list]!.versions.push(prefixesOf(expressions));
      own[list]!.fullHashes = expressions.map((text) => toHex(fullHash(text)));
    },
    async answer({ pathname, search }, init) {
      const { status, headers, body } = server.answer({
        method: init.method ?? "GET",
        url: pathname + search,
        headers: new Headers(init.headers),
        body: (init.body ?? null) as Uint8Array | null,
      });
      return new Response(new Uint8Array(body), { status, headers });
    },
    isUpdate: ({ pathname }) => !/search|fullHashes/.test(pathname),
  };
}

let signer: Signer;
beforeAll(async () => {
  signer = await signerOf(await generateSigningKey("lists.example"));
});

function storeBackend(now: () => number): Backend {
  const storage = memoryStore(now);
  const lists = ["malware", "phishing"];
  const publicKeys = [signer.publicKey];
  return {
    lists,
    options: { publicKeys },
    async set(list, expressions) {
      const fullHashes = expressions.map((text) => fullHash(text));
      const lifetime = 10_000 * DAY;
      await publish({ storage, list: lists[list]!, signer, publicKeys, lifetime, now, fullHashes });
    },
    async answer({ pathname }) {
      const bytes = await storage.get(pathname.slice(1));
      return bytes === null
        ? new Response(null, { status: 404 })
        : new Response(new Uint8Array(bytes));
    },
    // Every file of a store proves itself, so a search may be lied to as well.
    isUpdate: () => true,
  };
}

/** A storage that fails, is full, or has lost half of a value. */
function faultyStorage(
  storage: ClientStorage,
  random: () => number,
  faults: { on: boolean },
): ClientStorage {
  const fails = (chance: number) => faults.on && random() < chance;
  return {
    async get(name) {
      if (fails(0.1)) throw new Error("EIO: the disk cannot be read");
      const bytes = await storage.get(name);
      if (bytes === null || !fails(0.15)) return bytes;
      if (random() < 0.5) return bytes.subarray(0, Math.floor(random() * bytes.length));
      const damaged = bytes.slice();
      damaged[Math.floor(random() * damaged.length)]! ^= 1 << Math.floor(random() * 8);
      return damaged;
    },
    async put(name, bytes) {
      if (fails(0.2)) throw new Error("ENOSPC: the disk is full");
      await storage.put(name, bytes);
    },
    async delete(name) {
      if (fails(0.2)) throw new Error("EIO: the disk cannot be written");
      await storage.delete(name);
    },
  };
}

async function play(protocol: Protocol, seed: number): Promise<void> {
  const random = randomNumbers(seed);
  const chance = (probability: number) => random() < probability;
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const clock = { time: START };
  const now = () => clock.time;
  // In every other history, answers to searches may not be kept, so verdicts follow the server at once.
  const found = seed % 2 === 0 ? 0 : 5 * MINUTE;
  const names: Readonly<Record<Protocol, readonly string[]>> = {
    v5: ["mw-4b", "se-4b"],
    v4: ["MALWARE", "SOCIAL_ENGINEERING"],
    "web-risk": ["MALWARE", "SOCIAL_ENGINEERING"],
    store: [],
  };
  const backend =
    protocol === "store" ? storeBackend(now) : plainBackend(names[protocol], now, found);

  /** What was published, by list and checksum. */
  const published = backend.lists.map(() => new Map<string, readonly string[]>());
  /** What each list has now. */
  const current: string[][] = backend.lists.map(() => []);
  /** Expressions that the server has ever said it does not have, so that an answer in the cache may say so. */
  const everAbsent = new Set<string>(POOL);
  async function setList(list: number, expressions: string[]): Promise<void> {
    await backend.set(list, expressions);
    current[list] = expressions;
    const { checksum } = prefixList(
      expressions.map((text) => fullHash(text)),
      { prefixBytes: 4 },
    );
    published[list]!.set(checksum, expressions);
  }
  for (const list of backend.lists.keys()) {
    if (protocol !== "store") published[list]!.set(prefixList([]).checksum, []);
    await setList(
      list,
      POOL.filter(() => chance(0.3)),
    );
  }

  let fault: Fault | null = null;
  // By list, because an answer of Web Risk does not say which list it is for. Nobody could tell the answer for another one.
  const earlierAnswers = new Map<string, Response[]>();
  const send: typeof fetch = async (input, init = {}) => {
    const url = new URL(String(input));
    const list = url.searchParams.get("threatType") ?? "";
    const earlier = earlierAnswers.get(list) ?? [];
    earlierAnswers.set(list, earlier);
    const answer = async () => {
      const response = await backend.answer(url, init);
      if (backend.isUpdate(url)) earlier.push(response.clone());
      return response;
    };
    return fault === null ? answer() : fault(answer, { random, init, earlier });
  };

  let areFaultsOver = false;
  const storageFaults = { on: false };
  const stored = memoryStorage();
  const storage = faultyStorage(stored, random, storageFaults);
  const grace = 2 * DAY;
  const open = (timeout = TIMEOUT): Client =>
    createClient({
      protocol,
      server: SERVER,
      lists: backend.lists,
      storage,
      fetch: send,
      now,
      random,
      grace,
      timeout,
      maxResponseBytes: MOST_BYTES,
      // Nothing is started, so these are pauses between attempts and time-outs.
      timers: {
        after(milliseconds, callback) {
          const wait = areFaultsOver ? LONG : Math.min(milliseconds, TIMEOUT);
          const timer = setTimeout(callback, wait);
          return () => clearTimeout(timer);
        },
      },
      ...backend.options,
    });
  let client = open();

  /** The expressions of each list, as the client has it; `null` when it has none. */
  function kept(): (readonly string[] | null)[] {
    return client.status().lists.map(({ version, problem }, list) => {
      expect(version === null).toBe(problem !== null);
      if (version === null) return null;
      const expressions = published[list]!.get(version);
      expect(expressions, `list ${list} was never published like this`).toBeDefined();
      return expressions!;
    });
  }

  async function update(with_: Fault | null): Promise<void> {
    fault = with_;
    const before = kept();
    try {
      const { lists } = await client.update();
      if (with_ !== null) return;
      for (const { error } of lists)
        expect(error === null || error instanceof ClientError).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(ClientError);
      expect(client.status().lastError).toBe(error);
      expect(with_, `${error}`).not.toBeNull();
      // Without an answer, everything stays as it is.
      expect(kept()).toEqual(before);
    } finally {
      fault = null;
    }
  }

  async function check(with_: Fault | null): Promise<void> {
    const expression = pick(POOL);
    fault = with_;
    const lists = kept();
    const verdict = await client.check(`http://${expression}`);
    fault = null;
    const isLocal = lists.some((list) => list?.includes(expression));
    const isCurrent = current.some((list) => list.includes(expression));
    if (verdict.verdict === "safe") {
      expect(lists, "safe without all lists").not.toContain(null);
      const mayBeCached = found > 0 && everAbsent.has(expression);
      const isSafe = !isLocal || (with_ === null && !isCurrent) || mayBeCached;
      expect(isSafe, `${expression} is listed, and safe`).toBe(true);
    } else if (verdict.verdict === "unsafe") {
      expect(verdict.matches.map((match) => match.expression)).toEqual(
        expect.arrayContaining([expression]),
      );
    } else {
      expect(verdict.reason).not.toBeNull();
    }
    for (const text of POOL) if (!current.some((list) => list.includes(text))) everAbsent.add(text);
  }

  for (let step = 0; step < STEPS; step++) {
    const dice = random();
    storageFaults.on = chance(0.4);
    if (dice < 0.2) {
      const list = Math.floor(random() * LISTS);
      const own = chance(0.2) ? 0.3 : 0.05;
      const next = POOL.filter((text) => current[list]!.includes(text) !== chance(own));
      await setList(list, next);
    } else if (dice < 0.35) {
      // A publisher refuses to go on when its clock was set back.
      const back = protocol === "store" ? 0 : 0.3;
      clock.time += Math.floor((random() - back) * 3 * DAY);
    } else if (dice < 0.6) {
      await update(
        chance(0.35) ? null : pick([...Object.values(BREAKING), ...Object.values(LYING)]),
      );
    } else if (dice < 0.7) {
      client = open();
      await client.load();
    } else if (dice < 0.75) {
      const reason = new Error("enough");
      const aborted = client.update({ signal: AbortSignal.abort(reason) });
      await expect(aborted).rejects.toBe(reason);
    } else {
      await check(chance(0.6) ? null : pick(Object.values(BREAKING)));
    }
    kept();
  }

  areFaultsOver = true;
  storageFaults.on = false;
  for (let i = 0; i < 2; i++) {
    clock.time += DAY;
    await update(null);
  }
  const { lastError, storageError } = client.status();
  if (lastError !== null || storageError !== null) {
    // On a busy machine, everything can take longer than the time-out.
    await client.stop();
    client = open(LONG);
    await client.load();
    await update(null);
  }
  expect(kept().map((list) => [...(list ?? ["none"])].sort())).toEqual(
    current.map((list) => [...list].sort()),
  );
  const reopened = open(LONG);
  await reopened.load();
  const versions = (each: Client) => each.status().lists.map(({ version }) => version);
  // A storage that took too long for the last version has the one before, which the next update replaces.
  if (String(versions(reopened)) !== String(versions(client))) await reopened.update();
  for (const [name, each] of Object.entries({ client, reopened })) {
    for (const expression of POOL) {
      const isListed = current.some((list) => list.includes(expression));
      const { verdict, reason } = await each.check(`http://login.${expression}a`);
      const expected = isListed ? "unsafe" : "safe";
      expect([name, expression, verdict, reason]).toEqual([name, expression, expected, null]);
    }
  }
  await client.stop();
}

const FIRST_SEED = Number(process.env["SEED"] ?? 1);
const SEEDS = Number(process.env["SEEDS"] ?? (IS_DEEP ? 120 : 20));

describe.each(["v5", "v4", "web-risk", "store"] as const)("histories over %s", (protocol) => {
  test(`${SEEDS} histories with faults end at the right lists`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      try {
        await play(protocol, seed);
      } catch (error) {
        throw new Error(`SEED=${seed}, ${protocol}: ${(error as Error).message}`, { cause: error });
      }
    }
  });
});
