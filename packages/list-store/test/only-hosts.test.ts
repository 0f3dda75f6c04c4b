import { memoryStorage, readNewest, renew, rollBack, type Storage, withdraw } from "@x/list-store";
import { expect, test } from "vitest";
import { signNote } from "../src/signed-note.ts";
import { versionKey } from "../src/storage.ts";
import { DAY, newSigner, publisher } from "./support/publishing.ts";

const signer = await newSigner();
const renewal = (storage: Storage) => ({
  ...{ storage, list: "malware", signer, publicKeys: [signer.publicKey], lifetime: 30 * DAY },
});

test("a version says that all entries are for whole hosts only if its publisher does", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const flagOf = async (publishing: ReturnType<typeof publish>) => {
    const { outcome, manifest } = await publishing;
    return [outcome, manifest.onlyHosts];
  };
  const marked = { onlyHosts: true };
  expect(await flagOf(publish("malware", ["a/"]))).toEqual(["changed", undefined]);
  // The same entries with another mark are a new version.
  expect(await flagOf(publish("malware", ["a/"], marked))).toEqual(["changed", true]);
  expect(await flagOf(publish("malware", ["a/"], marked))).toEqual(["unchanged", true]);
  const again = { ...renewal(storage), renewWithin: 31 * DAY };
  expect(await flagOf(renew(again))).toEqual(["renewed", true]);
  expect(await flagOf(publish("malware", ["a/", "b/c"]))).toEqual(["changed", undefined]);
  expect(await flagOf(rollBack({ ...renewal(storage), version: 2 }))).toEqual(["changed", true]);
  // A publisher that leaves a rollback as it is does not change the mark, either.
  const held = publish("malware", ["b/c"], { respectsHold: true });
  expect(await flagOf(held)).toEqual(["unchanged", true]);
  const edit = () => ({ fullHashes: [] });
  expect(await flagOf(rollBack({ ...renewal(storage), version: 2, edit }))).toEqual([
    ...["changed", undefined],
  ]);
  expect(await flagOf(publish("malware", ["a/"], marked))).toEqual(["changed", true]);
  expect(await flagOf(withdraw(renewal(storage)))).toEqual(["changed", undefined]);
});

test.each([false, 1, "true", null])("the mark %j is damage", async (onlyHosts) => {
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["a/"]);
  const { note } = (await readNewest(renewal(storage)))!;
  const [first, json] = Buffer.from(note).toString().split("\n");
  const text = `${first}\n${JSON.stringify({ ...JSON.parse(json!), onlyHosts })}\n`;
  await storage.put(versionKey("malware", 1), await signNote(text, signer));
  await expect(readNewest(renewal(storage))).rejects.toMatchObject({ code: "damaged" });
});
