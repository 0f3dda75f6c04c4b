import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { exactExpression } from "@x/expressions";
import {
  collectGarbage,
  generateSigningKey,
  loadList,
  memoryStorage,
  publish,
  signerOf,
} from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { diffPrefixLists } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { applyUpdate, readResponse, writeRequest } from "@x/wire";
import { batchGetHashLists, fromHashList } from "@x/wire/v5";
import { NO_API_KEYS } from "../../dist/serve/api-keys.js";
import { createLog } from "../../dist/serve/log.js";
import { startServer } from "../../dist/serve/server.js";
import { countedServer, staticHost } from "./counted-server.js";
import { hourlyVersions } from "./hosts.js";
import { fewestBytes } from "./minimum.js";
import { newTotals, totalsOf, updateAll } from "./readers.js";

const LIST = "malware";
const LIST_V5 = "mw-4b";
const HASH_BYTES = 32;
/** The defaults of `urlhash-server` for `--keep` and `--window`, in versions. */
const KEEP = 3;
const WINDOW = 200;
const HOUR = 60 * 60 * 1000;

const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Returns a function that concatenates the full hashes of hosts. It reuses the hashes of the previous version. */
export function hashing() {
  let known = new Map();
  return (hosts) => {
    known = new Map(
      hosts.map((host) => [host, known.get(host) ?? fullHash(exactExpression(`http://${host}/`))]),
    );
    const bytes = new Uint8Array(hosts.length * HASH_BYTES);
    let at = 0;
    for (const hash of known.values()) {
      bytes.set(hash, at);
      at += HASH_BYTES;
    }
    return bytes;
  };
}

/** The 4-byte prefixes of hosts. Every reader must end up with the same ones. */
export function prefixesOf(hosts) {
  return hosts.map((host) =>
    Buffer.from(fullHash(exactExpression(`http://${host}/`)).subarray(0, 4)),
  );
}

/** Reads a list over v5, as browsers do. */
function v5Reader(origin) {
  return async (state) => {
    const message = { names: [LIST_V5], version: state === undefined ? [] : [state.token] };
    const { target } = writeRequest(batchGetHashLists, message, { format: "protobuf" });
    const response = await fetch(origin + target);
    if (!response.ok) throw new Error(`${response.status} for ${target}`);
    const body = new Uint8Array(await response.arrayBuffer());
    const type = response.headers.get("Content-Type");
    const [list] = readResponse(batchGetHashLists, body, type).hashLists;
    const prefixes = applyUpdate(state?.prefixes ?? null, fromHashList(list));
    return { token: list.version, prefixes };
  };
}

/**
 * Measures a store that `loadList` reads from a static host, and `urlhash-server` serves over v5. Also computes the
 * fewest bytes that could describe the same changes.
 */
export async function measureStore(scenario) {
  const { intervals } = scenario;
  const signer = await signerOf(await generateSigningKey("bench"));
  const publicKeys = [signer.publicKey];
  const storage = memoryStorage();
  const hashesOf = hashing();
  const publishHosts = (hosts) =>
    publish({
      ...{ storage, list: LIST, fullHashes: [hashesOf(hosts)], signer, publicKeys },
      lifetime: 30 * 24 * HOUR,
    });

  const host = await staticHost((key) => storage.get(key), { isCompressed: false });
  const stored = { storage: httpStorage(host.origin), list: LIST, publicKeys, sha256 };
  const update = (state) => loadList(stored, state ?? null);
  let server;
  let v5;
  let ask;
  const readers = { static: newTotals(intervals), v5: newTotals(intervals) };
  const fewest = newTotals(intervals);

  let hour = 0;
  for (const hosts of hourlyVersions(scenario)) {
    const { hash } = await publishHosts(hosts);
    if (hour === 0) {
      server = await startServer({
        ...{ storage, publicKeys, keys: NO_API_KEYS, seen: new Map(), seenFile: null },
        listen: { kind: "tcp", host: "127.0.0.1", port: 0 },
        ...{ tls: null, window: WINDOW, hashMemory: Infinity, hashFolder: "" },
        ...{ wait: HOUR / 2, cache: HOUR / 12, poll: 5, behindProxy: false },
        log: createLog({ write() {} }),
      });
      v5 = await countedServer(Number(new URL(server.origin).port));
      ask = v5Reader(v5.origin);
      for (const reader of readers.static) reader.state = await update();
      for (const reader of readers.v5) reader.state = await ask();
      for (const reader of fewest) reader.state = readers.v5[0].state.prefixes;
    } else {
      // Garbage is collected before the last hour, in which the readers that are far behind update.
      if (hour === scenario.hours) {
        await collectGarbage({ storage, publicKeys, keep: KEEP, keepChanges: WINDOW, grace: 0 });
      }
      while (server.lists.all()[0].loaded.entry.hash !== hash) await nextTurn();
      await nextTurn();
      await updateAll(readers.static, hour, host.count, update);
      await updateAll(readers.v5, hour, v5.count, ask);
      const { prefixes } = readers.v5[0].state;
      await updateAll(
        fewest,
        hour,
        async (read) => read(),
        (before) => {
          const { removals, additions } = diffPrefixLists(before, prefixes);
          const added = additions.reduce((sum, { rawHashes }) => sum + rawHashes.length / 4, 0);
          const changed = { before: before.size, removed: removals.length, added };
          return { result: prefixes, bytes: fewestBytes(changed) };
        },
      );
    }
    hour++;
  }

  const finish = async (name, { count }, again) => {
    const totals = totalsOf(readers[name]);
    const idle = await count(() => again(readers[name][0].state));
    const first = await count(() => again());
    const lists = readers[name].map(({ state }) => state.prefixes);
    return {
      totals,
      idle: { bytes: idle.bytes, requests: idle.requests ?? 1 },
      whole: first.bytes,
      checksums: lists.map(({ checksum }) => checksum),
    };
  };
  const results = {
    static: await finish("static", host, update),
    v5: await finish("v5", v5, ask),
    fewest: { totals: totalsOf(fewest) },
  };
  host.close();
  v5.close();
  await server.stop();
  return results;
}
