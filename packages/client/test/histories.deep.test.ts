import {
  generateSigningKey,
  memoryStorage as memoryStore,
  publish,
  type Signer,
  signerOf,
} from "@x/list-store";
import { unlessAborted } from "@x/list-store/transport";
import { prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { type PlainList, plainServer } from "@x/test-support/plain-server";
import { sampleSize } from "@x/test-support/sample-size";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  ClientError,
  type ClientOptions,
  type ClientStorage,
  createClient,
  memoryStorage,
} from "../src/index.ts";
import { BREAKING, type Fault, LYING } from "./support/network-faults.ts";
import { startTurns, type Turns } from "./support/turns.ts";

/*
 * Random histories with faults of the network, the server, the storage and the clock. The program may be killed at any
 * moment. All the time, each list of the client is a published version or missing, a listed URL is never safe, and a
 * list that the client does not report as unstored is stored. When the faults are over, all lists and verdicts are
 * right again. The seed of a history decides the order of all events, so a failed history can be repeated.
 */

const START = 1_790_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SERVER = "https://lists.example";
const POOL = Array.from({ length: 24 }, (_, i) => `h${i}.example/`);
const LISTS = 2;
const STEPS = 14;

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
    // Every file of a store is verified, so searches may get wrong answers, too.
    isUpdate: () => true,
  };
}

/** A storage that fails, is full, is slow, or has lost half of a value. */
function faultyStorage(
  storage: ClientStorage,
  random: () => number,
  turns: Turns,
  faults: { on: boolean },
): ClientStorage {
  const fails = (chance: number) => faults.on && random() < chance;
  /**
   * Runs an operation at a random time, and ends at a later time. The operation runs even if the client has given up.
   */
  async function slowly<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = await turns.take(run);
    await turns.take(() => {});
    return result;
  }
  return {
    get: (name) =>
      slowly(async () => {
        if (fails(0.1)) throw new Error("EIO: the disk cannot be read");
        const bytes = await storage.get(name);
        if (bytes === null || !fails(0.15)) return bytes;
        if (random() < 0.5) return bytes.subarray(0, Math.floor(random() * bytes.length));
        const damaged = bytes.slice();
        damaged[Math.floor(random() * damaged.length)]! ^= 1 << Math.floor(random() * 8);
        return damaged;
      }),
    put: (name, bytes) =>
      slowly(async () => {
        if (fails(0.2)) throw new Error("ENOSPC: the disk is full");
        await storage.put(name, bytes);
        if (fails(0.05)) throw new Error("EIO: the directory cannot be written");
      }),
    delete: (name) =>
      slowly(async () => {
        if (fails(0.2)) throw new Error("EIO: the disk cannot be written");
        await storage.delete(name);
      }),
  };
}

const NETWORK_FAULTS: readonly Fault[] = Object.values(BREAKING);
const UPDATE_FAULTS: readonly Fault[] = [...NETWORK_FAULTS, ...Object.values(LYING)];

/** Plays one history. Returns a short record of its events. */
async function play(protocol: Protocol, seed: number): Promise<readonly string[]> {
  const random = randomNumbers(seed);
  const turns = startTurns(random);
  try {
    return await history(protocol, seed, random, turns);
  } finally {
    turns.end();
  }
}

