import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadList, memoryStorage, type Storage } from "@x/list-store";
import { openList } from "@x/list-store/serving";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { objectKey } from "../../../../packages/list-store/src/storage.ts";
import {
  DAY,
  newSigner,
  publisher,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import type { Reply } from "../../src/serve/http/reply.ts";
import { readyReply } from "../../src/serve/operator-routes.ts";
import type { RunningServer } from "../../src/serve/server.ts";
import { type Aside, AT_ONCE } from "../../src/serve/worker-thread/run-job.ts";
import { readSeen } from "../../src/storage/seen-versions.ts";
import { startLoggedServer } from "../support/logged-server.ts";
import { v4Client, v5Client, webRiskClient } from "../support/plain-client.ts";
import { testServer } from "../support/serving.ts";

/* The answers to clients when a store cannot be read or lacks a list. */

const signer = await newSigner();
const MALWARE = 1;
const SECRET = "/var/lib/secret";
const prefix = encodeURIComponent(
  Buffer.from(fullHash("a.example/").subarray(0, 4)).toString("base64"),
);

/** Returns a storage with a list. Reading a file fails if `isBroken` returns `true` for its key. */
async function breakable(
  isBroken: (key: string) => boolean,
  storage: Storage = memoryStorage(),
): Promise<Storage> {
  await publisher(storage, signer)("malware", ["a.example/"]);
  return {
    ...storage,
    async get(key) {
      if (!isBroken(key)) return storage.get(key);
      const error = new Error(`EACCES: permission denied, open '${SECRET}/${key}'`);
      throw Object.assign(error, { code: "EACCES", syscall: "open", path: `${SECRET}/${key}` });
    },
  };
}

/** Returns everything that a client can request, as one text. */
async function everything({ origin }: RunningServer): Promise<string> {
  const targets = [
    "/",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/v5/hashList/mw-4b",
    "/v5/hashLists",
    `/v5/hashes:search?hashPrefixes=${prefix}`,
    "/v1/threatLists:computeDiff?threatType=MALWARE",
    `/v1/hashes:search?threatTypes=MALWARE&hashPrefix=${prefix}`,
    "/v1/uris:search?threatTypes=MALWARE&uri=a.example",
    "/v5/urls:search?urls=a.example",
    "/lookup/status?url=http%3A%2F%2Fa.example%2F",
  ];
  const texts: string[] = [];
  for (const target of targets) {
    const response = await fetch(origin + target);
    // An export may break off.
    texts.push(`${response.status} ${await response.text().catch(() => "")}`);
    texts.push(JSON.stringify([...response.headers]));
  }
  for (const type of ["application/json", "text/plain"]) {
    const body = type === "text/plain" ? "a.example\n" : '{"urls":["a.example"]}';
    const headers = { "Content-Type": type };
    const response = await fetch(`${origin}/lookup`, { method: "POST", headers, body });
    texts.push(await response.text().catch(() => ""));
  }
  return texts.join("\n");
}

test.each([
  ["a manifest", (key: string) => key.startsWith("lists/malware/v/")],
  ["anything", () => true],
])(
  "no client sees a path or a message of the system when %s cannot be read",
  async (_, isBroken) => {
    const server = await startLoggedServer(await breakable(isBroken), signer);
    const seen = await everything(server);
    expect(seen).toContain("The store cannot be read");
    expect(seen).not.toMatch(/EACCES|permission|secret/);
    expect(server.log()).toContain(`list malware: EACCES: permission denied, open '${SECRET}/`);
    await server.stop();
  },
);

test("no client sees a path when objects cannot be read any more, and all get their answers", async () => {
  let isBroken = false;
  const own = memoryStorage();
  const storage = await breakable((key) => isBroken && key.startsWith("objects/"), own);
  const server = await startLoggedServer(storage, signer, { poll: 10 });
  const before = await everything(server);
  isBroken = true;
  await publisher(own, signer)("malware", ["a.example/", "b.example/"]);
  await expect.poll(server.log).toContain(`EACCES: permission denied, open '${SECRET}/objects`);
  const then = await everything(server);
  expect(then).toContain("The store cannot be read");
  expect(then).not.toMatch(/EACCES|permission|secret/);
  for (const text of [before, then]) {
    expect(text).toContain('403 {"url":"http://a.example/","listed":true');
    expect(text).not.toContain("500 ");
  }
  await server.stop();
});

/** Returns the keys of the objects with the full hashes of a list. */
async function shardsOf(storage: Storage): Promise<readonly string[]> {
  const options = { storage, list: "malware", publicKeys: [signer.publicKey] };
  const { hashBlocks } = await openList(storage, (await loadList(options))!, { window: 1 });
  return hashBlocks.flatMap(({ shards }) => shards);
}

test("a new version whose full hashes are missing is served when they are there", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"]);
  const server = testServer(storage, [signer.publicKey]);
  await server.refresh();
  const before = await shardsOf(storage);
  await publish("malware", ["a.example/", "b.example/"]);
  const [fresh] = (await shardsOf(storage)).filter((name) => !before.includes(name));
  const key = objectKey(fresh!);
  const bytes = (await storage.get(key))!;
  await storage.delete(key);
  const versionAndProblem = () =>
    server.lists.all().map(({ loaded, problem }) => [loaded?.entry.manifest.version, problem]);
  const problem = `Version 2 of malware is not served yet: The object ${fresh} is missing`;
  for (let refreshes = 0; refreshes < 2; refreshes++) {
    await server.refresh();
    expect(versionAndProblem()).toEqual([[1, problem]]);
    expect((await server.get(`/v5/hashes:search?hashPrefixes=${prefix}`)).status).toBe(200);
  }
  // A server that starts now has no older version. It serves updates, and reports that searches are not possible.
  const other = testServer(storage, [signer.publicKey]);
  await other.refresh();
  expect(other.lists.all()[0]!.problem).toMatch(/^Part of the list malware cannot be searched/);
  expect((await other.get("/v5/hashList/mw-4b")).status).toBe(200);
  await storage.create(key, bytes);
  for (const each of [server, other]) {
    await each.refresh();
    expect(each.lists.all()[0]!.problem).toBe(null);
    expect(each.lists.all()[0]!.loaded!.entry.manifest.version).toBe(2);
    expect((await each.get(`/v5/hashes:search?hashPrefixes=${prefix}`)).status).toBe(200);
  }
});

