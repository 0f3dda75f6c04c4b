import {
  generateSigningKey,
  memoryStorage as memoryStore,
  publish,
  type Signer,
  type Storage,
  signerOf,
  upgradeList,
} from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { fullHash } from "@x/sha256-prefix";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import old from "../../list-store/test/vectors/store-of-format-2.json" with { type: "json" };
import {
  type ClientOptions,
  type ClientStorage,
  createClient,
  memoryStorage,
} from "../src/index.ts";
import { decodeList, encodeList } from "../src/lists/stored-form.ts";
import { throughRelay } from "../src/ohttp/index.ts";

/* A client remembers which versions of the lists in a store it has seen, and who may sign the next versions. */

const DAY = 86_400_000;
const START = 1_700_000_000_000;
const LIST = "list-malware";

let time: number;
let store: Storage;
let signer: Signer;
let first: Signer;
let storage: ClientStorage;

beforeEach(async () => {
  time = START;
  store = newStore();
  first = await signerOf(await generateSigningKey("lists.example"));
  signer = first;
  storage = memoryStorage();
  await version("evil.example/");
});

const newStore = () => memoryStore(() => time);

const version = (text: string, ...next: Signer[]) =>
  publish({
    storage: store,
    list: "malware",
    signer,
    publicKeys: [signer, ...next].map(({ publicKey }) => publicKey),
    fullHashes: [fullHash(text)],
    lifetime: DAY,
    now: () => time,
  });

const open = (options: Partial<ClientOptions> = {}) =>
  createClient({
    protocol: "store",
    server: "https://lists.example/store",
    publicKeys: [first.publicKey],
    lists: ["malware"],
    storage,
    now: () => time,
    fetch: async (input) => {
      const bytes = await store.get(String(input).replace("https://lists.example/store/", ""));
      return new Response(bytes && new Uint8Array(bytes), { status: bytes === null ? 404 : 200 });
    },
    ...options,
  });

async function openLoaded(options: Partial<ClientOptions> = {}) {
  const client = open(options);
  await client.load();
  return client;
}

const versionOf = (client: ReturnType<typeof open>) =>
  client.status().lists[0]!.manifest?.version ?? null;

async function damage(name: string): Promise<void> {
  const bytes = (await storage.get(name))!;
  await storage.put(name, bytes.subarray(0, bytes.length >> 1));
}

const update = async (client: ReturnType<typeof open>) =>
  client.update().then(
    () => "updated",
    (error) => error.cause?.code ?? error.code,
  );

test("the status says what the publisher has signed", async () => {
  const client = open();
  expect(client.status().lists[0]!.manifest).toBeNull();
  await client.update();
  const expected = { list: "malware", version: 1, issued: START, expires: START + DAY };
  expect(client.status().lists[0]!.manifest).toMatchObject(expected);
  expect((await openLoaded()).status().lists[0]!.manifest).toMatchObject(expected);
});

test.each([
  ["the list", [LIST]],
  ["the state", ["state"]],
  ["nothing", []],
])("no older and no other version follows when %s is damaged", async (_, damaged) => {
  await version("bad.example/");
  await open().update();
  for (const name of damaged) await damage(name);

  const good = store;
  store = newStore();
  await version("other.example/");
  expect(await update(await openLoaded())).toBe("rolled-back");
  await version("another.example/");
  expect(await update(await openLoaded())).toBe("forked");
  await version("last.example/");
  expect(await update(await openLoaded())).toBe("forked");

  store = good;
  await version("new.example/");
  const client = await openLoaded();
  expect(await update(client)).toBe("updated");
  expect(versionOf(client)).toBe(3);
  expect(client.checkLocally("http://new.example/").local).toBe("listed");
});

test("a state that cannot be read is not replaced, because it knows versions of other lists", async () => {
  await version("bad.example/");
  await open().update();
  const before = await storage.get("state");
  const unreadable: ClientStorage = {
    ...storage,
    get: async (name) => {
      if (name === "state") throw new Error("permission denied");
      return storage.get(name);
    },
  };
  const { storageError } = await open({ lists: ["other"], storage: unreadable }).update();
  expect(storageError).toMatchObject({ code: "storage-failed" });
  expect(await storage.get("state")).toEqual(before);

  await damage(LIST);
  store = newStore();
  await version("other.example/");
  expect(await update(await openLoaded())).toBe("rolled-back");
});

