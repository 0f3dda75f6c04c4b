import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import {
  loadList,
  parseEntry,
  readEntry,
  readNewest,
  readPrevious,
} from "../../../../packages/list-store/dist/index.js";
import { s3Storage } from "../../../../packages/list-store/dist/s3/index.js";
import { decodePrefixList, encodePrefixList } from "../../../../packages/prefix-list/dist/index.js";
import { background } from "../support/background.js";
import { settings, URLHASH_SERVER } from "../support/commands.js";
import { freePort } from "../support/free-port.js";
import { newFolder } from "../support/new-folder.js";
import { randomNumbers } from "../support/odd-urls.js";
import { waitFor } from "../support/wait-for.js";
import { faultProxy } from "./fault-proxy.js";

const SHIFTED_CLOCK = new URL("../support/shifted-clock.js", import.meta.url).href;
const LIST = "malware";
const SERVERS = 3;
const PUBLISHERS = 2;
const READERS = 10;
/** The number of times that each publisher publishes while faults occur. */
const ROUNDS = 3;
const MINUTE = 60_000;
/**
 * Clock errors in milliseconds. If a clock is wrong by more than a quarter of an hour, the gateway refuses its
 * requests.
 */
const SHIFTS = [
  0,
  0,
  0,
  5 * MINUTE,
  -5 * MINUTE,
  120 * MINUTE,
  -120 * MINUTE,
  60 * 24 * 60 * MINUTE,
];
/** Entries that every version has. */
const ALWAYS = Array.from({ length: 20 }, (_, i) => `always${i}.test`);

/**
 * Servers, publishers and readers of one list in a bucket. Requests to the gateway fail, processes are killed, and
 * clocks jump. Errors must be reported, and nobody may read entries that were not published. In the end, all servers
 * and readers must reach the newest version.
 */
