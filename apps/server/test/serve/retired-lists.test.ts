import { memoryStorage, retire, type Storage } from "@x/list-store";
import { expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { readyReply } from "../../src/serve/operator-routes.ts";
import type { SeenVersions } from "../../src/storage/seen-versions.ts";
import { linesOf } from "../support/json-log.ts";
import { startLoggedServer } from "../support/logged-server.ts";
import { v5Client } from "../support/plain-client.ts";
import { testServer } from "../support/serving.ts";
import { eventually } from "../support/upstream.ts";

const YEARS = 365 * 50 * 24 * 60 * 60 * 1000;
const signer = await newSigner();
const publicKeys = [signer.publicKey];

async function storeOf(...lists: string[]) {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  for (const list of lists) await publish(list, [`${list}.example/`], { lifetime: 2 * YEARS });
  return { storage, publish };
}

const retireIn = (storage: Storage, list: string) => retire({ storage, list, signer, publicKeys });

test("clients drop the entries of a retired list, which stays ready forever", async () => {
  const { storage } = await storeOf("malware", "uws");
  let time = Date.now();
  const server = testServer(storage, publicKeys, { now: () => time });
  await server.refresh();
  const client = v5Client(server.sender("a"), "mw-4b");
  await client.update();
  expect(client.list()).toHaveLength(1);
  await retireIn(storage, "malware");
  await server.refresh();
  expect(await client.update()).toBe("partial");
  expect(client.list()).toEqual([]);
  time += YEARS;
  // Its files can be deleted while the server runs.
  for (const { name } of await storage.list("lists/malware/log/"))
    await storage.delete(`lists/malware/log/${name}`);
  await storage.delete("lists/malware/head");
  await server.refresh();
  expect(server.lists.all().map(({ problem }) => problem)).toEqual([null, null]);
  expect(readyReply(server.lists, undefined, () => time).status).toBe(200);
});

test("a server that has seen the retirement needs no files of the list, and serves no old ones", async () => {
  const { storage } = await storeOf("malware", "uws");
  const { manifest, hash } = await retireIn(storage, "malware");
  const version = { version: manifest.version, hash };
  const onlyOther = (await storeOf("uws")).storage;
  const older = (await storeOf("malware", "uws")).storage;
  for (const store of [onlyOther, older]) {
    const seen: SeenVersions = new Map([["malware", { ...version, retired: true as const }]]);
    const server = testServer(store, publicKeys, { seen });
    await server.refresh();
    const empty = { name: "malware", problem: null, loaded: { words: new Uint32Array(0) } };
    expect(server.lists.all()).toMatchObject([empty, { name: "uws", problem: null }]);
    // A list that was not retired is missed.
    const missing = testServer(store, publicKeys, { seen: new Map([["malware", version]]) });
    await missing.refresh();
    expect(missing.lists.all()).toMatchObject([{ loaded: null }, { name: "uws" }]);
  }
});

test.each([false, true])(
  "clients that have old entries drop them, even if the list is gone from the store (and from lists =: %s)",
  async (isUnnamed) => {
    const { storage } = await storeOf("malware", "uws");
    let server = testServer(storage, publicKeys, { longer: [8] });
    await server.refresh();
    const clients = ["mw-4b", "mw-8b", "uws-4b"].map((name) =>
      v5Client((...request) => server.sender("a")(...request), name),
    );
    for (const client of clients) await client.update();

    const { manifest, hash } = await retireIn(storage, "malware");
    const seen: SeenVersions = new Map([
      ["malware", { version: manifest.version, hash, retired: true }],
    ]);
    const only = isUnnamed ? new Set(["uws"]) : undefined;
    const rest = (await storeOf("uws")).storage;
    server = testServer(rest, publicKeys, { seen, only, longer: [8] });
    await server.refresh();
    for (const client of clients) await client.update();
    expect(clients.map((client) => client.list().length)).toEqual([0, 0, 1]);
    // The empty list has a token, so clients do not take it for a list that does not exist.
    for (const client of clients) expect(await client.update()).toBe("none");
    expect((await server.get("/v5/urls:search?urls=malware.example/")).status).toBe(200);
  },
);

test("a retirement and an empty folder are logged once, and neither is a problem", async () => {
  const { storage, publish } = await storeOf("uws");
  const withFolder: Storage = {
    ...storage,
    async list(folder) {
      const found = await storage.list(folder);
      const isThere = folder !== "lists/" || found.some(({ name }) => name === "malware/");
      return isThere ? found : [...found, { name: "malware/", modified: null }];
    },
  };
  const server = await startLoggedServer(withFolder, signer, { poll: 1 });
  const status = async (path: string) => (await fetch(server.origin + path)).status;
  const warnings = () =>
    linesOf({ stdout: server.log }).filter(({ level }) => typeof level === "number" && level >= 40);
  expect(await status("/readyz")).toBe(200);
  expect(await status("/lookup/status?url=http://clean.example/")).toBe(200);
  const loaded = (name: string, version: number) =>
    eventually(() => {
      const found = server.lists.all().find((each) => each.name === name);
      expect(found!.loaded!.entry.manifest.version).toBe(version);
    });
  await publish("uws", ["other.example/"]);
  await loaded("uws", 2);
  await retireIn(storage, "uws");
  await loaded("uws", 3);
  await publish("malware", ["m.example/"]);
  await loaded("malware", 1);
  expect(warnings()).toMatchObject([
    { msg: "The folder of the list has no version, so there is no such list.", list: "malware" },
    { msg: expect.stringContaining("The list was retired"), list: "uws", version: 3 },
  ]);
  expect(await (await fetch(`${server.origin}/readyz`)).text()).toBe("ready\n");
  await server.stop();
});
