import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directoryStorage } from "@x/client/node";
import { type About, memoryStorage } from "@x/list-store";
import { readHint } from "@x/list-store/serving";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { readDnsSite } from "../../src/cli/serving/dns-options.ts";
import { parseSettings } from "../../src/cli/settings/settings-file.ts";
import { reasonWith } from "../../src/dns/dns-server.ts";
import type { DnsListState, ListsSource } from "../../src/dns/followed-lists.ts";
import { type DnsLists, openDnsLists } from "../../src/dns/lists.ts";
import { eventually, type OtherServer, otherServer } from "../support/upstream.ts";

const signer = await newSigner();

let other: OtherServer;
let folder: string;
const open: DnsLists[] = [];
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
beforeEach(async () => {
  other = await otherServer({ "mw-4b": ["evil.example/", "page.example/bad"] });
  folder = mkdtempSync(join(tmpdir(), "dns-"));
  for (const each of Object.values(log)) each.mockReset();
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
  await other.stop().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
});

async function lists(source: ListsSource, blocksOnPrefix = false): Promise<DnsLists> {
  const opened = await openDnsLists({ sources: [source], blocksOnPrefix, log });
  open.push(opened);
  return opened;
}

const v5 = (): ListsSource => ({
  name: "other",
  client: {
    ...{ protocol: "v5", server: other.origin, timeout: 2000 },
    storage: directoryStorage(folder),
  },
  lists: async () => ["mw-4b"],
  poll: 0,
});

/** A store in memory, with a list, and its source. */
async function stored(entries: readonly string[]) {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  if (entries.length > 0) await publish("malware", entries);
  const source: ListsSource = {
    name: "the store",
    client: {
      ...{ protocol: "store", server: "memory:store", publicKeys: [signer.publicKey] },
      store: { open: () => storage, prefixBytes: 8 },
    },
    lists: async () => ((await storage.list("lists/")).length > 0 ? ["malware"] : []),
    hasNews: async (names) =>
      (await Promise.all(names.map((list) => readHint(storage, list)))).join(),
    poll: 20,
  };
  return { storage, publish, source };
}

const FORWARD = { kind: "forward" };
const blockedBy = (list: string, entry: string) => ({ kind: "block", list, entry });

test("a server is asked about a prefix of four bytes before a name is blocked", async () => {
  const { decide } = await lists(v5());
  expect(decide("good.example")).toEqual(FORWARD);
  expect(await decide("www.evil.example")).toEqual(blockedBy("mw-4b", "evil.example/"));
  // The second answer is remembered.
  expect(decide("evil.example")).toEqual(blockedBy("mw-4b", "evil.example/"));
  expect(decide("page.example")).toEqual(FORWARD);
  expect(other.asked.filter((path) => path.includes("hashes:search"))).toHaveLength(1);
});

test("a name that only shares a prefix with an entry is not blocked, unless the operator wants it", async () => {
  other.set("mw-4b", ["innocent.example/"]);
  // The server has the prefix, but another entry begins with it.
  Object.assign(other.lists["mw-4b"]!, { fullHashes: [] });
  const asking = await lists(v5());
  const decision = await asking.decide("innocent.example");
  await asking.stop();
  expect(decision).toEqual(FORWARD);
  const { decide } = await lists(v5(), true);
  expect(decide("innocent.example")).toEqual(blockedBy("mw-4b", "innocent.example/"));
});

test("a name that no site can have is blocked below a host that is listed", async () => {
  const name = "a'b.evil.example";
  const { decide } = await lists(v5());
  expect(await decide(name)).toEqual(blockedBy("mw-4b", "evil.example/"));
  expect(decide("a'b.good.example")).toEqual(FORWARD);
  const unconfirmed = await lists(v5());
  await other.stop();
  expect(await unconfirmed.decide(name)).toMatchObject({ kind: "unsure" });
});

test("nothing is decided while the server does not answer", async () => {
  const { decide, states } = await lists(v5());
  await other.stop();
  expect(decide("good.example")).toEqual(FORWARD);
  expect(states()).toMatchObject([{ name: "mw-4b", entries: 2, problem: null }]);
  expect(await decide("evil.example")).toEqual({ kind: "unsure", reason: "server-unreachable" });
  expect(states()[0]!.problem).toMatch(/^Names on the list mw-4b cannot be confirmed: /);
  // When the server answers again, that is noticed although nobody asks about a name.
  await other.start();
  await eventually(() => expect(states()[0]!.problem).toBeNull());
  expect(await decide("evil.example")).toEqual(blockedBy("mw-4b", "evil.example/"));
});