export async function chaos({ gateway, seed }) {
  const random = randomNumbers(seed);
  const pick = (items) => items[Math.floor(random() * items.length)];
  const folder = newFolder("chaos");
  const proxy = await faultProxy(gateway.endpoint, randomNumbers(seed + 0x1000_0000));
  const { bucket, credentials } = gateway;
  const prefix = `chaos-${seed}-${process.pid}/lists`;
  const store = `s3://${bucket}/${prefix}`;
  const env = (endpoint) => ({
    ...process.env,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  const direct = s3Storage({ endpoint: gateway.endpoint, bucket, credentials, prefix });
  const counts = { published: 0, refused: 0, killed: 0, loads: 0, errors: {} };
  const running = new Set();
  let isOver = false;

  /** Starts a process with its own shifted clock. */
  function start(name, args, endpoint = proxy.origin) {
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    const clock = join(cwd, "clock");
    const setClock = (shift) => writeFileSync(clock, String(shift));
    setClock(0);
    const argv = ["--import", SHIFTED_CLOCK, URLHASH_SERVER, ...args];
    const options = {
      ...{ cwd, env: { ...env(endpoint), CLOCK_SHIFT: clock } },
      stdio: ["ignore", "ignore", "pipe"],
    };
    const program = background(process.execPath, argv, options);
    running.add(program);
    program.ended.then(() => running.delete(program));
    return { ...program, setClock };
  }

  /** The versions that readers have seen, with their hashes. */
  const seen = new Map();
  function see({ manifest, hash }) {
    const { version } = manifest;
    assert.equal(seen.get(version) ?? hash, hash, `two versions ${version} were read`);
    seen.set(version, hash);
    assert.ok(manifest.contents.prefixes >= ALWAYS.length, `version ${version} is too short`);
  }

  /** `shift` is for the clock that decides when versions expire, and `signingShift` for the one that dates requests. */
  const options = (number, shift, signingShift = 0) => ({
    storage: s3Storage({
      ...{ endpoint: proxy.origin, bucket, credentials, prefix },
      ...{ timeout: 1000, retries: number % 3, now: () => Date.now() + signingShift },
      pause: (milliseconds) => pause(milliseconds / 10),
    }),
    list: LIST,
    publicKeys: [readFileSync(join(folder, "first", "lists.pub"), "utf8").trim()],
    now: () => Date.now() + shift,
  });

  /** A reader that is killed now and then, and starts again with its last list, or with none. */
  function reader(number) {
    const random = randomNumbers(seed * READERS + number);
    let list = null;
    let highest = 0;
    const update = async (...shifts) => {
      const read = await loadList(options(number, ...shifts), list);
      assert.ok(read !== null, `reader ${number} finds no list`);
      see(read.entry);
      assert.equal(read.prefixes.checksum, read.entry.manifest.contents.checksum);
      const { version } = read.entry.manifest;
      if (list !== null)
        assert.ok(version >= highest, `reader ${number} is set back to ${version}`);
      [list, highest] = [read, version];
    };
    return {
      async run() {
        while (!isOver) {
          counts.loads++;
          const before = list;
          try {
            const shift = SHIFTS[Math.floor(random() * SHIFTS.length)];
            await update(shift, random() < 0.3 ? shift : 0);
          } catch (error) {
            if (error.name !== "StoreError") throw error;
            counts.errors[error.code] = (counts.errors[error.code] ?? 0) + 1;
            assert.equal(list, before);
          }
          const number = random();
          if (number < 0.1) list = null;
          else if (number < 0.2 && list !== null) {
            const { entry, prefixes } = list;
            const kept = await parseEntry(entry.note, LIST, entry.manifest.version);
            list = { entry: kept, prefixes: decodePrefixList(encodePrefixList(prefixes)) };
          }
          await pause(random() * 300);
        }
      },
      async end() {
        await update(0);
        return list;
      },
    };
  }

  /** A server that is killed now and then, and asked about the entries of every version. */
  function server(number) {
    const name = `server-${number}`;
    const publicKeys = join(folder, "first", "lists.pub");
    const common = { "public-keys": publicKeys, poll: "1s", "served-lists": LIST };
    let current = null;
    let port = 0;
    async function startNext(endpoint) {
      port = await freePort();
      const serve = ["serve", "--store", store, "--port", port];
      const seenFile = join(folder, name, "seen");
      mkdirSync(join(folder, name), { recursive: true });
      // Only the first start creates it.
      if (!existsSync(seenFile)) writeFileSync(seenFile, "{}");
      current = start(name, [...serve, ...settings({ ...common, seen: seenFile })], endpoint);
    }
    const ask = (host) =>
      fetch(`http://127.0.0.1:${port}/lookup/status?url=http://${host}/`, {
        signal: AbortSignal.timeout(5000),
      }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => null,
      );
    return {
      async run() {
        await startNext();
        while (!isOver) {
          await pause(random() * 800);
          const status = await ask(pick(ALWAYS));
          assert.notEqual(status, 200, `server ${number} does not find what is on the list`);
          const isGone = current.child.exitCode !== null || current.child.signalCode !== null;
          if (isGone || random() < 0.08) {
            if (!isGone) counts.killed++;
            await current.stop("SIGKILL");
            await startNext();
          } else if (random() < 0.2) current.setClock(pick(SHIFTS));
        }
      },
      async end(host) {
        current.setClock(0);
        await waitFor(`server ${number} to have the newest version`, async () => {
          if (current.child.exitCode !== null) await startNext();
          return (await ask(host)) === 403;
        });
        assert.equal(await current.stop(), 0);
      },
    };
  }

  const publish = (name, hosts, more = [], endpoint = proxy.origin) => {
    writeFileSync(
      join(folder, name, "hosts.txt"),
      `${hosts.map((host) => `http://${host}/`).join("\n")}\n`,
    );
    const args = [
      "--store",
      store,
      ...settings({ "max-removed": "100%" }),
      ...more,
      `${LIST}=hosts.txt`,
    ];
    return start(name, ["publish", ...args], endpoint);
  };

  async function publisher(number) {
    const name = number === 0 ? "first" : `publisher-${number}`;
    if (number > 0) cpSync(join(folder, "first"), join(folder, name), { recursive: true });
    for (let round = 0; round < ROUNDS; round++) {
      const own = Array.from(
        { length: Math.floor(random() * 700) },
        (_, i) => `${i}.${number}.${round}.test`,
      );
      const { child, ended, said, setClock } = publish(name, [...ALWAYS, ...own]);
      setClock(pick(SHIFTS));
      const isKilled = random() < 0.3;
      const timer = isKilled
        ? setTimeout(() => child.kill("SIGKILL"), 300 + random() * 1500)
        : null;
      const status = await ended;
      clearTimeout(timer);
      if (child.signalCode === "SIGKILL") counts.killed++;
      else if (status === 0) counts.published++;
      else {
        counts.refused++;
        assert.equal(status, 2, said());
        assert.match(said(), /^urlhash-server: /m);
      }
    }
  }

  try {
    const first = start("first", ["init", "--store", store], gateway.endpoint);
    assert.equal(await first.ended, 0, first.said());
    const begun = publish("first", ALWAYS, [], gateway.endpoint);
    assert.equal(await begun.ended, 0, begun.said());
    const readers = Array.from({ length: READERS }, (_, i) => reader(i));
    const servers = Array.from({ length: SERVERS }, (_, i) => server(i));
    const publishing = Promise.all(Array.from({ length: PUBLISHERS }, (_, i) => publisher(i)));
    const others = Promise.all([...readers, ...servers].map((each) => each.run()));
    try {
      await Promise.race([publishing, others]);
      await publishing;
    } finally {
      isOver = true;
      await others;
    }

    proxy.heal();
    const last = publish("first", [...ALWAYS, "last.test"], ["--trust-clock"]);
    assert.equal(await last.ended, 0, last.said());
    const { list, publicKeys } = options(0, 0);
    const newest = await readNewest({ storage: direct, list, publicKeys });
    for (const { entry, prefixes } of await Promise.all(readers.map((each) => each.end()))) {
      assert.equal(entry.hash, newest.hash);
      assert.equal(prefixes.checksum, newest.manifest.contents.checksum);
    }
    await Promise.all(servers.map((each) => each.end("last.test")));
    let entry = newest;
    while (entry.manifest.version > 1) {
      entry = await readPrevious(direct, entry);
      see(entry);
    }
    const versions = (await direct.list(`lists/${LIST}/v/`)).map(({ name }) => Number(name));
    assert.deepEqual(
      versions,
      Array.from({ length: newest.manifest.version }, (_, i) => i + 1),
    );
    for (const [version, hash] of seen) {
      assert.equal((await readEntry(direct, LIST, version)).hash, hash);
    }
    return { ...counts, versions: newest.manifest.version, faults: proxy.counts };
  } finally {
    isOver = true;
    for (const { child } of running) child.kill("SIGKILL");
    await proxy.close();
  }
}
