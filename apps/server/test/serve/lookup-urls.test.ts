import { tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { readUrl } from "@x/canon/readings";
import { expressions } from "@x/expressions";
import { memoryStorage } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { createAnswering } from "../../src/serve/answering.ts";
import { hashApiKey, NO_API_KEYS } from "../../src/serve/api-keys.ts";
import { fullHashFinder } from "../../src/serve/lists/search-lists.ts";
import type { ServedList } from "../../src/serve/lists/served-lists.ts";
import { storedLists } from "../../src/serve/lists/stored-lists.ts";
import { lookUpUrls } from "../../src/serve/lookup/lookup-urls.ts";
import { listsWithUrls } from "../../src/serve/protocols/matches-of-urls.ts";
import { apiKeysFrom } from "../support/api-keys.ts";
import { hashesInMemory } from "../support/serving.ts";

const CALLER = { key: null, network: () => "client" };
const HOSTS = ["a.example", "b.a.example", "c.example", "1.2.3.4"];
const PATHS = ["/", "/x/", "/x/y", "/x/y?q"];
const EXPRESSIONS = HOSTS.flatMap((host) => PATHS.map((path) => host + path));
const WHOLE_HOSTS = HOSTS.map((host) => `${host}/`);

/** A full hash with the same prefix as that of an expression, but with other bytes after it. */
function otherHash(expression: string): Uint8Array {
  const hash = Buffer.from(fullHash(expression));
  hash.fill(0, 4);
  return hash;
}

/**
 * Publishes lists of some expressions and of hashes that share only their prefix with other expressions. Lists whose
 * expressions are all whole hosts are marked as such.
 */
async function publishedLists(listed: readonly (readonly string[])[], same: readonly string[]) {
  const signer = await newSigner();
  const storage = memoryStorage();
  for (const [i, entries] of listed.entries()) {
    const others = same.filter((expression) => !entries.includes(expression));
    const hashes = [...entries.map((each) => fullHash(each)), ...others.map(otherHash)];
    await publisher(storage, signer)(`list${i}`, [], {
      fullHashes: [Buffer.concat(hashes)],
      onlyHosts: entries.every((each) => WHOLE_HOSTS.includes(each)),
    });
  }
  const hashes = hashesInMemory();
  const lists = storedLists({
    storage,
    hashes,
    publicKeys: [signer.publicKey],
    window: 1,
    seen: new Map(),
    onLoaded() {},
  });
  await lists.refresh();
  const findFullHashes = fullHashFinder(hashes);
  return {
    publish: publisher(storage, signer),
    answering: createAnswering({
      ...{ lists, findFullHashes, keys: NO_API_KEYS },
      ...{ wait: 0, cache: 0, now: Date.now },
    }),
  };
}

type Published = Awaited<ReturnType<typeof publishedLists>>;

/** Finds matches the plain way: parses both readings, makes the expressions, hashes each, and finds each hash. */
async function plainMatches(
  url: string,
  lists: readonly ServedList[],
  { answering }: Published,
): Promise<string[] | null> {
  const readings = [tryParseUrl(url), tryParseUrlAsBrowser(url)].filter((each) => each !== null);
  if (readings.length === 0) return null;
  const found: string[] = [];
  for (const expression of new Set(readings.flatMap((reading) => expressions(reading)))) {
    for (const list of lists) {
      const { hashes } = await answering.findFullHashes(
        list.loaded!,
        fullHash(expression),
        CALLER.network,
      );
      if (hashes.length > 0) found.push(`${list.name} ${expression}`);
    }
  }
  return found.sort();
}

const host = fc.oneof(
  fc.constantFrom(...HOSTS, "z.a.example", "other.example", "[::1]", "0x1.2.772"),
  fc.constantFrom(...HOSTS).map((each) => `other.example\\@${each}`),
  fc.constantFrom(...HOSTS).map((each) => `${each}\\@other.example`),
);
const url = fc
  .oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(host, fc.constantFrom(...PATHS, "/x/z", "", "/x/%79", "\\x\\y")),
    },
    { weight: 1, arbitrary: fc.tuple(fc.string({ unit: anyCharacter }), fc.constant("")) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("mailto:"), fc.string()) },
  )
  .chain(([start, end]) =>
    fc.constantFrom("http://", "https://", "", " ").map((scheme) => scheme + start + end),
  );

