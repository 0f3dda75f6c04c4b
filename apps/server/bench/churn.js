import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, get } from "node:http";
import {
  collectGarbage,
  generateSigningKey,
  loadList,
  memoryStorage,
  publish,
  signerOf,
} from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { NO_API_KEYS } from "../dist/serve/api-keys.js";
import { createLog } from "../dist/serve/log.js";
import { startServer } from "../dist/serve/server.js";
import { sha256 } from "../dist/storage/sha256.js";
import { randomHashes } from "./store.js";

const HASH_BYTES = 32;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** The defaults of the settings `keep`. */
const KEEP = { keep: 3, keepChanges: 200, grace: DAY };

/**
 * A static host with the files of a storage. It counts the bytes that it sends, with headers. TLS would add a few
 * percent.
 */
export async function countingHost(files) {
  let bytes = 0;
  const server = createServer(async (request, response) => {
    const { socket } = response;
    const before = socket.bytesWritten;
    response.once("finish", () => {
      bytes += socket.bytesWritten - before;
    });
    const file = await files.get(decodeURI(request.url.slice(1)));
    response.writeHead(file === null ? 404 : 200, { "Content-Length": file?.length ?? 0 });
    response.end(file ?? undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const storage = httpStorage(`http://127.0.0.1:${server.address().port}`);
  return {
    /** Updates a reader, or loads the whole list without a `state`, and counts the bytes. */
    async update(source, state = null) {
      const before = bytes;
      return { state: await loadList({ storage, ...source }, state), bytes: bytes - before };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Replaces some hashes, but none of the first `kept`, with new ones. */
export function replaceAnywhere(hashes, count, kept = 0) {
  const size = hashes.length / HASH_BYTES;
  const fresh = randomHashes(count);
  for (let i = 0; i < count; i++) {
    const at = randomInt(kept, size) * HASH_BYTES;
    hashes.set(fresh.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES), at);
  }
}

/** The length of all files of a storage, in bytes. */
async function storedBytes(storage, folder = "") {
  let bytes = 0;
  for (const { name, modified } of await storage.list(folder)) {
    const key = folder + name;
    bytes += modified === null ? await storedBytes(storage, key) : (await storage.get(key)).length;
  }
  return bytes;
}

/** Serves the list over v5. Each request comes from another client, and the bytes of answers include headers. */
async function serveUpdates(storage, publicKey) {
  const server = await startServer({
    ...{ storage, publicKeys: [publicKey], keys: NO_API_KEYS, seen: new Map(), seenFile: null },
    ...{ listen: { kind: "tcp", host: "127.0.0.1", port: 0 }, tls: null, behindProxy: true },
    ...{ hashMemory: Infinity, hashFolder: "", window: KEEP.keepChanges },
    ...{ wait: 30 * 60_000, cache: 5 * 60_000, poll: 20, log: createLog({ write() {} }) },
  });
  let clients = 0;
  const answerTo = async (query) => {
    const address = `10.0.${clients >> 8}.${clients++ & 255}`;
    const headers = { "X-Forwarded-For": address };
    const url = `${server.origin}/v5/hashLists:batchGet?names=mw-4b${query}`;
    const [response] = await once(get(url, { agent: false, headers }), "response");
    const body = Buffer.concat(await response.toArray());
    if (response.statusCode !== 200) throw new Error(body.toString());
    return { body, bytes: response.socket.bytesRead };
  };
  return {
    async update(version) {
      const { bytes } = await answerTo(`&version=${encodeURIComponent(version)}`);
      return bytes;
    },
    /** Waits until a version other than `old` is served, and returns what clients send to have it. */
    async versionAfter(old) {
      for (;;) {
        const { body } = await answerTo(`&alt=json&version=${encodeURIComponent(old)}`);
        const { version } = JSON.parse(body).hashLists[0];
        if (version !== old) return version;
      }
    },
    stop: () => server.stop(),
  };
}

/**
 * Publishes a version every hour, and collects garbage every day, as `publish --watch` does. After these days, a day
 * follows on which readers update every hour, or once.
 *
 * @returns the bytes that each reader downloads on that day, and those of the store before and after the first days.
 */
export async function churn({ size, share, days }) {
  const signer = await signerOf(await generateSigningKey("bench"));
  let time = Date.now() - (days + 1) * DAY;
  const now = () => time;
  const storage = memoryStorage(now);
  const stored = { storage, list: "malware", publicKeys: [signer.publicKey], now };
  const hashes = randomHashes(size);
  const publication = { ...stored, sha256, fullHashes: [hashes], signer, lifetime: 30 * DAY };
  await publish(publication);
  const firstVersion = await storedBytes(storage);
  /** The changes that the versions so far lack, as there may be fewer than one an hour. */
  let due = 0;
  async function nextHour() {
    time += HOUR;
    due += (size * share) / 24;
    replaceAnywhere(hashes, Math.floor(due));
    due %= 1;
    return (await publish(publication)).outcome === "changed";
  }
  for (let hour = 1; hour <= days * 24; hour++) {
    await nextHour();
    if (hour % 24 === 0) await collectGarbage({ ...stored, ...KEEP });
  }
  const lastVersion = await storedBytes(storage);

  const host = await countingHost(storage);
  const server = await serveUpdates(storage, signer.publicKey);
  const source = { list: "malware", publicKeys: stored.publicKeys, now };
  const readers = [];
  for (const prefixBytes of [4, 8]) {
    const whole = await host.update({ ...source, prefixBytes });
    readers.push({
      prefixBytes,
      whole: whole.bytes,
      first: whole.state,
      last: whole.state,
      hourly: 0,
    });
  }
  const first = await server.versionAfter("");
  let [last, hourly] = [first, 0];
  for (let hour = 0; hour < 24; hour++) {
    const isChanged = await nextHour();
    for (const reader of readers) {
      const { prefixBytes } = reader;
      const { state, bytes } = await host.update({ ...source, prefixBytes }, reader.last);
      Object.assign(reader, { last: state, hourly: reader.hourly + bytes });
    }
    const version = isChanged ? await server.versionAfter(last) : last;
    hourly += await server.update(last);
    last = version;
  }
  const ofStore = [];
  for (const { prefixBytes, whole, first: old, last: newest, hourly: bytes } of readers) {
    const once = await host.update({ ...source, prefixBytes }, old);
    if (once.state.prefixes.checksum !== newest.prefixes.checksum)
      throw new Error("the lists differ");
    ofStore.push({ whole, hourly: bytes, daily: once.bytes });
  }
  const ofServer = { whole: await server.update(""), hourly, daily: await server.update(first) };
  await server.stop();
  host.close();
  return { firstVersion, lastVersion, ofStore, ofServer };
}
