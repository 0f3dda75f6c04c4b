import { memoryStorage, readNewest, type Storage } from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { addContents } from "../src/contents.ts";
import { markPublisher, removeMark } from "../src/marks.ts";
import { getObject } from "../src/storage.ts";
import { fullFrom, killedAt, slowStorage } from "./support/failing-storage.ts";
import { newSigner, publisher, randomNumbers } from "./support/publishing.ts";

const signer = await newSigner();
const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `h${from + i}.example/`);

/** Every file below a folder of a storage, except manifests and hints. */
async function filesIn(storage: Storage, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const { name, modified } of await storage.list(folder)) {
    if (modified === null) files.push(...(await filesIn(storage, folder + name)));
    else files.push(folder + name);
  }
  return files;
}

const leftOvers = async (storage: Storage) => [
  ...(await filesIn(storage, "objects/")),
  ...(await filesIn(storage, "tmp/")),
];

/** Returns the number of the newest version. Throws unless that version has every object that it needs. */
async function checkWhole(storage: Storage, list = "malware"): Promise<number> {
  const newest = await readNewest({ storage, list: list, publicKeys: [signer.publicKey] });
  if (newest === null) return 0;
  const objects = new Set<string>();
  await addContents(objects, storage, newest.manifest);
  for (const hash of objects) await getObject(storage, hash);
  return newest.manifest.version;
}

test("a disk that is full at any write leaves the store as it was, and room for less", async () => {
  let publishedAt = 0;
  for (let write = 2; publishedAt === 0; write++) {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", hosts(0, 300));
    const before = await leftOvers(storage);
    const full = fullFrom(storage, write);
    const failed = await publisher(full, signer)("malware", hosts(0, 3000)).catch(
      (error: unknown) => error,
    );
    const version = await checkWhole(storage);
    if (version === 2) {
      // Only the hint could not be written, and readers can do without it.
      publishedAt = write;
      continue;
    }
    expect(failed).toMatchObject({ code: "ENOSPC" });
    expect(await leftOvers(storage)).toEqual(before);
    expect((await publish("malware", hosts(0, 301))).outcome).toBe("changed");
    expect(await checkWhole(storage)).toBe(2);
  }
  expect(publishedAt).toBeGreaterThan(4);
});

test("what another publisher uses, or may use, is kept", async () => {
  let kept = 0;
  for (let seed = 0; seed < sampleSize(150, 50); seed++) {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", hosts(0, 200));
    const before = (await leftOvers(storage)).length;
    const slow = () => slowStorage(storage, random);
    const entries = hosts(0, 1000 + (seed % 2) * 1000);
    // Both publishers write the same objects, for one list or for two.
    const list = seed % 3 === 0 ? "malware" : "phishing";
    const [failed, other] = await Promise.allSettled([
      publisher(fullFrom(slow(), 2 + Math.floor(random() * 12)), signer)("malware", entries),
      (async () => {
        for (let turns = Math.floor(random() * 120); turns > 0; turns--) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        return publisher(slow(), signer)(list, entries);
      })(),
    ]);
    expect(other.status).toBe("fulfilled");
    await checkWhole(storage, list);
    await checkWhole(storage);
    if (failed.status === "rejected" && (await leftOvers(storage)).length > before) kept++;
    expect(await storage.list("tmp/")).toEqual([]);
  }
  expect(kept).toBeGreaterThan(sampleSize(10, 3));
});

test("a publisher waits while another deletes, but not for one that was killed meanwhile", async () => {
  const storage = memoryStorage();
  await storage.create("tmp/cleaner-at-work", new Uint8Array(0));
  let isMarked = false;
  const marked = markPublisher(storage).then((mark) => {
    isMarked = true;
    return mark;
  });
  for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(isMarked).toBe(false);
  await storage.delete("tmp/cleaner-at-work");
  await removeMark(storage, (await marked).name);

  let now = 0;
  const old = memoryStorage(() => now);
  await old.create("tmp/cleaner-killed", new Uint8Array(0));
  now = 60_000;
  await removeMark(old, (await markPublisher(old)).name);
});

test("a publisher that is killed while it deletes leaves the store whole", async () => {
  let done = false;
  for (let operation = 0; !done; operation++) {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", hosts(0, 300));
    const dying = killedAt(fullFrom(storage, 5), operation, "after");
    const error = await publisher(dying, signer)("malware", hosts(0, 3000)).catch(
      (each: unknown) => each as NodeJS.ErrnoException,
    );
    expect(await checkWhole(storage)).toBe(1);
    done =
      (error as NodeJS.ErrnoException).code === "ENOSPC" &&
      (await storage.list("tmp/")).length === 0;
  }
});