async function history(
  protocol: Protocol,
  seed: number,
  random: () => number,
  turns: Turns,
): Promise<readonly string[]> {
  const { until } = turns;
  const chance = (probability: number) => random() < probability;
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const clock = { time: START };
  const now = () => clock.time;
  // In every other history, answers to searches must not be cached, so verdicts follow the server at once.
  const found = seed % 2 === 0 ? 0 : 5 * MINUTE;
  // In a store, the client chooses the length of prefixes. With long prefixes, the client sends no searches.
  const prefixBytes = protocol === "store" ? [4, 8, 32][seed % 3]! : 4;
  const names: Readonly<Record<Protocol, readonly string[]>> = {
    v5: ["mw-4b", "se-4b"],
    v4: ["MALWARE", "SOCIAL_ENGINEERING"],
    "web-risk": ["MALWARE", "SOCIAL_ENGINEERING"],
    store: [],
  };
  const backend =
    protocol === "store" ? storeBackend(now) : plainBackend(names[protocol], now, found);

  /** The published versions of each list, by checksum. */
  const published = backend.lists.map(() => new Map<string, readonly string[]>());
  /** The current expressions of each list. */
  const current: string[][] = backend.lists.map(() => []);
  const checksums: string[] = [];
  /** Expressions that were ever on no list, so that a cached answer may say that they are not listed. */
  const everAbsent = new Set<string>(POOL);
  const isCurrent = (expression: string) => current.some((list) => list.includes(expression));
  async function setList(list: number, expressions: string[]): Promise<void> {
    await until(backend.set(list, expressions));
    current[list] = expressions;
    const { checksum } = prefixList(
      expressions.map((text) => fullHash(text)),
      { prefixBytes },
    );
    checksums[list] = checksum;
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
  // Earlier answers are kept by list. An answer of Web Risk does not name its list, so the client could not recognize
  // one for another list.
  const earlierAnswers = new Map<string, Response[]>();
  const send: typeof fetch = (input, init = {}) => {
    const url = new URL(String(input));
    const list = url.searchParams.get("threatType") ?? "";
    const earlier = earlierAnswers.get(list) ?? [];
    earlierAnswers.set(list, earlier);
    const answer = async () => {
      const response = await backend.answer(url, init);
      if (backend.isUpdate(url)) earlier.push(response.clone());
      return response;
    };
    const pause = () => turns.take(() => {});
    const isLie = fault !== null && !NETWORK_FAULTS.includes(fault);
    // The client cannot recognize a false answer to a search.
    const own = fault === null || (isLie && !backend.isUpdate(url)) ? answer : fault;
    async function receive(): Promise<Response> {
      await pause();
      const response = await own(answer, { random, init, earlier, checksums, pause });
      await pause();
      return response;
    }
    return unlessAborted(receive(), init.signal ?? undefined);
  };

  const storageFaults = { on: false };
  const storedNames = new Set<string>();
  const memory = memoryStorage();
  const stored: ClientStorage = {
    ...memory,
    put(name, bytes) {
      storedNames.add(name);
      return memory.put(name, bytes);
    },
  };
  const slowStorage = faultyStorage(stored, random, turns, storageFaults);
  const open = (storage = slowStorage): Client =>
    createClient({
      protocol,
      server: SERVER,
      lists: backend.lists,
      storage,
      fetch: send,
      now,
      random,
      grace: 2 * DAY,
      ...(protocol === "store" && { store: { prefixBytes } }),
      ...backend.options,
    });
  let client = open();

  /** The expressions of each list, as the client has it; `null` when it has none. */
  function kept(): (readonly string[] | null)[] {
    return client.status().lists.map(({ version, problem }, list) => {
      const expressions = version === null ? null : published[list]!.get(version);
      if (expressions === undefined || (expressions === null) !== (problem !== null)) {
        throw new Error(`list ${list} was never published like this`);
      }
      return expressions;
    });
  }

  /** Checks that another client can read all lists that this client does not report as unstored. */
  async function checkStored(): Promise<void> {
    const { storageError, isUpdating, lists } = client.status();
    if (storageError !== null || isUpdating) return;
    const reader = open(stored);
    await until(reader.load());
    const read = reader.status().lists;
    for (const [i, { version }] of lists.entries()) {
      if (version !== null) expect(read[i]!.version, "an older list is stored").toBe(version);
    }
  }

  async function update(with_: Fault | null): Promise<void> {
    fault = with_;
    const before = kept();
    const mayFail = with_ !== null || turns.lateness > 0;
    try {
      const { lists } = await until(client.update());
      for (const { error } of lists)
        expect(error === null || error instanceof ClientError).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(ClientError);
      expect(client.status().lastError).toBe(error);
      expect(mayFail, `${error}`).toBe(true);
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
    const verdict = await until(client.check(`http://${expression}`));
    fault = null;
    const isLocal = lists.some((list) => list?.includes(expression));
    if (verdict.verdict === "safe") {
      expect(lists, "safe without all lists").not.toContain(null);
      const mayBeCached = found > 0 && everAbsent.has(expression);
      const hasAnswer = with_ === null || with_ === BREAKING["slow"];
      const isSafe = !isLocal || (hasAnswer && !isCurrent(expression)) || mayBeCached;
      expect(isSafe, `${expression} is listed, and safe`).toBe(true);
    } else if (verdict.verdict === "unsafe") {
      expect(verdict.matches.map((match) => match.expression)).toEqual(
        expect.arrayContaining([expression]),
      );
    } else {
      expect(verdict.reason).not.toBeNull();
    }
    for (const text of POOL) if (!isCurrent(text)) everAbsent.add(text);
  }

  /** Kills the program, whatever the client is doing, and starts it again. */
  async function restart(): Promise<void> {
    turns.forget();
    fault = null;
    if (chance(0.2) && storedNames.size > 0) {
      const name = pick([...storedNames]);
      const bytes = (await stored.get(name)) ?? new Uint8Array(0);
      await stored.put(name, bytes.slice(0, bytes.length / 2));
    }
    client = open();
    await until(client.load());
  }

  /** Stops the client, and opens another one. */
  async function reopen(): Promise<void> {
    await until(client.stop());
    // A write that was given up may still end.
    if (client.status().storageError !== null) turns.forget();
    client = open();
    await until(client.load());
  }

  /** Starts an update, a load and a check at the same time, and may interrupt them. */
  async function interrupt(): Promise<void> {
    fault = chance(0.5) ? null : pick(UPDATE_FAULTS);
    const expression = pick(POOL);
    const before = kept();
    const reason = new Error("enough");
    const controller = new AbortController();
    const { signal } = controller;
    const checking = client.check(`http://${expression}`);
    const calls = [client.update({ signal }), client.load({ signal }), checking];
    const ended = Promise.allSettled(calls);
    await turns.some(Math.floor(random() * 50));
    const how = pick(["abort", "stop", "kill", "wait"]);
    if (how === "kill") return restart();
    if (how === "abort") controller.abort(reason);
    if (how === "stop") await until(client.stop());
    for (const result of await until(ended)) {
      if (result.status === "fulfilled" || result.reason === reason) continue;
      expect(result.reason).toBeInstanceOf(ClientError);
    }
    fault = null;
    const { verdict } = await checking;
    const isListed = [before, kept(), current].every((lists) =>
      lists.some((list) => list?.includes(expression)),
    );
    const mayBeCached = found > 0 && everAbsent.has(expression);
    expect(verdict === "safe" && isListed && !mayBeCached, `${expression} is safe`).toBe(false);
  }

  function publishNext(): Promise<void> {
    const list = Math.floor(random() * LISTS);
    const own = chance(0.2) ? 0.3 : 0.05;
    const next = POOL.filter((text) => current[list]!.includes(text) !== chance(own));
    return setList(list, next);
  }

  async function setClock(): Promise<void> {
    // A publisher refuses to publish when its clock was set back.
    const back = protocol === "store" ? 0 : 0.3;
    clock.time += Math.floor((random() - back) * 3 * DAY);
  }

  /** Checks that an update for a caller that has given up does not begin. */
  async function giveUpBefore(): Promise<void> {
    const { requests, isUpdating } = client.status();
    const reason = new Error("enough");
    const aborted = client.update({ signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
    await turns.some(isUpdating ? 0 : 1);
    expect(client.status()).toMatchObject({ requests, isUpdating });
  }

  /** The possible events, each with the upper limit of its range of random numbers. */
  const kinds: readonly (readonly [name: string, below: number, () => Promise<void>])[] = [
    ["publish", 0.2, publishNext],
    ["set the clock", 0.32, setClock],
    ["update", 0.57, () => update(chance(0.35) ? null : pick(UPDATE_FAULTS))],
    ["interrupt", 0.67, interrupt],
    ["reopen", 0.73, reopen],
    ["restart", 0.77, restart],
    ["give up before", 0.82, giveUpBefore],
    ["check", 1, () => check(chance(0.6) ? null : pick(NETWORK_FAULTS))],
  ];
  const log: string[] = [];
  for (let step = 0; step < STEPS; step++) {
    storageFaults.on = chance(0.4);
    turns.lateness = chance(0.3) ? 0.1 : 0;
    const dice = random();
    const [name, , run] = kinds.find(([, below]) => dice < below)!;
    await run();
    kept();
    await checkStored();
    log.push(`${name} ${JSON.stringify(client.status())}`);
  }

  storageFaults.on = false;
  turns.lateness = 0;
  for (let i = 0; i < 2; i++) {
    clock.time += HOUR;
    await update(null);
  }
  expect(client.status()).toMatchObject({ lastError: null, storageError: null });
  expect(kept().map((list) => [...(list ?? ["none"])].sort())).toEqual(
    current.map((list) => [...list].sort()),
  );
  const reopened = open();
  await until(reopened.load());
  const facts = ({ status }: Client) => [status().lists, status().nextUpdate];
  expect(facts(reopened)).toEqual(facts(client));
  for (const each of [client, reopened]) {
    const verdicts: string[] = [];
    for (const expression of POOL) {
      const { verdict, reason } = await until(each.check(`http://login.${expression}a`));
      verdicts.push(reason ?? verdict);
    }
    expect(verdicts).toEqual(POOL.map((text) => (isCurrent(text) ? "unsafe" : "safe")));
  }
  await until(client.stop());
  return log;
}

// `SEEDS=1000 npx vitest run --mode deep test/histories.deep.test.ts` plays a thousand histories. SEED is the seed of
// the first one.
const FIRST_SEED = Number(process.env["SEED"] ?? 1);
const SEEDS = Number(process.env["SEEDS"] ?? sampleSize(120, 5));

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

  test("a seed plays the same history each time", async () => {
    expect(await play(protocol, FIRST_SEED)).toEqual(await play(protocol, FIRST_SEED));
  });
});
