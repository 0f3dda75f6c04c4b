import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";
import { createClient } from "../../../packages/client/dist/index.js";
import { directoryStorage } from "../../../packages/client/dist/node/index.js";
import {
  generateSigningKey,
  memoryStorage,
  publish,
  signerOf,
} from "../../../packages/list-store/dist/index.js";
import { plainServer } from "../../support/plain-server.js";

/* The built client with the features of one version of Node.js: `fetch`, files, timers, WebAssembly and workers. */

const hashOf = (text) => createHash("sha256").update(text).digest();
const LISTED = Array.from({ length: 2000 }, (_, i) => `h${i}.test/`);
const hashes = LISTED.map((text) => hashOf(text).toString("hex"));
const prefixes = hashes.map((hash) => hash.slice(0, 8));
const URLS = [
  "http://h1.test/",
  "http://a.h1999.test/b?c",
  "http://h2000.test/",
  "http://ok.test/",
];

const malware = { threatType: "MALWARE", versions: [prefixes.slice(0, 1900)], fullHashes: hashes };
const plain = plainServer({
  lists: { "mw-4b": malware },
  waits: { update: 1_800_000, found: 300_000, notFound: 300_000 },
});
const store = memoryStorage();

/** Answers the requests of the protocols, and those for the files of the store. */
async function answer(request, response) {
  if (request.url.startsWith("/store/")) {
    const bytes = await store.get(request.url.slice("/store/".length));
    response.writeHead(bytes === null ? 404 : 200).end(bytes ?? "");
    return;
  }
  const { method, url } = request;
  const headers = new Headers(request.headers);
  const reply = plain.answer({ method, url, headers, body: await buffer(request) });
  response.writeHead(reply.status, reply.headers).end(reply.body);
}

let folder;
let server;
let origin;
let publicKeys;
let publishAll;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "client-"));
  server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  const signer = await signerOf(await generateSigningKey("lists.test"));
  publicKeys = [signer.publicKey];
  const lifetime = 86_400_000;
  const options = { storage: store, list: "malware", signer, publicKeys, lifetime, now: Date.now };
  const fullHashes = LISTED.map(hashOf);
  await publish({ ...options, fullHashes: fullHashes.slice(0, 1900) });
  publishAll = () => publish({ ...options, fullHashes });
});
after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function applyInWorker() {
  const worker = new Worker(new URL("./support/apply-worker.js", import.meta.url));
  return {
    apply: (job) =>
      new Promise((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
        worker.postMessage(job);
      }),
    end: () => worker.terminate(),
  };
}

async function verdictsOf(client) {
  const verdicts = [];
  for await (const { verdict } of client.checkMany(URLS)) verdicts.push(verdict);
  return verdicts;
}

const KINDS = {
  v5: "mw-4b",
  v4: "MALWARE",
  "web-risk": "MALWARE",
  store: "malware",
};

test(`the client runs in Node.js ${process.versions.node}`, async () => {
  const inWorker = applyInWorker();
  const open = (protocol) =>
    createClient({
      protocol,
      lists: [KINDS[protocol]],
      storage: directoryStorage(join(folder, protocol)),
      ...(protocol === "store" ? { server: `${origin}/store/`, publicKeys } : { server: origin }),
      ...(protocol === "v5" ? { apply: inWorker.apply } : {}),
    });
  try {
    for (const protocol of Object.keys(KINDS)) {
      const client = open(protocol);
      assert.equal((await client.update()).storageError, null);
      assert.deepEqual(await verdictsOf(client), ["unsafe", "safe", "safe", "safe"]);
      await client.stop();
    }
    malware.versions.push(prefixes);
    await publishAll();
    for (const protocol of Object.keys(KINDS)) {
      const client = open(protocol);
      assert.equal((await client.load()).lists[0].size, 1900);
      assert.equal(client.checkLocally("http://ok.test/").verdict, "safe");
      const [{ added, removed, size }] = (await client.update()).lists;
      assert.deepEqual({ added, removed, size }, { added: 100, removed: 0, size: 2000 });
      assert.deepEqual(await verdictsOf(client), ["unsafe", "unsafe", "safe", "safe"]);
      client.start();
      await client.stop();
      assert.equal(client.status().isStarted, false);
    }
  } finally {
    await inWorker.end();
  }
});