test("a client that lost its list follows the publisher to other keys", async () => {
  await open().update();
  const next = await signerOf(await generateSigningKey("next.example"));
  await version("a.example/", next);
  signer = next;
  await version("b.example/", first);
  await version("c.example/");
  await open().update();
  await version("d.example/");
  await damage(LIST);
  const client = await openLoaded();
  expect(client.list("malware")).toBeNull();
  expect(client.status().lists[0]!.manifest?.nextSigners).toEqual([next.publicKey]);
  expect(await update(client)).toBe("updated");
  expect(versionOf(client)).toBe(5);
  // Without a record of earlier versions, the client trusts only the keys that it was given.
  storage = memoryStorage();
  expect(await update(open())).toBe("wrongly-signed");
});

test("a slow process does not replace the list of a faster one by an older version", async () => {
  const slow = open({
    updates: {
      async onNewList() {
        if (versionOf(slow) !== null) return;
        await version("new.example/");
        await open().update();
      },
    },
  });
  await slow.update();
  expect(versionOf(slow)).toBe(1);
  expect(versionOf(await openLoaded())).toBe(2);

  const good = store;
  store = newStore();
  await version("other.example/");
  expect(await update(slow)).toBe("rolled-back");
  store = good;
  expect(await update(slow)).toBe("updated");
  expect(versionOf(slow)).toBe(2);
});

test.each([
  [4, 1],
  [8, 2],
])(
  "a list that could not be stored is behind, although its prefixes may be the same: %d bytes",
  async (prefixBytes, size) => {
    const [one, other] = [1, 2].map((last) => {
      const hash = fullHash("evil.example/");
      hash[7]! ^= last;
      return hash;
    }) as [Uint8Array, Uint8Array];
    const release = (fullHashes: readonly Uint8Array[]) =>
      publish({
        ...{ storage: store, list: "malware", signer, publicKeys: [signer.publicKey], fullHashes },
        ...{ lifetime: DAY, now: () => time },
      });
    const kept = { store: { prefixBytes } };
    await release([one]);
    await open(kept).update();
    await release([one, other]);
    const full: ClientStorage = {
      ...storage,
      put: async (name, ...rest) => {
        if (name === LIST) throw new Error("The disk is full");
        await storage.put(name, ...rest);
      },
    };
    time += 1000;
    const { storageError } = await open({ ...kept, storage: full }).update();
    expect(storageError).not.toBeNull();
    const client = await openLoaded(kept);
    const status = () => client.status().lists[0];
    expect(status()).toMatchObject({ manifest: { version: 2 }, size: 1, checkedAt: START });
    await client.update();
    expect(status()).toMatchObject({ manifest: { version: 3 }, size, checkedAt: time });
  },
);

test("entries of lists that a client does not have stay in the storage", async () => {
  const phishing = { storage: store, list: "phishing", signer, publicKeys: [signer.publicKey] };
  await publish({ ...phishing, fullHashes: [], lifetime: DAY, now: () => time });
  const lists = ["malware", "phishing"];
  await open({ lists }).update();
  await open().update();
  await damage("list-phishing");
  const client = await openLoaded({ lists });
  expect(client.status().lists.map(({ size, manifest }) => [size, manifest?.version])).toEqual([
    [1, 1],
    [0, 1],
  ]);
  expect(client.list("phishing")).toBeNull();
});

