import { gzipSync } from "node:zlib";
import { loadList, memoryStorage, readNewest, type Storage } from "@x/list-store";
import { httpStorage, type TransportOptions } from "@x/list-store/http";
import { READING_CASES } from "@x/test-support/storage-cases";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newSigner, publisher } from "./support/publishing.ts";
import { type Intercept, type StaticHost, staticHost } from "./support/static-host.ts";

let files: Storage;
let host: StaticHost;
beforeEach(async () => {
  files = memoryStorage();
  host = await staticHost(files);
});
afterEach(() => host.close());

const bytes = (text: string) => new TextEncoder().encode(text);
const signer = await newSigner();
const HEAD = "lists/malware/head";
const version = (number: number) => `lists/malware/v/${String(number).padStart(12, "0")}`;
const quick: TransportOptions = { pause: async () => {}, random: () => 0 };
const newStorage = (options: TransportOptions = {}) =>
  httpStorage(host.address, { ...quick, ...options });
const load = (storage: Storage, seen: { version: number; hash: string } | null = null) =>
  loadList({ storage, list: "malware", publicKeys: [signer.publicKey], seen });

/** Publishes `count` versions, each with one entry more than the version before. */
async function publishVersions(count: number) {
  const publish = publisher(files, signer);
  let published = await publish("malware", ["1.test/"]);
  for (let i = 2; i <= count; i++) {
    published = await publish(
      "malware",
      Array.from({ length: i }, (_, j) => `${j}.test/`),
    );
  }
  return { version: count, hash: published.hash };
}

/** The store as it was when it had so many versions. */
function asOf(storage: Storage, count: number): Storage {
  return {
    ...storage,
    async get(key, most) {
      if (key === HEAD) return bytes(`${count}\n`);
      return key > version(count) && key.startsWith("lists/") ? null : storage.get(key, most);
    },
  };
}

const reply =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Intercept =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

describe("HTTP storage", () => {
  test.each(READING_CASES)("$name", { tags: "deep" }, ({ run }) => run(files, () => newStorage()));

  test("is for reading only, by GET", async () => {
    const storage = newStorage();
    for (const refused of [
      storage.create("key", bytes("one")),
      storage.put("key", bytes("one")),
      storage.delete("key"),
      storage.list(""),
    ]) {
      await expect(refused).rejects.toMatchObject({ name: "StoreError", code: "unsupported" });
    }
    await storage.get(HEAD);
    expect(host.asked).toEqual([`GET ${HEAD}`]);
  });

  test.each([
    "store",
    "ftp://host.test/",
    "file:///etc/",
    "https://user:secret@host.test/",
    "https://host.test/?a=b",
    "https://host.test/#a",
  ])("the address %s is refused", (address) => {
    const error = { code: "invalid", message: expect.not.stringContaining("secret") };
    expect(() => httpStorage(address)).toThrow(expect.objectContaining(error));
  });

  test("lets a browser's cache keep objects only", async () => {
    const modes: (string | undefined)[] = [];
    const storage = newStorage({
      fetch: async (_, init) => {
        modes.push(init?.cache);
        return new Response("", { status: 404 });
      },
    });
    await storage.get(HEAD);
    await storage.get(version(1));
    await storage.get(`objects/sha256/ab/ab${"0".repeat(62)}`);
    expect(modes).toEqual(["no-cache", "no-cache", undefined]);
  });
});