const published: Published[] = [];
beforeAll(async () => {
  const subsets = fc.sample(
    fc.tuple(
      fc.array(fc.oneof(fc.subarray(EXPRESSIONS), fc.subarray(WHOLE_HOSTS)), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.subarray(EXPRESSIONS),
    ),
    { numRuns: 20, seed: 16 },
  );
  for (const [listed, same] of subsets) published.push(await publishedLists(listed, same));
});

test("finds what the plain way finds, of all URLs at once and of each alone", async () => {
  const reached = { listed: 0, notListed: 0, unreadable: 0, onlyPrefix: 0, both: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.nat(19),
      fc.array(url, { maxLength: 8 }),
      fc.func(fc.boolean()),
      async (which, urls, isAsked) => {
        const all = published[which]!;
        const lists = all.answering.lists.all().filter(({ name }) => isAsked(name));
        const verdicts = await lookUpUrls(urls, {
          lists,
          answering: all.answering,
          caller: CALLER,
        });
        expect(verdicts.length).toBe(urls.length);
        for (const [i, { matches, error }] of verdicts.entries()) {
          const listed = await plainMatches(urls[i]!, lists, all);
          const hasProblem = readUrl(urls[i]!).problem !== null;
          const plain = hasProblem && listed?.length === 0 ? null : listed;
          const found = matches.map(({ list, expression }) => `${list.name} ${expression}`).sort();
          expect(error === null ? found : null).toEqual(plain);
          if (plain === null) {
            reached.unreadable++;
            await expect(
              listsWithUrls([urls[i]!], lists, all.answering, CALLER, String),
            ).rejects.toThrow();
            continue;
          }
          reached[found.length > 0 ? "listed" : "notListed"]++;
          if (matches.some(({ reading }) => reading === "browser")) reached.both++;
          const names = new Set(plain.map((each) => each.split(" ")[0]));
          expect(await listsWithUrls([urls[i]!], lists, all.answering, CALLER, String)).toEqual({
            found: [lists.filter(({ name }) => names.has(name))],
            expires: Infinity,
          });
        }
        for (const { loaded } of lists) {
          const { prefixes, fullHashes } = loaded!.entry.manifest.contents;
          if (prefixes === fullHashes) reached.onlyPrefix++;
        }
      },
    ),
    { seed: 16, numRuns: sampleSize(1500) },
  );
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(fewest(50));
});

test("an expression whose full hash is another's does not hide one that is listed", async () => {
  const all = await publishedLists([["c.example/"]], ["c.example/x/y", "c.example/x/"]);
  const [verdict] = await lookUpUrls(["http://c.example/x/y"], {
    lists: all.answering.lists.all(),
    answering: all.answering,
    caller: CALLER,
  });
  expect(verdict!.matches.map(({ expression }) => expression)).toEqual(["c.example/"]);
});

test("lists that change while a request goes on are searched as they were chosen", async () => {
  const { publish, answering } = await publishedLists([["a.example/"]], []);
  const before = answering.lists.all();
  await publish("list0", ["c.example/"]);
  await answering.lists.refresh();
  expect(answering.lists.all()).not.toBe(before);
  const urls = ["http://a.example/", "http://c.example/"];
  const listed = async (lists: readonly ServedList[]) =>
    (await lookUpUrls(urls, { lists, answering, caller: CALLER })).map(
      ({ matches }) => matches.length,
    );
  expect(await listed(before)).toEqual([1, 0]);
  expect(await listed(answering.lists.all())).toEqual([0, 1]);
});

test("a verdict that lacks the answer of one list expires at once", async () => {
  const { answering } = await publishedLists([["a.example/"], ["c.example/"]], []);
  const [first, second] = answering.lists.all();
  const verdictsOf = (lists: readonly ServedList[]) =>
    lookUpUrls(["http://a.example/"], { lists, answering, caller: CALLER });
  const [whole] = await verdictsOf([first!, second!]);
  expect(whole).toMatchObject({ error: null, missing: null, expires: Infinity });
  const [open] = await verdictsOf([first!, { ...second!, loaded: null, problem: "It is away" }]);
  expect(open!.matches).toHaveLength(1);
  expect(open).toMatchObject({ error: null, missing: null, expires: 0 });
});