test("a server may not remove more of a list than the settings allow", async () => {
  const hosts = Array.from({ length: 200 }, (_, i) => `host${i}.example/`);
  const site = (maxRemoved: string | number) =>
    readDnsSite(
      parseSettings(
        stringify({
          dns: { resolvers: ["192.0.2.53"], folder },
          upstreams: {
            other: { server: other.origin, lists: ["mw-4b"], "max-removed": maxRemoved },
          },
        }),
        join(folder, "s.yaml"),
      ).settings,
      { env: {} },
      () => {},
    );
  /** Opens the lists as they are after the settings have been read again. */
  async function reloaded(maxRemoved: string | number, before?: DnsLists): Promise<DnsLists> {
    await before?.stop();
    const { sources } = await site(maxRemoved);
    const next = await openDnsLists({ sources, blocksOnPrefix: false, before, log });
    open.push(next);
    return next;
  }
  other.set("mw-4b", hosts);
  const first = await reloaded("10%");
  expect(first.states()).toMatchObject([{ entries: 200, problem: null }]);

  other.set("mw-4b", hosts.slice(100));
  const second = await reloaded("10%", first);
  const [{ entries, problem }] = second.states() as [DnsListState];
  expect(entries).toBe(200);
  expect(problem).toMatch(/100 of 200 entries would be removed; at most 20 may be; .* to 100, /);
  expect((await site(100)).sourcesKey).not.toBe((await site("10%")).sourcesKey);
  const third = await reloaded(100, second);
  expect(third.states()).toMatchObject([{ entries: 100, problem: null }]);

  other.set("mw-4b", []);
  const fourth = await reloaded(100, third);
  expect(fourth.states()[0]).toMatchObject({
    entries: 100,
    problem: expect.stringContaining("it is empty"),
  });
  expect((await reloaded("100%", fourth)).states()).toMatchObject([{ entries: 0, problem: null }]);
});

test("lists that have not arrived decide nothing, and are a problem", async () => {
  await other.stop();
  const { decide, states } = await lists(v5());
  expect(decide("good.example")).toEqual({ kind: "unsure", reason: "not-loaded" });
  expect(states()[0]!.problem).toMatch(/^The list mw-4b has not been loaded yet: /);
  await eventually(async () => expect(log.error).toHaveBeenCalledTimes(1));
});

test("a decision has the reason and the contact that are signed with the list", async () => {
  const { publish, source } = await stored([]);
  await publish("malware", ["evil.example/"], { about: { reason: "phishing" } });
  const { decide } = await lists(source);
  const decision = decide("www.evil.example");
  expect(decision).toEqual({
    ...blockedBy("malware", "evil.example/"),
    about: { reason: "phishing" },
  });
  const about = { reason: "malware", contact: "lists@example.com" };
  await publish("malware", ["evil.example/", "other.example/"], { about });
  await eventually(async () => expect(await decide("evil.example")).toMatchObject({ about }));
});

test("an Extended DNS Error names the list, its reason and its contact, or the operator's", () => {
  const reasonFor = reasonWith(15, "dns@example.com");
  const text = (about?: About) => reasonFor("malware", about).text;
  expect(text()).toBe("list malware; dns@example.com");
  expect(text({ reason: "phishing" })).toBe("list malware; phishing; dns@example.com");
  expect(text({ reason: "phishing", contact: "lists@example.com" })).toBe(
    "list malware; phishing; lists@example.com",
  );
  expect(reasonWith(15, null)("malware", undefined)).toEqual({ code: 15, text: "list malware" });
});

test("lists are kept for the next start", async () => {
  const first = await lists(v5());
  await first.stop();
  await other.stop();
  const { decide } = await lists(v5());
  expect(decide("good.example")).toEqual(FORWARD);
});

test("a store needs no questions, and its new versions are used", async () => {
  const { publish, source } = await stored(["evil.example/"]);
  const { decide } = await lists(source);
  expect(decide("www.evil.example")).toEqual(blockedBy("malware", "evil.example/"));
  expect(decide("new.example")).toEqual(FORWARD);
  await publish("malware", ["new.example/"]);
  await eventually(async () => expect(decide("evil.example")).toEqual(FORWARD));
  expect(decide("new.example")).toEqual(blockedBy("malware", "new.example/"));
});

test("a store without lists decides nothing until it has one", async () => {
  const { publish, source } = await stored([]);
  const { decide, states } = await lists(source);
  expect(decide("evil.example")).toEqual({ kind: "unsure", reason: "there are no lists" });
  expect(states()).toMatchObject([{ problem: "the store has no lists yet" }]);
  await publish("malware", ["evil.example/"]);
  await eventually(async () =>
    expect(decide("evil.example")).toEqual(blockedBy("malware", "evil.example/")),
  );
  expect(states()).toMatchObject([{ name: "malware", entries: 1, problem: null }]);
});

