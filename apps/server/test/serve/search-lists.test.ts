import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HttpProblem } from "../../src/serve/http/reply.ts";
import { NOTHING_FOUND, type Searching, searchLists } from "../../src/serve/lists/search-lists.ts";
import type { ServedList } from "../../src/serve/lists/served-lists.ts";
import { threatRow } from "../../src/serve/lists/threat-rows.ts";

/** A list of prefixes as numbers, with its state. */
interface Plain {
  readonly numbers: readonly number[];
  /** `silent` lists cannot confirm their entries, and `lost` ones were never loaded. */
  readonly state: "served" | "silent" | "outdated" | "lost";
  /** The time until which answers from the list are valid. */
  readonly expires: number;
}

const SERVED = ["served", "served"] as const;

const prefixOf = (number: number) => Uint8Array.of(0, 0, 0, number);
const hashOf = (number: number, list: number) =>
  new Uint8Array(32).fill(number, 3, 4).fill(list, 4);

const turns = async () => {};

/** Fails, because requests for several prefixes at once must not be necessary. */
const ask = () => Promise.reject(new HttpProblem(503, "it says nothing"));

function listOf({ numbers, state }: Plain, i: number): ServedList {
  const words = Uint32Array.from(numbers.toSorted((a, b) => a - b));
  const isLoaded = state === "served" || state === "silent";
  return {
    ...{ name: `list-${i}`, row: threatRow(`list-${i}`), problem: "it is late", detail: null },
    loaded: isLoaded ? ({ words, ask } as unknown as ServedList["loaded"]) : null,
    outdated: state === "outdated" ? words : undefined,
  };
}

/** Returns the expected result of a search: the full hashes and until when they are valid, or `null` for an error. */
function plainSearch(asked: readonly number[], lists: readonly Plain[]) {
  const served = lists.filter(({ state }) => state === "served");
  const mayBeOn = (number: number, { state, numbers }: Plain) =>
    state === "lost" || (state !== "served" && numbers.includes(number));
  const isOn = (number: number, { numbers }: Plain) => numbers.includes(number);
  const isIncomplete = lists.some(({ state }) => state === "outdated" || state === "lost");
  for (const number of asked) {
    if (lists.some((list) => mayBeOn(number, list))) return null;
    if (isIncomplete && !served.some((list) => isOn(number, list))) return null;
  }
  const found = asked.flatMap((number) =>
    lists.flatMap((list, i) =>
      list.state === "served" && isOn(number, list) ? [`${number} on ${i}`] : [],
    ),
  );
  if (isIncomplete && asked.length > 0) return { found, until: 0 };
  const answering = served.filter((list) => asked.some((number) => isOn(number, list)));
  return { found, until: Math.min(Infinity, ...answering.map(({ expires }) => expires)) };
}

test("what no list can say is an error, and what another list has is found all the same", async () => {
  const seen = { errors: 0, incomplete: 0, complete: 0 };
  const plainList = fc.record({
    numbers: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 4 }),
    state: fc.constantFrom(...SERVED, ...SERVED, "silent", "outdated", "outdated", "lost" as const),
    expires: fc.integer({ min: 1, max: 3 }),
  });
  const runs = { seed: 29, numRuns: sampleSize(3000) };
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 2 }),
      fc.array(plainList, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (asked, plain, isLate) => {
        const lists = plain.map(listOf);
        const found: string[] = [];
        const find: Searching["findFullHashes"] = (version, prefix) => {
          const i = lists.findIndex(({ loaded }) => loaded === version);
          const { numbers, state, expires } = plain[i]!;
          const number = prefix[3]!;
          if (!numbers.includes(number)) return NOTHING_FOUND;
          if (state === "silent") throw new HttpProblem(503, "it says nothing");
          const answer = { hashes: [hashOf(number, i)], forFrames: [], expires };
          return isLate ? Promise.resolve(answer) : answer;
        };
        const run = async () => {
          const until = await searchLists(
            asked.map(prefixOf),
            lists,
            { findFullHashes: find, turns },
            () => "",
            (each) => {
              for (const hash of each.hashes) found.push(`${hash[3]} on ${hash[4]}`);
            },
          );
          return { found, until };
        };
        const expected = plainSearch(asked, plain);
        if (expected === null) {
          seen.errors++;
          await expect(run()).rejects.toMatchObject({ status: 503 });
        } else {
          seen[expected.until === 0 ? "incomplete" : "complete"]++;
          expect(await run()).toEqual(expected);
        }
      },
    ),
    runs,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(50));
});

test("what counts only in frames does not stand for what another list may have", async () => {
  const lists = [
    listOf({ numbers: [1], state: "served", expires: 1 }, 0),
    listOf({ numbers: [1], state: "outdated", expires: 1 }, 1),
  ];
  const answer = { hashes: [], forFrames: [hashOf(1, 0)], expires: 1 };
  const search = async () =>
    searchLists(
      [prefixOf(1)],
      lists,
      { findFullHashes: () => answer, turns },
      () => "",
      () => {},
    );
  await expect(search()).rejects.toMatchObject({ status: 503 });
});

test("errors of the server itself are not taken for a list that says nothing", async () => {
  const lists = [listOf({ numbers: [1], state: "served", expires: 1 }, 0)];
  for (const find of [
    () => {
      throw new TypeError("wrong");
    },
    () => Promise.reject(new TypeError("wrong")),
  ]) {
    const search = async () =>
      searchLists(
        [prefixOf(1)],
        lists,
        { findFullHashes: find, turns },
        () => "",
        () => {},
      );
    await expect(search()).rejects.toThrow(TypeError);
  }
});

test("a search of many lists is done in parts, for which clients take turns", async () => {
  const lists = Array.from({ length: 100 }, (_, i) =>
    listOf({ numbers: [i], state: "served", expires: 1 }, i),
  );
  let waits = 0;
  const searching: Searching = {
    findFullHashes: (list, prefix) =>
      list.words[0] === prefix[3] ? { hashes: [prefix], forFrames: [], expires: 1 } : NOTHING_FOUND,
    async turns(client) {
      expect(client).toBe("someone");
      waits++;
    },
  };
  const found: string[] = [];
  for (const asked of [10, 1000]) {
    const prefixes = Array.from({ length: asked }, (_, i) => prefixOf(i % 100));
    found.length = 0;
    await searchLists(
      prefixes,
      lists,
      searching,
      () => "someone",
      (each, { name }) => found.push(...each.hashes.map((hash) => `${hash[3]} on ${name}`)),
    );
    expect(found).toEqual(prefixes.map((prefix) => `${prefix[3]} on list-${prefix[3]}`));
    expect(waits).toBe(asked === 10 ? 0 : 16);
  }
});