test("whatever is damaged in the state, the list is loaded, and can be updated", {
  tags: "deep",
}, async () => {
  await open().update();
  const whole = (await storage.get("state"))!;
  await version("bad.example/");
  const place = fc.record({ at: fc.nat(whole.length - 1), by: fc.integer({ min: 1, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(place, fc.boolean(), async ({ at, by }, hasList) => {
      const list = (await storage.get(LIST))!;
      const mine = memoryStorage();
      await mine.put("state", whole.with(at, whole[at]! ^ by));
      if (hasList) await mine.put(LIST, list);
      const client = await openLoaded({ storage: mine });
      expect(client.list("malware") !== null).toBe(hasList);
      expect(await update(client)).toBe("updated");
      expect(versionOf(client)).toBe(2);
    }),
    { numRuns: 60 },
  );
});

test("an expired version is refused, unless the program allows it", async () => {
  time += 2 * DAY;
  expect(await update(open())).toBe("expired");
  const client = open({ store: { allowsExpired: true } });
  expect(await update(client)).toBe("updated");
  expect(client.status().lists[0]!.manifest?.expires).toBe(START + DAY);
  expect(await update(await openLoaded())).toBe("expired");
});

test("a store may be anywhere", async () => {
  const server = "s3://bucket/lists/";
  const options = { server, store: { open: () => store } };
  const client = open(options);
  await client.update();
  expect(client.list("malware")?.size).toBe(1);
  expect((await openLoaded(options)).list("malware")?.size).toBe(1);
  expect((await openLoaded()).list("malware")).toBeNull();
  expect(() => open({ server })).toThrow("must begin with https:// or http://");
});

test("a store that is opened has the requests of the client", async () => {
  const asked: string[] = [];
  const client = open({
    onRequest: ({ host }) => void asked.push(host),
    store: { open: async (options) => httpStorage("https://lists.example/store/", options) },
  });
  await client.update();
  expect(asked.length).toBe(client.status().requests.updates);
  expect(new Set(asked)).toEqual(new Set(["lists.example"]));
});

test("a store that cannot be opened is an error of the client", async () => {
  const { StoreError } = await import("@x/list-store");
  const client = open({
    store: {
      open: () => {
        throw new StoreError("refused", "The key is missing");
      },
    },
  });
  await expect(client.update()).rejects.toMatchObject({
    name: "ClientError",
    code: "server-refused",
    message: "The key is missing",
  });
});

test.each([{ store: { allowsExpired: false } }, { publicKeys: [] }])(
  "%o is for stores only",
  (options) => {
    expect(() =>
      createClient({ protocol: "v5", server: "https://a.example", lists: ["mw-4b"], ...options }),
    ).toThrow("publicKeys and store are for stores, not for the protocol v5");
  },
);

test("the options of stores are checked", () => {
  expect(() => open({ store: { allowsExpired: "no" as never } })).toThrow(TypeError);
  expect(() => open({ store: { open: "s3" as never } })).toThrow(TypeError);
  expect(() => open({ store: null as never })).toThrow(TypeError);
  const ohttp = throughRelay({ relay: "https://relay.example", gateway: "https://keys.example" });
  expect(() => open({ ohttp })).toThrow("ohttp is for servers with a gateway, not for stores");
});

test("a list that was kept from a store of format 2 is read again as a whole", async () => {
  time = Date.parse(old.time);
  store = newStore();
  for (const [key, file] of Object.entries(old.files)) {
    await store.create(key, Buffer.from(file, "base64"));
  }
  const signers = await Promise.all(old.signingKeys.map((key) => signerOf(key)));
  const publicKeys = signers.map(({ publicKey }) => publicKey);
  const note = (await store.get("lists/malware/v/000000000004"))!;
  const renewal = { storage: store, list: "malware", publicKeys, lifetime: DAY, now: () => time };
  await upgradeList({ ...renewal, signer: signers[1]! });
  await open({ publicKeys }).update();
  const kept = await decodeList((await storage.get(LIST))!);
  const token = new Uint8Array([...new TextEncoder().encode("4\n"), ...note]);
  const keepOld = async () => {
    await storage.put(LIST, await encodeList({ ...kept, token }, kept.list));
    await storage.delete("state");
  };
  await keepOld();

  const client = await openLoaded({ publicKeys });
  const { problem, error } = client.status().lists[0]!;
  expect([problem, error!.code, error!.message]).toEqual([
    "list-damaged",
    "list-damaged",
    "The stored list malware is from an earlier release, so the next update reads the whole list",
  ]);
  expect(client.checkLocally("http://h4.example/").verdict).toBe("unsure");
  expect(await update(client)).toBe("updated");
  expect(client.status().lists[0]).toMatchObject({ error: null, manifest: { version: 5 } });
  expect(await client.check("http://h4.example/")).toMatchObject({ verdict: "unsafe" });
  const next = await openLoaded({ publicKeys });
  expect(next.status().lists[0]).toMatchObject({ error: null, manifest: { version: 5 } });
  // The keys in the old version are not read, so a client needs a current one.
  await keepOld();
  const outdated = await openLoaded({ publicKeys: publicKeys.slice(0, 1) });
  expect(await update(outdated)).toBe("wrongly-signed");
});