test("a clock that is wrong harms only while it is wrong", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"], { lifetime: 2 * DAY });
  await publish("social-engineering", ["b.example/"], { lifetime: 30 * DAY });
  let now = Date.now();
  const server = testServer(storage, [signer.publicKey], { now: () => now });
  const statuses = async () => {
    await server.refresh();
    const of = async (name: string) => (await server.get(`/v5/hashList/${name}`)).status;
    return [await of("mw-4b"), await of("se-4b")];
  };
  expect(await statuses()).toEqual([200, 200]);
  now += 3 * DAY;
  expect(await statuses()).toEqual([503, 200]);
  now -= 3 * DAY;
  expect(await statuses()).toEqual([200, 200]);
  now -= 3 * DAY;
  expect(await statuses()).toEqual([200, 200]);
  const late = testServer(storage, [signer.publicKey], { now: () => now });
  await late.refresh();
  expect((await late.get("/v5/hashList/mw-4b")).status).toBe(503);
  now += 3 * DAY;
  await late.refresh();
  expect((await late.get("/v5/hashList/mw-4b")).status).toBe(200);
});

describe("a list that was in the store and is gone", () => {
  async function updated() {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["a.example/"]);
    await publish("social-engineering", ["b.example/"]);
    const before = testServer(storage, [signer.publicKey]);
    await before.refresh();
    for (const { name } of await storage.list("lists/malware/v/")) {
      await storage.delete(`lists/malware/v/${name}`);
    }
    await storage.delete("lists/malware/head");
    const after = testServer(storage, [signer.publicKey]);
    await after.refresh();
    return { before, after };
  }

  test.each([
    ["v5", (send: Parameters<typeof v5Client>[0]) => v5Client(send, "mw-4b")],
    ["v4", (send: Parameters<typeof v5Client>[0]) => v4Client(send, MALWARE)],
    ["Web Risk", (send: Parameters<typeof v5Client>[0]) => webRiskClient(send, "MALWARE", "RAW")],
  ])("is 503 to a client of %s that has it, and empty to a new one", async (_, newClient) => {
    const { before, after } = await updated();
    let server = before;
    const client = newClient((target, headers) => server.sender("client")(target, headers));
    expect(await client.update()).toBe("full");
    const had = client.list();
    server = after;
    await expect(client.update()).rejects.toThrow(/^503 .*not in the store/s);
    expect(client.list()).toEqual(had);
    const fresh = newClient(after.sender("fresh"));
    await fresh.update();
    expect(fresh.list()).toEqual([]);
  });

  test("is 503 in v5 also when it is one of several", async () => {
    const { before, after } = await updated();
    const versionOf = async (name: string) => {
      const { body } = await before.get(`/v5/hashList/${name}?alt=json`);
      return encodeURIComponent(JSON.parse(Buffer.from(body).toString()).version);
    };
    const versions = `version=${await versionOf("se-4b")}&version=${await versionOf("mw-4b")}`;
    const names = "names=mw-4b&names=se-4b";
    expect((await before.get(`/v5/hashLists:batchGet?${names}&${versions}`)).status).toBe(200);
    expect((await after.get(`/v5/hashLists:batchGet?${names}&${versions}`)).status).toBe(503);
    expect((await after.get(`/v5/hashLists:batchGet?${names}`)).status).toBe(200);
  });
});

