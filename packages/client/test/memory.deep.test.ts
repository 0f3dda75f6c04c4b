import { generateSigningKey, memoryStorage as memoryStore, publish, signerOf } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { watchMemory } from "@x/test-support/memory";
import { expect, test } from "vitest";
import { type Client, createClient, memoryStorage } from "../src/index.ts";
import { setUp } from "./support/set-up.ts";

/* A client must not keep the lists that it has replaced. Each test replaces lists a hundred times. */

const VERSIONS = 100;
const HOSTS = Array.from({ length: 200 }, (_, i) => `${i}.example/`);
/** The entries of a version. Each version removes one entry and adds one. */
const entriesOf = (version: number) => [...HOSTS.slice(version), `v${version}.example/`];

/** Checks URLs in all ways, so that the client has to search. */
async function checkAll(client: Client, host: string): Promise<void> {
  expect(client.checkLocally(`http://${host}`).verdict).not.toBe("safe");
  expect((await client.check(`http://${host}`)).verdict).toBe("unsafe");
  const urls = [`http://${host}`, "http://good.example/"];
  for await (const { verdict } of client.checkMany(urls)) expect(verdict).not.toBe("unsure");
}

test("a client and one that follows its storage free the versions that are no longer used", async () => {
  // The reader is told to read after each update.
  const storage = { ...memoryStorage(), watch: () => () => {} };
  const { server, client, another } = setUp({ lists: ["mw-4b"], storage });
  const reader = another({ updates: "follow" });
  server.lists["mw-4b"] = { versions: [] };
  reader.start();
  const watched = watchMemory();
  for (let version = 1; version <= VERSIONS; version++) {
    server.lists["mw-4b"].versions.push(entriesOf(version));
    await client.update();
    await reader.load();
    for (const each of [client, reader]) {
      watched.add(each.list("mw-4b")!);
      await checkAll(each, `v${version}.example/`);
    }
  }
  expect(await watched.left(2)).toBe(2);
  await reader.stop();
});

test("a client of a store frees the versions that are no longer used", async () => {
  const store = memoryStore();
  const signer = await signerOf(await generateSigningKey("lists.example"));
  const client = createClient({
    protocol: "store",
    server: "https://lists.example/",
    publicKeys: [signer.publicKey],
    lists: ["malware"],
    fetch: async (input) => {
      const bytes = await store.get(new URL(String(input)).pathname.slice(1));
      return new Response(bytes && new Uint8Array(bytes), { status: bytes === null ? 404 : 200 });
    },
  });
  const list = { storage: store, list: "malware", signer, publicKeys: [signer.publicKey] };
  const watched = watchMemory();
  for (let version = 1; version <= VERSIONS; version++) {
    const fullHashes = entriesOf(version).map((text) => fullHash(text));
    await publish({ ...list, fullHashes, lifetime: 86_400_000 });
    await client.update();
    watched.add(client.list("malware")!);
    await checkAll(client, `v${version}.example/`);
  }
  expect(await watched.left(1)).toBe(1);
});
