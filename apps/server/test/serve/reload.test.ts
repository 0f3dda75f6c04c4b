import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@x/client";
import { memoryStorage, type Storage } from "@x/list-store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey, NO_API_KEYS } from "../../src/serve/api-keys.ts";
import type { SiteOptions } from "../../src/serve/site.ts";
import { NOTHING_SEEN, readSeen, rememberSeen } from "../../src/storage/seen-versions.ts";
import { apiKeysFrom } from "../support/api-keys.ts";
import { linesOf } from "../support/json-log.ts";
import { type LoggedServerOptions, startLoggedServer } from "../support/logged-server.ts";

/* Servers whose settings change while their full hashes are in files. */

const signer = await newSigner();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reload-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function started(options: LoggedServerOptions = {}) {
  const own = memoryStorage();
  const gone = new Set<string>();
  const storage: Storage = {
    ...own,
    get: async (key, most) => (gone.has(key.split("/")[1]!) ? null : own.get(key, most)),
  };
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"]);
  await publish("uws", ["c.example/"]);
  const files = { hashMemory: 0, hashFolder: folder, poll: 10 };
  const server = await startLoggedServer(storage, signer, { ...files, ...options });
  const settings: SiteOptions = {
    ...{ storage, publicKeys: [signer.publicKey], keys: NO_API_KEYS },
    ...{ window: 10, wait: 60_000, cache: 60_000, poll: 10 },
  };
  return {
    ...{ server, gone, publish },
    reload: (changes: Partial<SiteOptions>) => server.reload({ ...settings, ...changes }),
    status: async (path: string) => (await fetch(server.origin + path)).status,
    lookUp: async (host: string) =>
      (await fetch(`${server.origin}/lookup/status?url=http://${host}/`)).status,
    errors: () =>
      linesOf({ stdout: server.log }).filter(
        ({ level }) => typeof level === "number" && level >= 50,
      ),
  };
}

test("with other settings, again and again, everything is answered", async () => {
  const { server, publish, reload, lookUp } = await started();
  for (const window of [5, 6]) {
    await reload({ window });
    expect(await lookUp("a.example")).toBe(403);
  }
  await reload({ only: new Set(["malware"]) });
  expect(await lookUp("a.example")).toBe(403);
  expect(await lookUp("c.example")).toBe(200);
  await reload({});
  expect(await lookUp("c.example")).toBe(403);
  const wrong = reload({ publicKeys: [(await newSigner()).publicKey] });
  await expect(wrong).rejects.toThrow("could not be served");
  await expect(reload({ only: new Set() })).rejects.toThrow("no list could be served");
  expect(await lookUp("a.example")).toBe(403);
  await publish("malware", ["a.example/", "b.example/"]);
  await expect.poll(() => lookUp("b.example")).toBe(403);
  expect(await lookUp("c.example")).toBe(403);
  await server.stop();
});

test("the lists without which a server is ready can change", async () => {
  const { server, gone, reload, status, errors } = await started();
  expect(await status("/readyz")).toBe(200);
  gone.add("uws");
  await expect.poll(() => status("/readyz")).toBe(503);
  await reload({ optional: new Set(["uws", "other"]) });
  expect(await status("/readyz")).toBe(200);
  expect(errors()).toContainEqual(
    expect.objectContaining({ msg: "The optional list other is not in the store.", list: "other" }),
  );
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(metrics).toContain('urlhash_list_required{list="malware"} 1');
  expect(metrics).toContain('urlhash_list_required{list="uws"} 0');
  await reload({});
  expect(await status("/readyz")).toBe(503);
  gone.clear();
  await expect.poll(() => status("/readyz")).toBe(200);
  await expect.poll(() => server.log()).toContain("The list uws no longer has a problem.");
  await server.stop();
});

