import {
  collectGarbage,
  copyList,
  findFullHashes,
  loadList,
  memoryStorage,
  publish,
  readContents,
  readHistory,
  readNewest,
  readPrevious,
  renew,
  rollBack,
  type Storage,
  signerOf,
  textOfNote,
  upgradeList,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { signNote } from "../src/signed-note.ts";
import { hashOf, versionKey } from "../src/storage.ts";
import { plainReader } from "./support/plain-reader.ts";
import { DAY, withClock } from "./support/publishing.ts";
import old from "./vectors/store-of-format-2.json" with { type: "json" };

/* A store of format 2 is continued in today's format. The lists and what was done to them are named in the fixture. */

const [first, next] = await Promise.all(old.signingKeys.map((key) => signerOf(key)));
const publicKeys = [first!.publicKey, next!.publicKey];
const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => fullHash(`h${from + i}.example/`));
const hexOf = (hashes: readonly Uint8Array[]) =>
  hashes.flatMap((hash) => Buffer.from(hash).toString("hex").match(/.{64}/g) ?? []).sort();

function oldStore() {
  const now = () => Date.parse(old.time);
  const storage = memoryStorage(now);
  const files = new Map(Object.entries(old.files));
  const filled = Promise.all(
    [...files].map(([key, file]) => storage.create(key, Buffer.from(file, "base64"))),
  );
  const renewal = (list: string) => ({
    ...{ storage, list, publicKeys, now },
    ...{ signer: list === "malware" ? next! : first!, lifetime: 30 * DAY },
  });
  return { storage, renewal, now, filled };
}

async function upgraded(list: string) {
  const { storage, renewal, now, filled } = oldStore();
  await filled;
  const made = await upgradeList(renewal(list));
  const loaded = await loadList(renewal(list));
  return { storage, renewal: renewal(list), now, made, loaded: loaded! };
}

/** When the newest version of format 2 expires, in milliseconds since 1970. */
async function oldExpiry(storage: Storage, list: string): Promise<number> {
  for (let version = 9; ; version--) {
    const note = await storage.get(versionKey(list, version));
    const text = note === null ? "" : textOfNote(note)!;
    if (text.startsWith("urlhash-manifest/2"))
      return Date.parse(/"expires":"([^"]*)"/.exec(text)![1]!);
  }
}

