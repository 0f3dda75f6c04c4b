import { type About, memoryStorage, readNewest, renew, type Storage } from "@x/list-store";
import { expect, test } from "vitest";
import { signNote } from "../src/signed-note.ts";
import { versionKey } from "../src/storage.ts";
import { DAY, newSigner, publisher } from "./support/publishing.ts";

const signer = await newSigner();
const renewal = (storage: Storage) => ({
  ...{ storage, list: "malware", signer, publicKeys: [signer.publicKey], lifetime: 30 * DAY },
});
const PHISHING = { reason: "phishing", contact: "lists@example.com" };

test("what a list is about stays until it is changed, and only then makes a version", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const { manifest } = await publish("malware", ["a/"], { about: PHISHING });
  expect(manifest.about).toEqual(PHISHING);
  expect(await renew({ ...renewal(storage), about: { ...PHISHING } })).toMatchObject({
    outcome: "unchanged",
  });
  expect((await publish("malware", ["b/"])).manifest).toMatchObject({
    version: 2,
    about: PHISHING,
  });
  expect(await renew({ ...renewal(storage), about: { reason: "spam" } })).toMatchObject({
    outcome: "renewed",
    manifest: { version: 3, about: { reason: "spam" }, change: null, contents: { since: 2 } },
  });
  const { outcome, manifest: last } = await publish("malware", ["b/"], { about: null });
  expect({ outcome, about: last.about }).toEqual({ outcome: "renewed", about: undefined });
});

const WRONG: readonly unknown[] = [
  { reason: "" },
  { reason: "two\nlines" },
  { contact: "x".repeat(1001) },
  { reason: 1 },
  { contact: null },
];

test.each(WRONG)("%j is refused by publishers and readers", async (about) => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await expect(publish("malware", ["a/"], { about: about as About })).rejects.toMatchObject({
    code: "invalid",
  });
  await publish("malware", ["a/"]);
  const [{ note }] = [(await readNewest(renewal(storage)))!];
  const [first, json] = Buffer.from(note).toString().split("\n");
  const text = `${first}\n${JSON.stringify({ ...JSON.parse(json!), about })}\n`;
  await storage.put(versionKey("malware", 1), await signNote(text, signer));
  await expect(readNewest(renewal(storage))).rejects.toMatchObject({ code: "damaged" });
});