describe("what one request may use", () => {
  const answer = { code: "too-long", index: null };

  /** How many URLs were checked in each turn. */
  async function turnsOf(urls: readonly (string | Uint8Array)[]) {
    const { answering } = await publishedLists([["a.example/"]], []);
    const turns: number[] = [];
    const counting = {
      ...answering,
      turns: async () => {
        turns.push(0);
      },
      checkerOf: (...args: Parameters<typeof answering.checkerOf>) => ({
        ...answering.checkerOf(...args),
        *checkMany(some: Iterable<string | Uint8Array>) {
          const all = [...some];
          turns[turns.length - 1]! += all.length;
          yield* answering.checkerOf(...args).checkMany(all);
        },
      }),
    };
    const lists = answering.lists.all();
    const verdicts = await lookUpUrls(urls, {
      lists,
      answering: counting as typeof answering,
      caller: CALLER,
    });
    expect(verdicts).toHaveLength(urls.length);
    return { turns, verdicts };
  }

  test("many URLs are checked in several turns", async () => {
    const { turns, verdicts } = await turnsOf(
      Array.from({ length: 1000 }, (_, i) => (i === 999 ? "a.example" : `host${i}.example`)),
    );
    expect(turns).toEqual([256, 256, 256, 232]);
    expect(verdicts.filter(({ matches }) => matches.length > 0)).toEqual([verdicts[999]]);
  });

  test("URLs that are not ASCII take more turns, because their hosts have to be mapped", async () => {
    // Each URL has about 1600 bytes.
    const ascii = Array.from({ length: 20 }, (_, i) => `http://a.example/${i}${"x".repeat(1580)}`);
    const idn = Array.from({ length: 20 }, (_, i) => `http://${i}${"\ufdfa".repeat(530)}/`);
    const bytes = idn.map((url) => Buffer.from(url));
    expect((await turnsOf(ascii)).turns).toEqual([10, 10]);
    expect((await turnsOf(idn)).turns).toEqual(Array.from({ length: 10 }, () => 2));
    expect((await turnsOf(bytes)).turns).toEqual(Array.from({ length: 10 }, () => 2));
  });

  test("long URLs are checked in a turn each, and longer ones not at all", async () => {
    const long = (bytes: number) => `http://a.example/${"x".repeat(bytes - 17)}`;
    const most = 65_536;
    const urls = [long(most), long(most + 1), Buffer.from(long(most)), long(2 ** 20)];
    // Each "é" takes two bytes, so the URL is too long in bytes but not in characters.
    urls.push(`http://a.example/${"é".repeat(most / 2 - 8)}`);
    const { turns, verdicts } = await turnsOf(urls);
    expect(turns).toEqual([1, 1]);
    expect(verdicts.map(({ error }) => error)).toEqual([null, answer, null, answer, answer]);
  });
});

describe("a private list", () => {
  const OPEN = { key: "secret", network: () => "client" };

  test("is no part of the work for callers without its key", async () => {
    const { answering } = await publishedLists([["a.example/"], ["b.example/"]], []);
    const keys = apiKeysFrom(`${hashApiKey("secret")} list1`);
    const all = answering.lists.all();
    const [publicList] = all;
    const checked: string[][] = [];
    const asked: string[] = [];
    const recording = {
      ...answering,
      keys,
      checkerOf: (...[lists, current]: Parameters<typeof answering.checkerOf>) => {
        checked.push(lists.map(({ name }) => name));
        return answering.checkerOf(lists, current);
      },
      findFullHashes: (...args: Parameters<typeof answering.findFullHashes>) => {
        asked.push(args[0].entry.manifest.list);
        return answering.findFullHashes(...args);
      },
    };
    const urls = ["http://a.example/", "http://b.example/"];
    await lookUpUrls(urls, { lists: [publicList!], answering: recording, caller: CALLER });
    await lookUpUrls(urls, {
      lists: [publicList!],
      answering: recording,
      caller: { ...CALLER, key: "wrong" },
    });
    await lookUpUrls(urls, { lists: all, answering: recording, caller: OPEN });
    expect(checked).toEqual([["list0"], ["list0"], ["list0", "list1"]]);
    expect(asked).toEqual(["list0", "list0", "list0", "list1"]);
  });

  test("gives callers who see the same lists the same checker, until a list changes", async () => {
    const { answering, publish } = await publishedLists([["a.example/"], ["b.example/"]], []);
    const all = answering.lists.all();
    const of = (lists: readonly ServedList[]) => answering.checkerOf(lists, answering.lists.all());
    expect(of([...all])).toBe(of(all));
    expect(of([all[0]!])).not.toBe(of(all));
    expect(of([all[0]!])).toBe(of([all[0]!]));
    await publish("list0", ["c.example/"]);
    await answering.lists.refresh();
    expect(of(answering.lists.all())).toBe(of(answering.lists.all()));
    // The checker of the old version is not cached.
    expect(of(all)).not.toBe(of(all));
  });

  test("looks only for hosts in a list as long as it is marked as having nothing else", async () => {
    const { answering, publish } = await publishedLists([["c.example/x/"]], []);
    const found = async () => {
      await answering.lists.refresh();
      const urls = ["http://c.example/x/y"];
      return (
        await lookUpUrls(urls, { lists: answering.lists.all(), answering, caller: CALLER })
      )[0]!.matches.length;
    };
    expect(await found()).toBe(1);
    await publish("list0", ["c.example/x/"], { onlyHosts: true });
    expect(await found()).toBe(0);
    await publish("list0", ["c.example/x/"], { onlyHosts: false });
    expect(await found()).toBe(1);
  });
});