test("longer prefixes can be served from now on, and no longer", async () => {
  const { server, publish, reload, status } = await started({ cache: 0 });
  const client = createClient({ protocol: "v5", server: server.origin, lists: ["mw-8b"] });
  expect((await client.update()).lists).toMatchObject([{ error: { code: "list-unknown" } }]);
  await reload({ longer: [8] });
  expect((await client.update()).lists).toMatchObject([{ changed: true, size: 1 }]);
  // The client gets an error instead of an empty list, and so keeps its entries.
  await reload({ longer: [] });
  await publish("malware", ["a.example/", "b.example/"]);
  await expect(client.update()).rejects.toMatchObject({ status: 503 });
  expect(client.list("mw-8b")?.size).toBe(1);
  expect(await status("/v5/hashList/mw-4b")).toBe(200);
  await server.stop();
});

describe("a private list", () => {
  const hash = hashApiKey("open sesame");
  const lines = `${hash} uws\n`;

  test.each([
    ["the file was cut before its line", `${hash} malware\n`],
    ["the file was cut in its line", `${hash} uw`],
    ["its only key was removed", `${hashApiKey("other")} malware\n`],
    ["the setting is gone", null],
  ])("stays private, and closed, when %s", async (_, text) => {
    const { server, reload, status, errors } = await started({ keys: lines });
    expect(await status("/v5/hashList/uws-4b?key=open+sesame")).toBe(200);
    const keys = text === null ? NO_API_KEYS : apiKeysFrom(text);
    for (let i = 0; i < 2; i++) {
      await reload({ keys });
      expect(await status("/v5/hashList/uws-4b")).toBe(403);
      expect(await status("/v5/hashList/uws-4b?key=open+sesame")).toBe(403);
      expect(errors()).toContainEqual(
        expect.objectContaining({ msg: expect.stringContaining("stays so"), list: "uws" }),
      );
    }
    await reload({ keys: apiKeysFrom(lines) });
    expect(await status("/v5/hashList/uws-4b?key=open+sesame")).toBe(200);
    await server.stop();
  });

  test("stays private at the next start, too, until a line says that it is public", async () => {
    const storage = memoryStorage();
    await publisher(storage, signer)("uws", ["c.example/"]);
    const seenFile = join(folder, "seen");
    writeFileSync(seenFile, NOTHING_SEEN);
    async function statusWith(keys: string | null) {
      const seen = (await readSeen(seenFile))!;
      const options = { seen, seenFile, ...(keys !== null && { keys }) };
      const server = await startLoggedServer(storage, signer, options);
      const { status } = await fetch(`${server.origin}/v5/hashList/uws-4b`);
      // What is remembered is written while the server runs.
      const isPrivate = status === 403;
      const remembered = async () => (await readSeen(seenFile))!.get("uws")?.private ?? false;
      await expect.poll(remembered).toBe(isPrivate);
      await server.stop();
      return status;
    }
    expect(await statusWith(null)).toBe(200);
    expect(await statusWith(lines)).toBe(403);
    // A publisher that saves a newer version keeps the mark.
    await rememberSeen(seenFile, new Map([["other", { version: 1, hash: "0".repeat(64) }]]));
    expect(await statusWith(`${hash} malware\n`)).toBe(403);
    expect(await statusWith(null)).toBe(403);
    expect(await statusWith("public uws\n")).toBe(200);
    expect(await statusWith(null)).toBe(200);
  });

  test("is public when a line says so", async () => {
    const { server, reload, status } = await started({ keys: lines });
    await reload({ keys: apiKeysFrom("public uws # at last\n") });
    expect(await status("/v5/hashList/uws-4b")).toBe(200);
    await reload({ keys: NO_API_KEYS });
    expect(await status("/v5/hashList/uws-4b")).toBe(200);
    await server.stop();
  });

  test("cannot be public, too", () => {
    expect(() => apiKeysFrom(`${lines}public malware,uws\n`)).toThrow(
      "The list uws is public, but a reader has a key for it",
    );
  });
});

test.each([
  [
    "nothing",
    ["malwar"],
    "the list malwar could not be served: The list malwar has no version yet",
  ],
  ["a part", ["malware", "uw"], "the list uw could not be served: The list uw has no version yet"],
])("a misspelt name of a list that leaves %s is refused", async (_, names, message) => {
  const { server, reload, lookUp } = await started();
  await expect(reload({ only: new Set(names) })).rejects.toThrow(message);
  expect(await lookUp("a.example")).toBe(403);
  expect(await lookUp("c.example")).toBe(403);
  await server.stop();
});