describe("a list in the folder of another one", () => {
  async function renamed(to: string) {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", ["a.example/"]);
    for (const file of ["head", "v/000000000001"]) {
      await storage.create(`lists/${to}/${file}`, (await storage.get(`lists/malware/${file}`))!);
      await storage.delete(`lists/malware/${file}`);
    }
    return storage;
  }

  test.each(["social-engineering", "a-list", "z-list"])(
    "is 503 under both names, when the folder is %s",
    async (folder) => {
      const server = testServer(await renamed(folder), [signer.publicKey]);
      for (let refreshes = 0; refreshes < 3; refreshes++) {
        await server.refresh();
        const names = server.lists.all().map(({ name }) => name);
        expect(names).toEqual(["malware", folder].sort());
        expect((await server.get("/v5/hashList/mw-4b")).status).toBe(503);
        for (const { row } of server.lists.all()) {
          expect((await server.get(`/v5/hashList/${row.v5}`)).status).toBe(503);
        }
        expect((await server.get(`/v5/hashes:search?hashPrefixes=${prefix}`)).status).toBe(503);
      }
    },
  );

  test("is served when it is put back, while the server runs", async () => {
    const storage = await renamed("z-list");
    const server = testServer(storage, [signer.publicKey]);
    await server.refresh();
    const note = (await storage.get("lists/z-list/v/000000000001"))!;
    await storage.create("lists/malware/v/000000000001", note);
    await server.refresh();
    expect((await server.get("/v5/hashList/mw-4b")).status).toBe(200);
  });

  test("is named to the operator alone when it is private", async () => {
    const keys = `${hashApiKey("a-key")} malware`;
    const server = await startLoggedServer(await renamed("z-list"), signer, { keys });
    const pages = await Promise.all(
      ["/", "/readyz", "/metrics"].map(async (page) => (await fetch(server.origin + page)).text()),
    );
    expect(pages.join("")).not.toMatch(/malware</);
    expect(pages.join("")).not.toMatch(/list malware/);
    expect(server.log()).toContain("Version 1 of z-list is a version of another list");
    expect(server.log()).toContain("list z-list: the other list is malware");
    await server.stop();
  });
});

test("an answer that was begun before a new version is not kept for those who ask after it", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"]);
  let gate: Promise<void> | null = null;
  const aside: Aside = {
    run: (name, entries, argument) => {
      const result = AT_ONCE.run(name, entries, argument);
      return gate === null ? result : gate.then(() => result);
    },
    close: async () => {},
  };
  const server = testServer(storage, [signer.publicKey], { aside });
  await server.refresh();
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const target = "/v5/hashList/mw-4b?alt=json";
  const begun = server.get(target);
  await publish("malware", ["a.example/", "b.example/"]);
  gate = null;
  await server.refresh();
  open();
  const versionOf = ({ body }: Reply) => JSON.parse(Buffer.from(body).toString()).version;
  const before = versionOf(await begun);
  const after = versionOf(await server.get(target));
  expect(after).not.toBe(before);
  expect(after).toBe(versionOf(await server.get(`${target}&$alt=json`)));
});

test("a file of seen versions that was removed is made again with all lists", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"]);
  await publish("social-engineering", ["b.example/"]);
  const seenFile = join(mkdtempSync(join(tmpdir(), "server-")), "seen");
  const server = await startLoggedServer(storage, signer, { seenFile, poll: 10 });
  await expect.poll(async () => (await readSeen(seenFile))?.size).toBe(2);
  rmSync(seenFile);
  await publish("malware", ["a.example/", "c.example/"]);
  await expect.poll(async () => (await readSeen(seenFile))?.get("malware")?.version).toBe(2);
  expect((await readSeen(seenFile))!.get("social-engineering")?.version).toBe(1);
  await server.stop();
  rmSync(dirname(seenFile), { recursive: true });
});