test("a store that does not answer keeps nobody waiting", async () => {
  const { source } = await stored(["evil.example/"]);
  const endless = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const options = { blocksOnPrefix: false, patience: 50, log };
  const none = await openDnsLists({ ...options, sources: [{ ...source, lists: endless }] });
  expect(none.decide("evil.example")).toMatchObject({ kind: "unsure" });
  await none.stop();
  const hasNews = (_: unknown, signal: AbortSignal) => endless(signal);
  const unread = await openDnsLists({ ...options, sources: [{ ...source, hasNews }] });
  expect(unread.decide("evil.example")).toMatchObject({ kind: "unsure", reason: "not-loaded" });
  await unread.stop();
});

test("a store that cannot be read keeps its last lists, and is a problem", async () => {
  const { source } = await stored(["evil.example/"]);
  let isBroken = false;
  const { decide, states } = await lists({
    ...source,
    async hasNews() {
      if (isBroken) throw new Error("the disk is gone");
      return "";
    },
  });
  isBroken = true;
  await eventually(async () =>
    expect(states().at(-1)!.problem).toBe("the store cannot be read: the disk is gone"),
  );
  expect(decide("evil.example")).toEqual(blockedBy("malware", "evil.example/"));
});

test.each([
  ["", 15_000],
  [", even if the clock is set back", -3_600_000],
])(
  "a store that could not be read is soon read again, even if it has nothing newer%s",
  async (_, step) => {
    const { storage, publish, source } = await stored(["evil.example/"]);
    let isBroken = false;
    const get: typeof storage.get = async (key, most) =>
      isBroken && key.startsWith("objects/") ? null : storage.get(key, most);
    const { store } = source.client;
    const client = { ...source.client, store: { ...store, open: () => ({ ...storage, get }) } };
    const { decide, states } = await lists({ ...source, client });
    isBroken = true;
    await publish("malware", ["evil.example/", "new.example/"]);
    await eventually(async () => expect(states()[0]!.problem).toMatch(/is missing$/));
    isBroken = false;
    const now = Date.now;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + step);
    await eventually(async () =>
      expect(decide("new.example")).toEqual(blockedBy("malware", "new.example/")),
    ).finally(() => clock.mockRestore());
  },
);

test("the error of one list is no problem of the others", async () => {
  const { source } = await stored(["evil.example/"]);
  const { decide, states } = await lists({ ...source, lists: async () => ["empty", "malware"] });
  await eventually(async () =>
    expect(states().map(({ problem }) => problem)).toEqual([
      'The list empty is unknown to its server: The server memory:store has no list "empty"',
      null,
    ]),
  );
  expect(decide("evil.example")).toEqual(blockedBy("malware", "evil.example/"));
});

describe("new settings", () => {
  const nothing = new Error("nobody answers");
  async function replaced(change: (source: ListsSource) => ListsSource) {
    const good = await stored(["evil.example/"]);
    const first = await lists(good.source);
    const other = await stored([]);
    await first.stop();
    const next = await openDnsLists({
      ...{ sources: [change(other.source)], blocksOnPrefix: false, patience: 50, log },
      before: first,
    });
    open.push(next);
    return { next, publish: other.publish };
  }

  test.each<[string, (source: ListsSource) => ListsSource]>([
    ["is empty", (source) => source],
    ["fails", (source) => ({ ...source, lists: () => Promise.reject(nothing) })],
    ["is silent", (source) => ({ ...source, lists: () => new Promise(() => {}) })],
  ])("with a store that %s leave the lists in use", async (_, change) => {
    const { next } = await replaced(change);
    expect(next.decide("evil.example")).toEqual(blockedBy("malware", "evil.example/"));
    expect(next.decide("good.example")).toEqual(FORWARD);
    expect(next.states().some(({ problem }) => problem !== null)).toBe(true);
    expect(log.warn.mock.calls).toEqual([
      ["the previous lists stay in use until the new ones can be relied on"],
    ]);
    const again = await openDnsLists({
      ...{ sources: [], blocksOnPrefix: false, log, before: next },
    });
    open.push(again);
    expect(again.decide("evil.example")).toEqual(FORWARD);
    expect(again.lastGood()).toBe(again);
    // The test of a silent store would wait for it.
    open.splice(open.indexOf(next), 1);
  });

  test("use the new lists as soon as they can be relied on", async () => {
    const { next, publish } = await replaced((source) => source);
    expect(next.lastGood()).not.toBe(next);
    await publish("malware", ["new.example/"]);
    await eventually(async () => expect(next.lastGood()).toBe(next));
    expect(next.decide("evil.example")).toEqual(FORWARD);
    expect(next.decide("new.example")).toEqual(blockedBy("malware", "new.example/"));
    expect(log.info).toHaveBeenCalledWith("the new lists are used");
  });
});
