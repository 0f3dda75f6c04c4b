import { collectGarbage, loadList, memoryStorage, type Storage } from "@x/list-store";
import { type OpenList, openList } from "@x/list-store/serving";
import { fullHash } from "@x/sha256-prefix";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  DAY,
  newSigner,
  publisher,
  randomNumbers,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { type FindListedSince, listedSinceFinder } from "../../src/serve/lists/listed-since.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";

const LIST = "malware";
const signer = await newSigner();
const network = () => "a";
const HOUR = DAY / 24;
const now = Date.now();
/** The time at which a version was issued. There is a version every hour, and the last one is new. */
const timeOf = (version: number, versions: number) => now - (versions - version) * HOUR;

/** Makes a store with these versions of a list and a function that loads the newest version. */
async function storeOf(versions: readonly (readonly string[])[]) {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  for (const [i, entries] of versions.entries()) {
    const time = timeOf(i + 1, versions.length);
    await publish(LIST, entries, { now: () => time, renewWithin: 60 * DAY });
  }
  const load = async (from = storage): Promise<OpenList> => {
    const stored = { storage: from, list: LIST, publicKeys: [signer.publicKey], now: () => now };
    return openList(from, (await loadList(stored))!, { window: 0 });
  };
  return { storage, load };
}

/** The number of the version that was issued at a time, if there was a version every hour. */
function versionOf(time: number, versions: number): number {
  return versions - (now - time) / HOUR;
}

function reading(storage: Storage) {
  const read: string[] = [];
  const counting: Storage = {
    ...storage,
    get(key, most) {
      read.push(key);
      return storage.get(key, most);
    },
  };
  return { counting, read };
}

describe("how long an entry has been listed", () => {
  test("agrees with the history, for random histories with entries that come again", async () => {
    const random = randomNumbers(7);
    const names = Array.from({ length: 30 }, (_, i) => `h${i}.example/`);
    for (let round = 0; round < 10; round++) {
      const versions = Array.from({ length: 12 }, (_, i) =>
        names.filter((_, k) => (k + i) % 7 !== 0 && random() < 0.8),
      );
      const { load } = await storeOf(versions);
      const list = await load();
      for (const window of [0, 3, 100]) {
        const find = listedSinceFinder({ window });
        for (const name of versions.at(-1)!) {
          let first = versions.length;
          while (first > 1 && versions[first - 2]!.includes(name)) first--;
          const { time, isExact } = await find(list, fullHash(name), network);
          const expected = Math.max(first, versions.length - window);
          expect([name, versionOf(time, versions.length)]).toEqual([name, expected]);
          expect(isExact).toBe(first === 1 ? expected === 1 : first > versions.length - window);
        }
      }
    }
  });

  test("signing again changes nothing", async () => {
    const { load } = await storeOf([["a/"], ["a/", "b/"], ["a/", "b/"], ["a/", "b/"]]);
    const list = await load();
    expect(list.entry.manifest.version).toBe(4);
    const find = listedSinceFinder({ window: 100 });
    const since = await find(list, fullHash("b/"), network);
    expect(since).toEqual({ time: timeOf(2, 4), isExact: true });
  });

  test("is at least since a version whose change was deleted, and says so", async () => {
    const { storage, load } = await storeOf([
      ["a/"],
      ["a/", "b/"],
      ["a/", "b/", "c/"],
      ["a/", "b/"],
    ]);
    await collectGarbage({
      ...{ storage, publicKeys: [signer.publicKey], keep: 1, keepChanges: 2, grace: 0 },
      now: () => now + DAY,
    });
    const find = listedSinceFinder({ window: 100 });
    const since = await find(await load(), fullHash("b/"), network);
    expect(since).toEqual({ time: timeOf(2, 4), isExact: false });
  });

  test("reads each change once, also for several at once, and for the next version only that one", async () => {
    const entries = Array.from({ length: 40 }, (_, i) => `h${i}.example/`);
    const { storage, load } = await storeOf(entries.map((_, i) => entries.slice(0, i + 1)));
    const { counting, read } = reading(storage);
    const find = listedSinceFinder({ window: 100 });
    const list = await load(counting);
    read.length = 0;
    const ask = (of: OpenList) =>
      Promise.all(["b", "c"].map((client) => find(of, fullHash(entries[0]!), () => client)));
    expect(await ask(list)).toEqual(Array(2).fill({ time: timeOf(1, 40), isExact: true }));
    // The objects of the first version are not read, because that version added all of its entries.
    expect(read.filter((key) => key.startsWith("objects/")).length).toBe(39);
    expect(read.length).toBe(39 + 39);
    await ask(list);
    expect(read.length).toBe(39 + 39);

    await publisher(storage, signer)(LIST, [...entries, "new/"], { now: () => now + HOUR });
    const next = await load(counting);
    read.length = 0;
    const [since] = await ask(next);
    expect(since).toEqual({ time: timeOf(1, 40), isExact: true });
    expect(read.filter((key) => key.startsWith("objects/")).length).toBe(1);
  });

  test("reads no more entries than it may", async () => {
    const many = Array.from({ length: 100 }, (_, i) => `many${i}/`);
    const { storage, load } = await storeOf([["a/"], ["a/", ...many], ["a/", "b/"]]);
    const { counting, read } = reading(storage);
    const find = listedSinceFinder({ window: 100, most: 50 });
    const list = await load(counting);
    read.length = 0;
    const since = await find(list, fullHash("a/"), network);
    expect(since).toEqual({ time: timeOf(2, 3), isExact: false });
    expect(read.filter((key) => key.startsWith("objects/")).length).toBe(1);
  });

  test("refuses a client with too many waiting requests", async () => {
    const { load } = await storeOf([["a/"], ["a/", "b/"]]);
    const find: FindListedSince = listedSinceFinder({ window: 100 });
    const list = await load();
    const asked = Array.from({ length: 100 }, () => find(list, fullHash("a/"), network));
    const ended = await Promise.allSettled(asked);
    const refused = ended.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(50);
    expect(refused).toContainEqual({
      status: "rejected",
      reason: expect.objectContaining({ status: 429 }),
    });
    expect(ended.length - refused.length).toBeGreaterThan(20);
  });
});