test("while one list takes long to read, others are updated", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  for (const list of ["malware", "social-engineering"]) await publish(list, ["a.example/"]);
  let gate: Promise<void> = Promise.resolve();
  let held = "";
  let reads = 0;
  const slow: Storage = {
    ...storage,
    async get(key, most) {
      if (key.endsWith(held)) {
        reads++;
        await gate;
      }
      return storage.get(key, most);
    },
  };
  const server = testServer(slow, [signer.publicKey], { patience: 0 });
  held = "nothing";
  await server.refresh();
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  held = (await publish("malware", ["b.example/"])).manifest.blocks[0]!.object!;
  const versions = () => server.lists.all().map(({ loaded }) => loaded?.entry.manifest.version);
  for (const version of [2, 3, 4]) {
    await publish("social-engineering", [`${version}.example/`]);
    await expect
      .poll(async () => {
        await server.refresh();
        return versions();
      })
      .toEqual([1, version]);
  }
  // The long object is read only once, although the server polls the store many times.
  expect(reads).toBe(1);
  open();
  await expect
    .poll(async () => {
      await server.refresh();
      return versions();
    })
    .toEqual([2, 4]);
});

test.each([
  ["every file", () => true, /rolled back: version 1 is gone; the version that is served is \d/],
  ["the hint", (key: string) => key.endsWith("/head"), /^ready$/],
])("a store that has lost %s is no store without news", async (_, isLost, ready) => {
  const own = memoryStorage();
  const publish = publisher(own, signer);
  await publish("malware", ["a.example/"]);
  let isEmpty = false;
  const storage: Storage = {
    ...own,
    get: async (key, most) => (isEmpty && isLost(key) ? null : own.get(key, most)),
    list: async (of) => (isEmpty ? [] : own.list(of)),
  };
  const server = testServer(storage, [signer.publicKey]);
  await server.refresh();
  isEmpty = true;
  await publish("malware", ["a.example/", "b.example/"]);
  await server.refresh();
  const { body } = readyReply(server.lists);
  expect(Buffer.from(body).toString().trim()).toMatch(ready);
  expect((await server.get("/v5/hashList/mw-4b")).status).toBe(200);
});

test("a list that has expired hides no entry of another one, and makes nothing look unlisted", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"], { lifetime: 2 * DAY });
  await publish("social-engineering", ["b.example/"]);
  let now = Date.now();
  const server = testServer(storage, [signer.publicKey], { now: () => now });
  await server.refresh();
  const search = async (...expressions: string[]) => {
    const prefixes = expressions.map((each) =>
      encodeURIComponent(Buffer.from(fullHash(each).subarray(0, 4)).toString("base64")),
    );
    const target = prefixes.map((each) => `hashPrefixes=${each}`).join("&");
    return (await server.get(`/v5/hashes:search?${target}`)).status;
  };
  now += 3 * DAY;
  const isExpired = [
    () => server.lists.expire(),
    // The expired list stays known when the store is read again.
    () => server.lists.refresh(),
    () => server.lists.refresh(),
  ];
  for (const expire of isExpired) {
    await expire();
    server.api.forgetAnswers();
    expect(await search("b.example/")).toBe(200);
    expect(await search("b.example/", "c.example/")).toBe(503);
    expect(await search("b.example/", "a.example/")).toBe(503);
    expect(await search("c.example/")).toBe(503);
  }
});

test("a list expires while the store does not answer, and does not come back", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"], { lifetime: 2 * DAY });
  await publish("social-engineering", ["b.example/"]);
  let now = Date.now();
  let gate: Promise<void> | null = null;
  let asked = false;
  const slow: Storage = {
    ...storage,
    async get(key, most) {
      if (gate !== null && key.includes("social-engineering")) {
        asked = true;
        await gate;
      }
      return storage.get(key, most);
    },
  };
  const server = testServer(slow, [signer.publicKey], { now: () => now });
  await server.refresh();
  const status = async (list: string) => (await server.get(`/v5/hashList/${list}`)).status;
  expect(server.lists.expire()).toBe(false);
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  // The first list has been checked, and reading the second one takes long.
  const refreshed = server.lists.refresh();
  await expect.poll(() => asked).toBe(true);
  now += 3 * DAY;
  expect(server.lists.expire()).toBe(true);
  expect(server.lists.expire()).toBe(false);
  server.api.forgetAnswers();
  expect([await status("mw-4b"), await status("se-4b")]).toEqual([503, 200]);
  open();
  await refreshed;
  server.api.forgetAnswers();
  expect([await status("mw-4b"), await status("se-4b")]).toEqual([503, 200]);
});
