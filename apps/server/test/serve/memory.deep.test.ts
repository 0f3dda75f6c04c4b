import { memoryStorage as clientStorage } from "@x/client";
import { memoryStorage } from "@x/list-store";
import { watchMemory } from "@x/test-support/memory";
import { expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { NO_API_KEYS } from "../../src/serve/api-keys.ts";
import type { SiteOptions } from "../../src/serve/site.ts";
import { startLoggedServer } from "../support/logged-server.ts";
import { type Send, v4Client, v5Client, webRiskClient } from "../support/plain-client.ts";
import { eventually, otherServer, upstreamOf } from "../support/upstream.ts";

/*
 * A server must not keep what it has replaced. Each test replaces something a hundred times, and counts what is left.
 */

const TIMES = 100;
const signer = await newSigner();

const HOSTS = Array.from({ length: 300 }, (_, i) => `${i}.example/`);
/** The entries of a version. Each version removes one entry and adds one. */
const entriesOf = (version: number) => [...HOSTS.slice(version), `v${version}.example/`];

/** Returns a function that sends requests of all forms. */
function asker(origin: string) {
  const request = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(origin + target, init);
    const body = new Uint8Array(await response.arrayBuffer());
    if (response.status >= 500) throw new Error(Buffer.from(body).toString());
    return body;
  };
  const send: Send = (target, headers = {}) => request(target, { headers });
  const clients = [
    ...[v5Client(send, "mw-4b"), v5Client(send, "mw-8b"), v4Client(send, 1)],
    webRiskClient(send, "MALWARE", "RICE"),
  ];
  return async (host: string) => {
    for (const client of clients) expect(await client.update()).not.toBe("none");
    await send("/v5/hashList/mw-4b");
    await send("/v5/hashes:search?key=k&hashPrefixes=AAAAAA==");
    await send(`/v5/urls:search?key=k&urls=${host}`);
    await send(`/lookup/status?url=http://${host}`);
    await request("/lookup", {
      method: "POST",
      body: JSON.stringify({ urls: [`http://${host}`] }),
    });
    await request("/lookup", {
      method: "POST",
      headers: { "Content-Type": "text/plain" },
      body: `http://${host}\n`,
    });
    for (const page of ["/", "/blocked", "/metrics", "/readyz"]) await send(page);
  };
}

test("frees the versions of a list that are no longer served", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", entriesOf(0));
  const options = { longer: [8], poll: 1, hashGrace: 0 };
  const server = await startLoggedServer(storage, signer, options);
  const ask = asker(server.origin);
  const watched = watchMemory();
  for (let version = 1; version <= TIMES; version++) {
    await publish("malware", entriesOf(version));
    await eventually(() => {
      expect(server.lists.all()[0]!.loaded!.entry.manifest.version).toBe(version + 1);
    });
    await ask(`v${version}.example/`);
    const [list] = server.lists.all();
    for (const each of [list!, list!.loaded!, list!.longer![0]!.loaded!]) watched.add(each);
  }
  expect(await watched.left(3)).toBe(3);
  await server.stop();
});

test("frees the versions of another server's list", async () => {
  const other = await otherServer({ "mw-4b": entriesOf(0) });
  const upstreams = [upstreamOf(other, { maxRemoved: "100%" })];
  const server = await startLoggedServer(memoryStorage(), signer, { upstreams, poll: 1 });
  const watched = watchMemory();
  for (let version = 1; version <= TIMES; version++) {
    other.set("mw-4b", entriesOf(version));
    await server.updateUpstreams();
    const host = `http://v${version}.example/`;
    const status = async () => (await fetch(`${server.origin}/lookup/status?url=${host}`)).status;
    await eventually(async () => expect(await status()).toBe(403));
    const { loaded } = server.lists.all()[0]!;
    watched.add(loaded!);
    watched.add(loaded!.prefixes);
  }
  expect(await watched.left(2)).toBe(2);
  await server.stop();
  await other.stop();
});

test("frees the settings and lists that a reload has replaced", async () => {
  const other = await otherServer({ "mw-4b": ["a.example/"] });
  const saved = clientStorage();
  const storage = memoryStorage();
  await publisher(storage, signer)("uws", ["c.example/"]);
  const server = await startLoggedServer(storage, signer, { hashGrace: 0 });
  const watched = watchMemory();
  for (let i = 1; i <= TIMES; i++) {
    const upstream = { ...upstreamOf(other, { storage: saved }), settings: `other ${i >> 1}` };
    const settings: SiteOptions = {
      ...{ storage, publicKeys: [signer.publicKey], keys: NO_API_KEYS, upstreams: [upstream] },
      // Sometimes, the lists stay the same.
      ...{ window: 10 + (i >> 1), wait: 60_000, cache: 60_000 + i, poll: 60_000 },
    };
    await server.reload(settings);
    expect((await fetch(`${server.origin}/lookup/status?url=http://c.example/`)).status).toBe(403);
    watched.add(settings);
    for (const { loaded } of server.lists.all()) if (loaded !== null) watched.add(loaded);
  }
  const now = server.lists.all().filter(({ loaded }) => loaded !== null).length;
  expect(await watched.left(1 + now)).toBe(1 + now);
  await server.stop();
  await other.stop();
});
