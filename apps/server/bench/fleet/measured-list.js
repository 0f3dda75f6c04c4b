import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createAnswering } from "../../dist/serve/answering.js";
import { createApi } from "../../dist/serve/api.js";
import { NO_API_KEYS } from "../../dist/serve/api-keys.js";
import { wholeBody } from "../../dist/serve/http/large-answer.js";
import { fullHashFinder } from "../../dist/serve/lists/find-full-hashes.js";
import { localHashes } from "../../dist/serve/lists/local-hashes.js";
import { storedLists } from "../../dist/serve/lists/stored-lists.js";
import { createCallRunner } from "../../dist/serve/protocols/run-calls.js";
import { METHODS } from "../../dist/serve/routes.js";
import { formatToken } from "../../dist/serve/updates/update-token.js";
import { randomHashes, temporaryStore } from "../store.js";

const HASH_BYTES = 32;
const LIST = "malware";

/** How many of `size` entries differ after `age` versions, each of which replaces a `share` of them at random. */
export const changedAfter = (size, share, age) => size * (1 - Math.exp(-share * age));

/** The target of a request for an update as Firefox sends it. `token` is empty for a new client. */
export const updateTarget = (token) =>
  `/v5/hashLists:batchGet?key=k&names=mw-4b&version=${encodeURIComponent(Buffer.from(token, "latin1").toString("base64"))}`;

/** The API of a server without its sockets, as `startServer` puts it together. */
async function handlersOf(storage, publicKeys) {
  const updates = [];
  const onLoaded = () => {};
  const hashes = localHashes({ memory: Infinity, folder: "" });
  const options = { storage, publicKeys, hashes, window: Infinity, seen: new Map(), onLoaded };
  const lists = storedLists(options);
  const answering = createAnswering({
    ...{ lists, keys: NO_API_KEYS, wait: 1_800_000, cache: 300_000, now: Date.now },
    findFullHashes: fullHashFinder(hashes),
  });
  const calls = createCallRunner(answering, (facts) => updates.push(...facts.updates));
  const api = createApi(answering, calls, METHODS);
  await lists.refresh();
  let clients = 0;
  return async (target, headers = {}) => {
    // Each request comes from another client, because the server assumes that a client that repeats a request has
    // failed.
    const client = `client ${clients++}`;
    const reply = await api.answer({
      ...{ method: "GET", target, client: () => client, network: () => client },
      headers: { get: (name) => headers[name] ?? null },
    });
    const body = "large" in reply ? wholeBody(reply.large) : reply.body;
    return { status: reply.status, headers: reply.headers, body, update: updates.pop() };
  };
}

function filesIn(folder) {
  let [files, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files++;
    bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return { files, bytes };
}

/** Runs a task, and returns its result, its processor time and its duration, both in seconds. */
async function timed(task) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const result = await task();
  const { user, system } = process.cpuUsage(before);
  return { result, processor: (user + system) / 1e6, seconds: (performance.now() - start) / 1000 };
}

/**
 * Publishes a list of random entries to a directory, in one version for each of `ages`. A version differs from the
 * newest one in as many entries as if it were that many versions behind and each version had replaced a `share` of the
 * entries. Then real handlers answer a client of each version and a new client.
 */
export async function measureList({ size, share, ages }) {
  const store = await temporaryStore();
  const hashes = randomHashes(size);
  const descending = [...ages].sort((a, b) => b - a);
  const tokens = new Map();
  const tokenOf = ({ manifest }) => formatToken(LIST, 4, manifest.contents, null);
  let published = await store.publish(hashes);
  let replaced = 0;
  let publishing;
  for (const [i, age] of descending.entries()) {
    tokens.set(age, tokenOf(published));
    const next = descending[i + 1] ?? 0;
    const count = Math.max(
      1,
      Math.round(changedAfter(size, share, age) - changedAfter(size, share, next)),
    );
    // The entries are in random order, so a run of consecutive entries is as good as a random choice.
    hashes.set(randomHashes(count), replaced * HASH_BYTES);
    replaced += count;
    const before = filesIn(store.store);
    const { result, ...time } = await timed(() => store.publish(hashes));
    const after = filesIn(store.store);
    published = result;
    publishing = {
      ...time,
      changed: count,
      files: after.files - before.files,
      bytes: after.bytes - before.bytes,
    };
  }

  const { result: ask, ...loading } = await timed(() =>
    handlersOf(store.storage, [store.publicKey]),
  );
  const answers = new Map();
  async function answer(name, token, kind) {
    const target = updateTarget(token);
    const first = await timed(() => ask(target));
    const { status, body, headers, update } = first.result;
    if (status !== 200 || update?.kind !== kind) {
      throw new Error(`${name}: ${status}, ${update?.kind} (${update?.reason}) instead of ${kind}`);
    }
    const again = await ask(target);
    if (!Buffer.from(again.body).equals(body))
      throw new Error(`${name}: the cache has other bytes`);
    const checked = await ask(target, { "if-none-match": headers.ETag });
    if (checked.status !== 304) throw new Error(`${name}: ${checked.status} instead of 304`);
    const cacheControl = headers["Cache-Control"];
    answers.set(name, { target, body, cacheControl, made: first.processor });
  }
  await answer("new", "", "full");
  await answer("none", tokenOf(published), "none");
  for (const age of ages) await answer(age, tokens.get(age), "partial");
  return { store, size, share, ages, answers, publishing, loading };
}

/** Interpolates between the measured points, linearly between the logarithms of age and value. */
export function between(points) {
  const known = [...points].sort(([a], [b]) => a - b).map((each) => each.map(Math.log));
  return (age) => {
    const x = Math.log(age);
    let i = 1;
    while (i < known.length - 1 && known[i][0] < x) i++;
    const [[x0, y0], [x1, y1]] = [known[i - 1], known[i]];
    return Math.exp(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0));
  };
}