describe("a list of format 2", () => {
  test("is refused in one sentence until it is upgraded", async () => {
    const { storage, renewal, filled, now } = oldStore();
    await filled;
    const refused = {
      code: "older-format",
      message:
        "Version 4 of malware is in the older format urlhash-manifest/2: its publisher must upgrade the store (urlhash-server upgrade-store)",
    };
    const malware = renewal("malware");
    await expect(loadList(malware)).rejects.toMatchObject(refused);
    await expect(publish({ ...malware, fullHashes: [] })).rejects.toMatchObject(refused);
    await expect(renew(malware)).rejects.toMatchObject(refused);
    const copying = copyList({ ...malware, from: storage, to: memoryStorage() });
    await expect(copying).rejects.toMatchObject(refused);
    const collecting = collectGarbage({
      storage,
      publicKeys,
      keep: 1,
      keepChanges: 1,
      grace: 0,
      now,
    });
    await expect(collecting).rejects.toMatchObject({ code: "older-format" });
    expect(await storage.get(versionKey("malware", 5))).toBeNull();
  });

  test.each([
    ["malware", 5, hosts(4, 704), { withdrawn: false }],
    ["short", 4, hosts(0, 3), { withdrawn: false, restores: 1 }],
    ["withdrawn", 3, [], { withdrawn: true }],
    ["retired", 3, [], { withdrawn: true, retired: true }],
  ] as const)("such as %s is continued in version %i", async (list, version, hashes, kind) => {
    const { storage, renewal, now, made, loaded } = await upgraded(list);
    expect(made!.hash).toBe(loaded.entry.hash);
    const { manifest } = loaded.entry;
    const previous = await hashOf((await storage.get(versionKey(list, version - 1)))!);
    expect(manifest).toMatchObject({ version, first: version, previous, blocks: [], change: null });
    expect(manifest).toMatchObject({
      ...kind,
      expires: await oldExpiry(storage, list),
      nextSigners: publicKeys,
    });
    const { fullHashes } = await readContents(storage, manifest);
    expect(hexOf(fullHashes)).toEqual(hexOf(hashes));
    expect(await readPrevious(storage, loaded.entry)).toBeNull();
    for (const hash of hashes.slice(0, 2)) {
      expect(await findFullHashes(storage, loaded, hash.subarray(0, 4))).toEqual([hash]);
    }
    const plain = await plainReader((key) => storage.get(key), list, publicKeys, now).load(true);
    expect(plain.list).toHaveLength(loaded.words.length);
    expect(await upgradeList(renewal)).toBeNull();
  });

  test("is followed from there on, and its old objects are garbage", async () => {
    const { storage, renewal, now, loaded } = await upgraded("malware");
    const { manifest } = await publish({ ...renewal, fullHashes: hosts(6, 706) });
    expect(manifest).toMatchObject({ version: 6, first: 5, blocks: [{ after: 5 }] });
    const updated = (await loadList(renewal, loaded))!;
    expect(updated.entry.manifest.version).toBe(6);
    await expect(rollBack({ ...renewal, version: 4 })).rejects.toMatchObject({
      code: "older-format",
      message: "Version 4 of malware is in an older format: the store was upgraded in version 5",
    });
    for (const list of ["short", "withdrawn", "retired"]) {
      await upgradeList({ ...renewal, list, signer: first! });
    }
    await collectGarbage({
      storage,
      publicKeys,
      keep: 1,
      keepChanges: 1,
      grace: 0,
      now,
      patience: 0,
    });
    const { prefixes } = (await loadList(renewal))!;
    expect(prefixes.checksum).toBe(updated.prefixes.checksum);
    const oldObjects = Object.keys(old.files).filter((key) => key.startsWith("objects/"));
    const left = await Promise.all(oldObjects.map((key) => storage.get(key)));
    // Short lists have some objects with the same bytes in both formats.
    expect(left.filter((bytes) => bytes !== null).length).toBeLessThan(left.length / 4);
    const to = memoryStorage(now);
    await copyList({ ...renewal, from: storage, to });
    expect((await loadList({ ...renewal, storage: to }))!.entry.hash).toBe(updated.entry.hash);
  });

  test("is recognized by a reader or copy that has seen its last versions", async () => {
    const { storage, renewal } = await upgraded("malware");
    const hash = await hashOf((await storage.get(versionKey("malware", 4)))!);
    expect((await readNewest({ ...renewal, seen: { version: 4, hash } }))!.manifest.version).toBe(
      5,
    );
    const other = { version: 4, hash: "0".repeat(64) };
    await expect(readNewest({ ...renewal, seen: other })).rejects.toMatchObject({ code: "forked" });
    const later = { version: 9, hash };
    await expect(readNewest({ ...renewal, seen: later })).rejects.toMatchObject({
      code: "rolled-back",
    });
  });

  test("stays expired if it has expired, until it is published again", async () => {
    const { renewal, filled, storage } = oldStore();
    await filled;
    const now = () => Date.parse(old.time) + 400 * DAY;
    const malware = { ...renewal("malware"), storage: withClock(storage, now), now };
    const { manifest } = (await upgradeList(malware))!;
    expect(manifest.expires).toBeLessThan(malware.now());
    await expect(loadList(malware)).rejects.toMatchObject({ code: "expired" });
    await expect(
      copyList({ ...malware, from: storage, to: memoryStorage() }),
    ).rejects.toMatchObject({
      code: "expired",
    });
    await renew(malware);
    expect((await loadList(malware))!.entry.manifest.expires).toBe(malware.now() + 30 * DAY);
  });

  test("is not upgraded if it has no valid time", async () => {
    const { renewal, filled, storage } = oldStore();
    await filled;
    const key = versionKey("malware", 4);
    const text = textOfNote((await storage.get(key))!)!;
    for (const field of ["issued", "expires"]) {
      const wrong = text.replace(new RegExp(`"${field}":"2`), `"${field}":"x`);
      await storage.put(key, await signNote(wrong, next!));
      await expect(upgradeList(renewal("malware"))).rejects.toMatchObject({ code: "damaged" });
    }
  });

  test("is upgraded once, however many try at the same time", async () => {
    const { renewal, filled } = oldStore();
    await filled;
    const malware = renewal("malware");
    const made = await Promise.all(
      [1, 2, 3].map((days) => {
        const now = () => malware.now() + days * 1000;
        return upgradeList({ ...malware, now });
      }),
    );
    expect(made.filter((entry) => entry?.manifest.version === 5)).toHaveLength(1);
    expect(made.filter((entry) => entry === null)).toHaveLength(2);
  });

  test("is not upgraded with a key that its newest version does not name, or that is not trusted", async () => {
    const { renewal, filled, storage } = oldStore();
    await filled;
    const wrong = { ...renewal("short"), signer: next! };
    await expect(upgradeList(wrong)).rejects.toMatchObject({ code: "wrongly-signed" });
    const distrusted = { ...renewal("malware"), publicKeys: [first!.publicKey], signer: first! };
    await expect(upgradeList(distrusted)).rejects.toMatchObject({ code: "wrongly-signed" });
    expect(await storage.get(versionKey("short", 4))).toBeNull();
  });

  test("is not upgraded if a version that was seen is another one, or is later", async () => {
    const { renewal, filled } = oldStore();
    await filled;
    const malware = renewal("malware");
    for (const version of [2, 4]) {
      const seen = { version, hash: "0".repeat(64) };
      await expect(upgradeList({ ...malware, seen })).rejects.toMatchObject({ code: "forked" });
    }
    const seen = { version: 5, hash: "0".repeat(64) };
    await expect(upgradeList({ ...malware, seen })).rejects.toMatchObject({ code: "rolled-back" });
  });

  test("is not upgraded across a gap in its log, which would be forked there", async () => {
    const { renewal, filled, storage } = oldStore();
    await filled;
    const newest = (await storage.get(versionKey("malware", 4)))!;
    await storage.create(versionKey("malware", 6), newest);
    await expect(upgradeList(renewal("malware"))).rejects.toMatchObject({
      code: "missing",
      message: "Version 5 of malware is missing, but version 6 is there",
    });
    expect(await storage.get(versionKey("malware", 5))).toBeNull();
  });

  test("is not upgraded when its newest version is damaged, and this is said", async () => {
    const { renewal, filled, storage } = oldStore();
    await filled;
    await storage.put(versionKey("malware", 4), new Uint8Array(0));
    await expect(upgradeList(renewal("malware"))).rejects.toMatchObject({
      code: "damaged",
      message: "Version 4 of malware is damaged: it is not a manifest",
    });
  });

  test("is continued in a copy, unless the copy has a fork of its last versions", async () => {
    const { storage, renewal, loaded } = await upgraded("malware");
    const copyWith = async (last: number, note?: Uint8Array) => {
      const to = memoryStorage(renewal.now);
      for (let version = 1; version <= last; version++) {
        const key = versionKey("malware", version);
        const own = version === last ? note : undefined;
        await to.create(
          key,
          own ?? Buffer.from(old.files[key as keyof typeof old.files], "base64"),
        );
      }
      await to.put("lists/malware/head", Buffer.from(`${last}\n`));
      const copying = copyList({ ...renewal, from: storage, to });
      return { to, copying };
    };
    for (const last of [1, 3, 4]) {
      const { to, copying } = await copyWith(last);
      expect(await copying).toMatchObject({ hash: loaded.entry.hash, versions: 1 });
      expect((await loadList({ ...renewal, storage: to }))!.entry.hash).toBe(loaded.entry.hash);
    }
    for (const last of [4, 5]) {
      const text = textOfNote((await storage.get(versionKey("malware", 4)))!)!;
      const fork = text.replace('"version":4', `"version":${last}`).replace("00:04:00", "00:05:00");
      const { to, copying } = await copyWith(last, await signNote(fork, next!));
      await expect(copying).rejects.toMatchObject({ code: "forked" });
      expect(await to.get(versionKey("malware", last + 1))).toBeNull();
    }
  });

  test("is not upgraded when its newest version has another checksum than its entries", async () => {
    const { renewal, filled, storage } = oldStore();
    await filled;
    const key = versionKey("malware", 4);
    const text = textOfNote((await storage.get(key))!)!;
    const wrong = text.replace(/"checksum":"[0-9a-f]{8}/, '"checksum":"00000000');
    await storage.put(key, await signNote(wrong, next!));
    await expect(upgradeList(renewal("malware"))).rejects.toMatchObject({
      code: "damaged",
      message: "Version 4 of malware cannot be upgraded: it is damaged",
    });
    expect(await storage.get(versionKey("malware", 5))).toBeNull();
  });

  test("is not upgraded when any object of its newest version is damaged or missing", async () => {
    let refused = 0;
    for (const key of Object.keys(old.files).filter((key) => key.startsWith("objects/"))) {
      for (const code of ["damaged", "missing"]) {
        const { storage, renewal, filled } = oldStore();
        await filled;
        if (code === "missing") await storage.delete(key);
        else await storage.put(key, Buffer.from("damaged"));
        try {
          await upgradeList(renewal("malware"));
          const { fullHashes } = await readContents(
            storage,
            (await readNewest(renewal("malware")))!.manifest,
          );
          expect(hexOf(fullHashes)).toEqual(hexOf(hosts(4, 704)));
        } catch (error) {
          expect(error).toMatchObject({ code });
          expect(await storage.get(versionKey("malware", 5))).toBeNull();
          refused++;
        }
      }
    }
    // The index of the layers, the prefixes and shards of the base, and those of the layers.
    expect(refused).toBe(2 * 9);
  });
});

test("the history of an upgraded list begins with the upgrade, and copies have it", async () => {
  const { storage, renewal, made } = await upgraded("malware");
  const begun = made!.manifest.version;
  const brief = fullHash("brief.example/");
  for (let i = 1; i <= 40; i++) {
    const fullHashes = [...hosts(0, 600 + i), ...(i === 20 || i === 21 ? [brief] : [])];
    await publish({ ...renewal, signer: next!, fullHashes });
  }
  const copy = memoryStorage(renewal.now);
  await copyList({ ...renewal, from: storage, to: copy, window: 1 });
  for (const files of [storage, copy]) {
    const history = await readHistory({ ...renewal, storage: files }, [brief, fullHash("x/")]);
    expect(history!.begins.version).toBe(begun);
    const [changes, none] = history!.entries.map((entry) =>
      entry.changes.map(({ version, change }) => [version - begun, change]),
    );
    expect([changes, none]).toEqual([
      [
        [20, "added"],
        [22, "removed"],
      ],
      [],
    ]);
  }
  // A copy has the longer blocks, too, so it need not be read from version to version.
  const objects = async (files: Storage) => {
    let read = 0;
    const get: Storage["get"] = (key, most) => {
      if (key.startsWith("objects/")) read++;
      return files.get(key, most);
    };
    await readHistory({ ...renewal, storage: { ...files, get } }, [fullHash("x/")]);
    return read;
  };
  expect(await objects(copy)).toBe(await objects(storage));
  expect(await objects(copy)).toBeLessThan(36);
});
