import { urlHistory } from "@x/client/history";
import {
  collectGarbage,
  generateSigningKey,
  memoryStorage,
  publish,
  type StoredList,
  signerOf,
} from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";

const DAY = 86_400_000;
const START = Date.UTC(2040, 0, 1);
const ABOUT = { reason: "phishing", contact: "lists@lists.example" };

/** Publishes a list with these entries, a new version a day. */
async function listOf(...versions: readonly (readonly string[])[]): Promise<StoredList> {
  let time = START;
  const signer = await signerOf(await generateSigningKey("lists.example"));
  const stored = {
    storage: memoryStorage(() => time),
    list: "bad",
    publicKeys: [signer.publicKey],
  };
  for (const [i, entries] of versions.entries()) {
    const fullHashes = entries.map((entry) => fullHash(entry));
    time = START + i * DAY;
    const now = () => time;
    await publish({ ...stored, fullHashes, signer, lifetime: DAY, about: ABOUT, now });
  }
  return stored;
}

const changesOf = (records: Awaited<ReturnType<typeof urlHistory>>) =>
  Object.fromEntries(
    records!
      .filter(({ changes }) => changes.length > 0)
      .map(({ expression, changes }) => [
        expression,
        changes.map(({ version, change }) => `${version} ${change}`),
      ]),
  );

test("each expression of a URL has its changes", async () => {
  const stored = await listOf(["a.example/"], ["a.example/b/"], ["a.example/b/", "a.example/"]);
  const records = await urlHistory("https://user@a.example:8080/b/c#d", stored);
  expect(records!.map(({ expression }) => expression)).toEqual([
    "a.example/b/c",
    "a.example/",
    "a.example/b/",
  ]);
  expect(changesOf(records)).toEqual({
    "a.example/": ["1 added", "2 removed", "3 added"],
    "a.example/b/": ["2 added"],
  });
  expect(records![2]).toEqual({
    list: "bad",
    about: ABOUT,
    expression: "a.example/b/",
    listed: true,
    changes: [
      { version: 2, issued: START + DAY, change: "added", certain: true, orEarlier: false },
    ],
    begins: { version: 1, issued: START },
    newest: { version: 3, issued: START + 2 * DAY, expires: START + 3 * DAY },
    chance: 2 / 2 ** 32,
  });
});

test("what the first four bytes of a hash cannot tell apart is not certain", async () => {
  const stored = await listOf(["a.example/"], ["b.example/"], ["c.example/"]);
  const now = () => START + 30 * DAY;
  await collectGarbage({ ...stored, keep: 1, keepChanges: 1, grace: 0, now });
  const [record] = (await urlHistory("http://b.example/", stored))!;
  expect(record!.changes.map(({ version, certain }) => [version, certain])).toEqual([
    [2, false],
    [3, false],
  ]);
});

test("a URL is read as browsers read it, too", async () => {
  const stored = await listOf(["evil.example/"], ["good.example/"]);
  expect(changesOf(await urlHistory("http://evil.example\\@good.example/", stored))).toEqual({
    "evil.example/": ["1 added", "2 removed"],
    "good.example/": ["2 added"],
  });
});

test("a function for registrable domains adds the expressions of v5 to those of v4", async () => {
  // The last five labels begin at d.
  const stored = await listOf(["c.d.e.f.g.example/"], ["d.e.f.g.example/"]);
  const url = "http://a.b.c.d.e.f.g.example/";
  const registrableDomain = () => "e.f.g.example";
  expect(changesOf(await urlHistory(url, stored))).toEqual({ "d.e.f.g.example/": ["2 added"] });
  expect(changesOf(await urlHistory(url, stored, { registrableDomain }))).toEqual({
    "c.d.e.f.g.example/": ["1 added", "2 removed"],
    "d.e.f.g.example/": ["2 added"],
  });
});

test("a list that the store does not have is null", async () => {
  const stored = await listOf(["a.example/"]);
  expect(await urlHistory("http://a.example/", { ...stored, list: "other" })).toBe(null);
});

test.each([
  ["http://", "host-missing"],
  ["hxxp://a.example/", "url-unclear"],
  ['http://a.example"/', "host-invalid"],
])("%s is refused before the store is read", async (url, code) => {
  const stored = await listOf(["a.example/"]);
  const reading = urlHistory(url, { ...stored, storage: null! });
  await expect(reading).rejects.toMatchObject({ name: "CanonError", code });
});

test("a store that another key signed is refused", async () => {
  const stored = await listOf(["a.example/"]);
  const { publicKeys } = await listOf();
  await expect(urlHistory("http://a.example/", { ...stored, publicKeys })).rejects.toMatchObject({
    name: "StoreError",
  });
});