describe("readers of a static host", () => {
  /** The files of the log that were asked for. */
  const askedOfLog = () =>
    host.asked.filter((each) => each.includes(" lists/")).map((each) => each.replace("GET ", ""));

  test("find the newest version with one request for a later one", async () => {
    const seen = await publishVersions(3);
    expect((await load(newStorage()))?.entry.manifest.version).toBe(3);
    expect(askedOfLog()).toEqual([HEAD, version(3), version(4)]);
    host.asked.length = 0;
    expect((await load(newStorage(), seen))?.entry.manifest.version).toBe(3);
    expect(askedOfLog()).toEqual([HEAD, version(3), version(4)]);
  });

  test("find it from an old hint, with few requests", async () => {
    await publishVersions(40);
    await files.put(HEAD, bytes("7\n"));
    expect((await load(newStorage()))?.entry.manifest.version).toBe(40);
    expect(askedOfLog().length).toBeLessThan(16);
  });

  test("stay below a gap only until the hint is above it, and publishers never do", async () => {
    const seen = await publishVersions(6);
    const stored = { storage: files, list: "malware", publicKeys: [signer.publicKey] };
    const missing = { code: "missing", message: expect.stringContaining("Version 4 of") };
    const kept = (await loadList({ ...stored, storage: asOf(files, 3) }))!;
    await files.delete(version(4));
    await files.put(HEAD, bytes("3\n"));
    expect((await load(newStorage()))?.entry.manifest.version).toBe(3);
    expect(await loadList({ ...stored, storage: newStorage() }, kept)).toBe(kept);
    await expect(readNewest(stored)).rejects.toMatchObject(missing);
    await expect(publishVersions(1)).rejects.toMatchObject(missing);
    expect((await load(newStorage(), seen))?.entry.manifest.version).toBe(6);
    // A hint below the version that was seen says nothing about gaps above that version.
    await files.put(HEAD, bytes("2\n"));
    const third = { version: 3, hash: kept.entry.hash };
    await expect(load(newStorage(), third)).rejects.toMatchObject(missing);
    await files.put(HEAD, bytes("6\n"));
    expect((await load(newStorage()))?.entry.manifest.version).toBe(6);
  });

  test("find it without the hint, too", async () => {
    const seen = await publishVersions(5);
    await files.delete(HEAD);
    expect((await load(newStorage()))?.entry.manifest.version).toBe(5);
    expect((await load(newStorage(), seen))?.entry.manifest.version).toBe(5);
  });

  test("do not mistake a host that lost its files for an empty list", async () => {
    const seen = await publishVersions(2);
    host.intercept(reply(404, "gone"));
    await expect(load(newStorage(), seen)).rejects.toMatchObject({ code: "rolled-back" });
    expect(await load(newStorage())).toBeNull();
  });

  test("read from hosts that answer 403 for missing files, but not if everything is forbidden", async () => {
    await publishVersions(2);
    const stored = [version(1), version(2)];
    host.intercept((path, response) => {
      if (!path.startsWith("lists/malware/v/") || stored.includes(path)) return false;
      return reply(403, "<Error><Code>AccessDenied</Code></Error>")(path, response);
    });
    expect((await load(newStorage()))?.entry.manifest.version).toBe(2);
    host.intercept(reply(403, "forbidden"));
    await expect(load(newStorage())).rejects.toMatchObject({ code: "refused" });
  });

  test.each<[string, Intercept]>([
    ["a page", reply(200, "\n<!DOCTYPE html>\n<title>App</title>")],
    ["a page without a type", reply(200, "<html lang=en><body>App")],
    ["some text", reply(200, "There is no such file.\n")],
    ["JSON", reply(200, '{"error":"not found"}')],
    ["nothing", reply(200, "")],
  ])("refuse a host that sends %s for missing files", async (_, answer) => {
    await publishVersions(2);
    const isStored = (path: string) => files.get(path).then((found) => found !== null);
    const stored = new Set<string>();
    for (const path of [HEAD, version(1), version(2)]) if (await isStored(path)) stored.add(path);
    host.intercept((path, response) => !stored.has(path) && answer(path, response));
    await expect(load(newStorage())).rejects.toMatchObject({ code: "not-a-store" });
    host.intercept(answer);
    await expect(load(newStorage())).rejects.toMatchObject({ code: "not-a-store" });
  });

  test("refuse a host that sends its home page by a redirect", async () => {
    await publishVersions(1);
    host.intercept((path, response) => {
      if (path === "/") return reply(200, "<html>Welcome</html>")(path, response);
      return reply(302, "", { location: "/" })(path, response);
    });
    await expect(load(newStorage())).rejects.toMatchObject({ code: "not-a-store" });
  });

  test.each<[string, string, Record<string, [status: number, location?: string]>]>([
    [
      "to another host",
      "to another server, http://other.test,",
      { "http://host.test/": [301, "http://other.test/"] },
    ],
    [
      "to another port",
      "to another server, http://host.test:8080,",
      { "http://host.test/": [302, "http://host.test:8080/"] },
    ],
    [
      "by way of its own host",
      "to another server, http://other.test,",
      {
        "http://host.test/": [307, "/moved"],
        "http://host.test/moved": [308, "//other.test/moved"],
      },
    ],
    [
      "to another protocol",
      "to another server, file://,",
      { "http://host.test/": [303, "file:///etc/passwd"] },
    ],
    [
      "from https to http",
      "to an address without https",
      {
        "http://host.test/": [301, "https://host.test/"],
        "https://host.test/": [301, "http://host.test/"],
      },
    ],
    ["to no URL", "to something that is not a URL", { "http://host.test/": [301, "http://["] }],
    ["to nowhere", "to something that is not a URL", { "http://host.test/": [301] }],
    ["in circles", "more than 5 times", { "http://host.test/": [301, "/"] }],
  ])("do not follow a redirect %s", async (_, why, answers) => {
    const asked: string[] = [];
    const storage = httpStorage("http://host.test/", {
      ...quick,
      fetch: async (input, init) => {
        expect(init).toMatchObject({ redirect: "manual", credentials: "omit" });
        asked.push(String(input));
        const [status, location] = answers[String(input).replace(HEAD, "")]!;
        return new Response(null, {
          status,
          headers: location === undefined ? {} : { location: location.replace(/\/$/, `/${HEAD}`) },
        });
      },
    });
    await expect(storage.get(HEAD)).rejects.toMatchObject({
      code: "not-a-store",
      message: expect.stringContaining(
        `The store at http://host.test/ redirects its readers ${why}`,
      ),
    });
    expect(asked.length).toBeLessThan(7);
    expect(asked.join()).not.toMatch(/other|8080|file|https.*http:/);
  });

  test("do not follow redirects of browsers, which hide where they lead", async () => {
    const answer = new Response(null);
    Object.defineProperty(answer, "type", { value: "opaqueredirect" });
    const storage = httpStorage("https://host.test/store", { fetch: async () => answer });
    await expect(storage.get(HEAD)).rejects.toMatchObject({
      code: "not-a-store",
      message:
        "The store at https://host.test/store/ redirects its readers to an address that browsers do not reveal",
    });
  });

  test("follow a redirect to the files on the same host", async () => {
    await publishVersions(1);
    const moved = httpStorage(`${host.address}/moved`, quick);
    host.intercept((path, response) => {
      if (!path.startsWith("moved/")) return false;
      return reply(301, "", { location: `/store/${path.slice(6)}` })(path, response);
    });
    expect((await load(moved))?.entry.manifest.version).toBe(1);
  });

  test.each([401, 403])("say that a host refuses them with %i", async (status) => {
    host.intercept(reply(status, ""));
    await expect(newStorage().get(HEAD)).rejects.toMatchObject({
      code: "refused",
      message: `The store at ${host.address}/ refuses access to ${HEAD} (status ${status})`,
    });
  });

  test.each([204, 206, 400, 418])("do not take an answer of %i for a file", async (status) => {
    host.intercept(reply(status, ""));
    await expect(newStorage().get(HEAD)).rejects.toMatchObject({ code: "not-a-store" });
  });
});

