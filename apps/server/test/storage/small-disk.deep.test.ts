import { readContents, readNewest, readSnapshot } from "@x/list-store";
import { expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { isSystemError, systemProblem } from "../../src/cli/errors.ts";
import { smallStorage } from "../support/small-storage.ts";

const signer = await newSigner();
const publicKeys = [signer.publicKey];
const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `h${from + i}.example/`);

test("on a small file system, a list that is too long leaves room for a shorter one", async () => {
  const { storage, remove } = smallStorage(2 ** 20);
  try {
    const publish = publisher(storage, signer);
    await publish("malware", hosts(0, 100));
    for (let round = 0; round < 5; round++) {
      const error = await publish("malware", hosts(0, 40_000)).catch((each: unknown) => each);
      expect(isSystemError(error) && systemProblem(error)).toMatch(
        /\S+ cannot be written, because the disk is full$/,
      );
      expect((await publish("malware", hosts(0, 2000 + round))).outcome).toBe("changed");
      const newest = (await readNewest({ storage, list: "malware", publicKeys }))!;
      expect(newest.manifest.version).toBe(round + 2);
      expect((await readContents(storage, newest.manifest)).fullHashes).not.toEqual([]);
      expect((await readSnapshot(storage, newest.manifest)).prefixes.size).toBe(2000 + round);
    }
    expect(await storage.list("tmp/")).toEqual([]);
  } finally {
    remove();
  }
});
