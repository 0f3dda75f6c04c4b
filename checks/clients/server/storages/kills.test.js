import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  collectGarbage,
  generateSigningKey,
  loadList,
  readEntry,
  readHistory,
  signerOf,
} from "../../../../packages/list-store/dist/index.js";
import { fullHash } from "../../../../packages/sha256-prefix/dist/index.js";
import { cephGateway, cephPrograms } from "../support/ceph.js";
import { storageOf } from "./kill-worker.js";

/*
 * Two publishers and a garbage collection are killed at random moments, again and again. Whatever they leave behind,
 * the log of the list has each version once, its history is complete, and the next garbage collection deletes the rest.
 * `KILL_ROUNDS` sets the number of rounds, each of which has three kills.
 */

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
const LIST = "malware";
const key = await generateSigningKey("test");
const publicKeys = [(await signerOf(key)).publicKey];
const WORKER = new URL("kill-worker.js", import.meta.url);

/** Starts a process, which waits until it is told to work. */
async function startWorker(store, task, seed) {
  const settings = JSON.stringify({ store, list: LIST, key, task, seed });
  const child = fork(WORKER, [settings], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let problem = "";
  child.stderr.on("data", (text) => {
    problem += text;
  });
  const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  const begun = await Promise.race([once(child, "message"), ended]);
  assert.ok(Array.isArray(begun), problem);
  /** Lets the process work, kills it when `until` is over, and returns the messages that it sent before. */
  return async (until) => {
    const sent = [];
    child.on("message", (message) => sent.push(message));
    child.send("go");
    await Promise.race([until(child), ended]);
    child.kill("SIGKILL");
    assert.equal(await ended, "SIGKILL", problem);
    return sent;
  };
}

/** Throws unless a store has the versions that publishers reported, and nothing is lost, double or left over. */
async function checkStore(storage, published) {
  const stored = { storage, list: LIST, publicKeys };
  const { entry } = await loadList(stored);
  const last = entry.manifest.version;
  const names = (await storage.list(`lists/${LIST}/v/`)).map(({ name }) => Number(name));
  assert.deepEqual(
    names,
    Array.from({ length: last }, (_, i) => i + 1),
  );
  assert.equal(new Set(published.map(({ version }) => version)).size, published.length);
  const hosts = Array.from({ length: 25 }, (_, i) => 40 * i);
  const hashes = hosts.map((host) => fullHash(`h${host}.test/`));
  const { begins, entries } = await readHistory(stored, hashes);
  assert.equal(begins.version, 1);
  for (const { version, hash, from } of published) {
    assert.equal((await readEntry(storage, LIST, version)).hash, hash);
    for (const [i, host] of hosts.entries()) {
      const change = entries[i].changes.findLast((each) => each.version <= version)?.change;
      assert.equal(change === "added", host >= from && host < from + 700);
    }
  }
  const collect = () =>
    collectGarbage({ ...stored, keep: 1, keepChanges: 0, grace: 0, patience: 0 });
  await collect();
  assert.deepEqual((await collect()).deleted, []);
  assert.deepEqual(await storage.list("tmp/"), []);
  assert.equal((await loadList(stored)).entry.hash, entry.hash);
}

/** Lets one process of each kind work until it has finished something, and measures how long that takes. */
async function timesOf(store, published) {
  const times = {};
  for (const task of ["publish", "collect"]) {
    const started = performance.now();
    const work = await startWorker(store, task, 0);
    const sent = await work((child) => once(child, "message"));
    times[task] = performance.now() - started;
    if (task === "publish") published.push(...sent);
  }
  return times;
}

async function killAgainAndAgain(store) {
  const storage = storageOf(store);
  const published = [];
  const times = await timesOf(store, published);
  const atRandom = (task) => () => sleep(Math.random() * 2 * times[task]);
  const random = () => Math.floor(Math.random() * 300);
  let collected = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second, collector] = await Promise.all([
      startWorker(store, "publish", random()),
      startWorker(store, "publish", random()),
      startWorker(store, "collect", 0),
    ]);
    const sent = await Promise.all([first(atRandom("publish")), second(atRandom("publish"))]);
    published.push(...sent.flat());
    collected += (await collector(atRandom("collect"))).length;
    // Publishers would wait some seconds for a garbage collection that was killed.
    for (const { name } of await storage.list("tmp/")) {
      if (name.startsWith("cleaner-")) await storage.delete(`tmp/${name}`);
    }
  }
  await checkStore(storage, published);
  return { published: published.length, collected };
}

describe("killed publishers and garbage collections", { timeout: 3_600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "kills-"));
  const ceph = cephPrograms();
  let gateway;
  before(async () => {
    if (ceph.skip === false) gateway = await cephGateway(ceph.paths);
  });
  after(async () => {
    await gateway?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("harm no store in a directory", async (t) => {
    t.diagnostic(JSON.stringify(await killAgainAndAgain({ directory: folder })));
  });

  test("harm no store on Ceph's gateway", { skip: ceph.skip }, async (t) => {
    const { endpoint, bucket, credentials } = gateway;
    const s3 = { endpoint, bucket, credentials, prefix: "kills" };
    t.diagnostic(JSON.stringify(await killAgainAndAgain({ s3 })));
  });
});