describe("the page about an address", () => {
  const BROWSER = { Accept: "text/html,application/xhtml+xml" };
  const operator = { name: "Example Ltd", text: null, contact: "lists@example.com" };
  let server: LoggedServer;
  beforeAll(async () => {
    const { storage } = await storeOf([
      ["other/"],
      ["other/", "evil.example/<bad>/"],
      ["evil.example/<bad>/", "evil.example/"],
    ]);
    await publisher(storage, signer)("our-own", ["evil.example/"]);
    await publisher(storage, signer)("intranet", ["secret.example/"]);
    const keys = `${hashApiKey("a-key")} intranet`;
    server = await startLoggedServer(storage, signer, { keys, operator });
  });
  afterAll(() => server.stop());

  async function ask(body: string, headers: Record<string, string> = BROWSER) {
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const options = { method: "POST", headers: { ...type, ...headers }, body };
    const response = await fetch(`${server.origin}/blocked?key=a-key`, options);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
  const askFor = (url: string) => ask(`${new URLSearchParams({ url })}`);

  test("says which entries of which lists it is, and since when", async () => {
    const { status, text, headers } = await askFor("http://evil.example/<bad>/x");
    expect(status).toBe(200);
    expect(text).toContain("<bdi>http://evil.example/&lt;bad&gt;/x</bdi>");
    expect(text).not.toContain("<bad>");
    const since = (version: number) =>
      `has been listed since <time datetime="${new Date(timeOf(version, 3)).toISOString()}">`;
    expect(text).toContain(`<bdi>evil.example/&lt;bad&gt;/</bdi></code> ${since(2)}`);
    expect(text).toContain(`<bdi>evil.example/</bdi></code> ${since(3)}`);
    expect(text).toContain('<a href="/blocked/our-own">our-own</a>');
    expect(text).toContain(
      "subject=Blocked%20by%20mistake%3A%20malware%2C%20our-own&amp;body=http%3A%2F%2Fevil.example%2F%3Cbad%3E%2Fx",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("form-action 'self'");
  });

  test("a private list is not searched, and looks like none", async () => {
    const [closed, unknown] = await Promise.all([
      askFor("http://secret.example/"),
      askFor("http://nobody.example/"),
    ]);
    expect(closed.text).toContain("No public list of this server has this address now.");
    expect(closed.text.replaceAll("secret", "nobody")).toBe(unknown.text);
  });

  test("the log and the metrics have nothing of the address", async () => {
    await askFor("http://hidden.example/");
    await ask("url=hidden:hidden");
    expect(server.log()).toContain('"method":"POST"');
    expect(server.log()).not.toContain("hidden");
    expect(await (await fetch(`${server.origin}/metrics`)).text()).not.toContain("hidden");
  });

  test.each([
    ["nothing", "", 400, "Give the address"],
    ["another field first", "x=1&url=http://evil.example/", 400, "Give the address"],
    ["blanks", "url=+++", 400, "Give the address"],
    ["what is not a URL", "url=mailto:x", 400, "mailto:x"],
    ["a long address", `url=http://evil.example/${"a".repeat(70_000)}`, 400, "too long"],
    ["a longer one", `url=http://evil.example/${"a".repeat(200_000)}`, 413, "too long"],
  ])(
    "%s is refused in words for a person, and as an error for a program",
    async (_, body, status, words) => {
      const page = await ask(body);
      expect(page.status).toBe(status);
      expect(page.text).toContain(words);
      expect(page.text).toContain('<form method="post" action="/blocked">');
      const error = await ask(body, { Accept: "*/*" });
      expect(JSON.parse(error.text)).toMatchObject({ error: { code: status } });
    },
  );

  test("says so when a list cannot be searched, and never that it does not have the address", async () => {
    const { storage, load } = await storeOf([["evil.example/"]]);
    const [shard] = (await load()).hashLayers[0]!.shards;
    const broken: Storage = {
      ...storage,
      get: async (key, most) => (key.includes(shard!) ? null : storage.get(key, most)),
    };
    const other = await startLoggedServer(broken, signer, { operator });
    const response = await fetch(`${other.origin}/blocked`, {
      method: "POST",
      headers: { ...BROWSER, "Content-Type": "application/x-www-form-urlencoded" },
      body: "url=http://evil.example/",
    });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("Part of the list malware cannot be searched.");
    await other.stop();
  });
});
