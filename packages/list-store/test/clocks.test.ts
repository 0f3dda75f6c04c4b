import { loadList, memoryStorage, readEntry, renew } from "@x/list-store";
import { describe, expect, test } from "vitest";
import { DAY, newSigner, publisher } from "./support/publishing.ts";

const signer = await newSigner();
const KEYS = [signer.publicKey];
const HOUR = DAY / 24;

describe("a publisher", () => {
  test("with a clock that is slow publishes nothing after a version that was signed later", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["a/"]);
    const slow = { now: () => Date.now() - 40 * DAY };
    const refused = {
      code: "signed-later",
      message: expect.stringMatching(/was signed at .*: set the clock$/),
    };
    await expect(publish("malware", ["b/"], slow)).rejects.toMatchObject(refused);
    await expect(publish("malware", ["a/"], slow)).rejects.toMatchObject(refused);
    const renewal = { storage, list: "malware", signer, publicKeys: KEYS, lifetime: DAY };
    await expect(renew({ ...renewal, ...slow, dryRun: true })).rejects.toMatchObject(refused);
    expect(await readEntry(storage, "malware", 2)).toBeNull();
  });

  test.each([
    ["slow", -40 * DAY],
    ["fast", 400 * DAY],
  ])(
    "with a clock that is %s publishes nothing on a storage with another clock",
    async (_, shift) => {
      const storage = memoryStorage(() => Date.now() - shift);
      await expect(publisher(storage, signer)("malware", ["a/"])).rejects.toMatchObject({
        code: "wrong-clock",
        message: expect.stringMatching(/but the storage wrote a file at .*: set the clock/),
      });
      expect(await storage.list("")).toEqual([]);
    },
  );

  test("with a clock that is a little behind signs no time before the last version's", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    const first = await publish("malware", ["a/"]);
    const second = await publish("malware", ["b/"], { now: () => Date.now() - HOUR / 2 });
    expect(second.manifest.issued).toBe(first.manifest.issued);
    expect(second.manifest.expires).toBe(first.manifest.issued + 30 * DAY);
  });

  test("that trusts its own clock replaces a version from the future, changed or not", async () => {
    for (const entry of ["a/", "b/"]) {
      const storage = memoryStorage();
      const publish = publisher(storage, signer);
      await publish("malware", ["a/"], { now: () => Date.now() + 400 * DAY });
      await expect(loadList({ storage, list: "malware", publicKeys: KEYS })).rejects.toMatchObject({
        code: "signed-in-future",
      });
      await expect(publish("malware", [entry])).rejects.toMatchObject({ code: "signed-later" });
      const { manifest } = await publish("malware", [entry], { trustsClock: true });
      expect(manifest.version).toBe(2);
      expect(manifest.issued).toBeLessThanOrEqual(Date.now());
      expect(
        (await loadList({ storage, list: "malware", publicKeys: KEYS }))!.entry.manifest,
      ).toEqual(manifest);
    }
  });
});

describe("a reader", () => {
  test("refuses a version from the far future, and goes on when it is replaced", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["a/"]);
    const loaded = (await loadList({ storage, list: "malware", publicKeys: KEYS }))!;
    await publish("malware", ["b/"], { now: () => Date.now() + 400 * DAY });
    await expect(loadList({ storage, list: "malware", publicKeys: KEYS })).rejects.toMatchObject({
      code: "signed-in-future",
      message: expect.stringMatching(
        /^Version 2 of malware says it was signed at \S+, which is in/,
      ),
    });
    await publish("malware", ["b/"], { trustsClock: true });
    expect(
      (await loadList({ storage, list: "malware", publicKeys: KEYS }, loaded))!.entry.manifest
        .version,
    ).toBe(3);
  });

  test("accepts a version from a publisher whose clock is an hour ahead", async () => {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", ["a/"], { now: () => Date.now() + HOUR });
    expect(await loadList({ storage, list: "malware", publicKeys: KEYS })).not.toBeNull();
  });
});
