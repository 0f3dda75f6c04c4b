import { memoryStorage, readContents, readNewest, rollBack, type Storage } from "@x/list-store";
import { expect, test } from "vitest";
import { Killed, killedAt } from "./support/failing-storage.ts";
import { namesOf } from "./support/names-of.ts";
import { DAY, hashesOf, newSigner, publisher } from "./support/publishing.ts";

const signer = await newSigner();
const GOOD = ["a.example/", "b.example/"];
const BAD = ["b.example/", "good.example/"];

async function publishBoth(storage: Storage): Promise<void> {
  for (const entries of [GOOD, BAD]) {
    const names = () => namesOf(entries);
    await publisher(storage, signer)("malware", entries, { names, despiteRollback: true });
  }
}

const newestOf = async (storage: Storage) =>
  (await readNewest({ storage, list: "malware", publicKeys: [signer.publicKey] }))!.manifest;

/** Publishes the entries of an older version again. */
const rollBackTo = (storage: Storage, version: number) =>
  rollBack({
    ...{ storage, list: "malware", signer, publicKeys: [signer.publicKey] },
    ...{ lifetime: 30 * DAY, version },
  });

test("a rollback that is killed at any storage operation is done or not done", async () => {
  let [done, notDone] = [0, 0];
  for (const when of ["before", "after"] as const) {
    for (let operation = 0; ; operation++) {
      const storage = memoryStorage();
      await publishBoth(storage);
      const died = await rollBackTo(killedAt(storage, operation, when), 1).then(
        () => false,
        (error) => {
          expect(error).toBeInstanceOf(Killed);
          return true;
        },
      );
      const newest = await newestOf(storage);
      const isDone = newest.version === 3;
      expect(newest).toMatchObject(isDone ? { version: 3, restores: 1 } : { version: 2 });
      const { fullHashes } = await readContents(storage, newest);
      const hex = (hashes: Uint8Array) =>
        Array.from({ length: 2 }, (_, i) =>
          Buffer.from(hashes.subarray(32 * i, 32 * i + 32)).toString("hex"),
        ).sort();
      expect(hex(Buffer.concat([...fullHashes]))).toEqual(hex(hashesOf(isDone ? GOOD : BAD)));
      // What was taken back is held off once the rollback is done, and only then.
      const again = await publisher(storage, signer)("malware", BAD);
      expect(again.rolledBack).toBe(isDone ? 2 : null);
      if (!died) break;
      if (isDone) done++;
      else notDone++;
    }
  }
  expect(done).toBeGreaterThan(1);
  expect(notDone).toBeGreaterThan(20);
});

test("a rollback that another publisher overtakes comes on top of its version", async () => {
  const storage = memoryStorage();
  await publishBoth(storage);
  let isOvertaken = false;
  const slow: Storage = {
    ...storage,
    async create(key, bytes) {
      if (key.includes("/v/") && !isOvertaken) {
        isOvertaken = true;
        await publisher(storage, signer)("malware", ["other.example/"]);
      }
      return storage.create(key, bytes);
    },
  };
  await rollBackTo(slow, 1);
  expect(isOvertaken).toBe(true);
  expect(await newestOf(storage)).toMatchObject({ version: 4, restores: 1 });
  // It takes that version back, too.
  const again = await publisher(storage, signer)("malware", ["other.example/"]);
  expect(again).toMatchObject({ outcome: "unchanged", rolledBack: 3 });
});