describe("answers over HTTP", () => {
  test("are decompressed, and limited afterwards", { tags: "deep" }, async () => {
    const long = bytes("a".repeat(2 ** 20));
    host.intercept(reply(200, gzipSync(long), { "content-encoding": "gzip" }));
    expect(Buffer.compare((await newStorage().get(HEAD))!, long)).toBe(0);
    host.intercept(reply(200, gzipSync(Buffer.alloc(2 ** 26)), { "content-encoding": "gzip" }));
    await expect(newStorage().get(HEAD)).rejects.toMatchObject({ code: "damaged" });
  });

  test("are not read on when they are too long", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1000;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const storage = newStorage({ fetch: async () => new Response(endless) });
    await expect(storage.get(HEAD, 10_000)).rejects.toMatchObject({ code: "damaged" });
    expect(sent).toBeLessThan(20_000);
  });

  test.each([408, 429, 500, 502, 503, 504])("are asked for again after %i", async (status) => {
    await files.put(HEAD, bytes("1\n"));
    let left = 4;
    host.intercept((path, response) => left-- > 0 && reply(status, "later")(path, response));
    expect(await newStorage().get(HEAD)).toEqual(bytes("1\n"));
    host.intercept(reply(status, "later"));
    host.asked.length = 0;
    await expect(newStorage().get(HEAD)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining(`status ${status}`),
    });
    expect(host.asked).toHaveLength(5);
  });

  test("are asked for again when they were cut", async () => {
    await files.put(HEAD, bytes("123\n"));
    let left = 2;
    host.intercept((_, response) => {
      if (left-- <= 0) return false;
      if (left === 1) response.destroy();
      else {
        response.writeHead(200, { "content-length": "4" });
        response.write("12", () => response.destroy());
      }
      return true;
    });
    expect(await newStorage().get(HEAD)).toEqual(bytes("123\n"));
  });

  test("are waited for as long as the server asks, within limits", async () => {
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => {
      pauses.push(milliseconds);
    };
    host.intercept(reply(503, ""));
    await expect(newStorage({ pause, random: () => 0.5 }).get(HEAD)).rejects.toThrow();
    expect(pauses).toEqual([150, 300, 600, 1200]);
    pauses.length = 0;
    host.intercept(reply(503, "", { "retry-after": "7" }));
    await expect(newStorage({ pause, retries: 1 }).get(HEAD)).rejects.toThrow();
    host.intercept(reply(503, "", { "retry-after": "86400" }));
    await expect(newStorage({ pause, retries: 1 }).get(HEAD)).rejects.toThrow();
    expect(pauses).toEqual([7000, 30_000]);
  });

  test.each<[string, Intercept]>([
    ["nothing comes", () => true],
    [
      "only a drip comes",
      (_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write("1"), 10);
        response.once("close", () => clearInterval(drip));
        return true;
      },
    ],
  ])("are given up when %s", async (_, intercept) => {
    host.intercept(intercept);
    await expect(newStorage({ timeout: 500, retries: 1 }).get(HEAD)).rejects.toMatchObject({
      code: "unreachable",
    });
    expect(host.asked).toHaveLength(2);
  });

  test("a host that cannot be reached is named, with the reason", async () => {
    await host.close();
    await expect(newStorage({ retries: 0 }).get(HEAD)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringMatching(
        /^The store at http:.*: port \d+ of 127\.0\.0\.1 refuses connections$/,
      ),
    });
    host = await staticHost(files);
  });
});

describe("the signal that ends all requests", () => {
  const reason = new Error("enough");

  test("ends one that is waiting for an answer", async () => {
    const controller = new AbortController();
    host.intercept(() => {
      controller.abort(reason);
      return true;
    });
    await expect(newStorage({ signal: controller.signal }).get(HEAD)).rejects.toBe(reason);
    await expect(newStorage({ signal: controller.signal }).get(HEAD)).rejects.toBe(reason);
    expect(host.asked).toHaveLength(1);
  });

  test("ends the pause between two attempts", async () => {
    const controller = new AbortController();
    host.intercept((path, response) => {
      response.once("close", () => setImmediate(() => controller.abort(reason)));
      return reply(503, "", { "retry-after": "30" })(path, response);
    });
    const storage = httpStorage(host.address, { signal: controller.signal });
    await expect(storage.get(HEAD)).rejects.toBe(reason);
    expect(host.asked).toHaveLength(1);
  });
});
