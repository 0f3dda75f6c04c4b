import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ListSource, listKeeper } from "../../src/serve/lists/refresh-lists.ts";
import type { UpstreamVersion } from "../../src/serve/lists/served-lists.ts";
import {
  NO_PROBLEM,
  newList,
  type ServedList,
  withoutVersion,
  withProblem,
  withVersion,
} from "../../src/serve/lists/served-lists.ts";
import { threatRow } from "../../src/serve/lists/threat-rows.ts";

const WORDS = new Uint32Array(0);
const FAILED = { problem: "It cannot be read", detail: null };
const TOO_OLD = { problem: "It is too old", detail: null };

/** A version for tests that look only at its expiry. */
function versionUntil(expires: number): UpstreamVersion {
  const contents = { since: 0, checksum: "", prefixes: 0, fullHashes: 0 };
  const manifest = { list: "", version: 1, issued: 0, expires, withdrawn: false, change: null };
  return {
    ...{ words: WORDS, prefixes: null as never, entry: { manifest: { ...manifest, contents } } },
    ...{
      since: 0,
      differenceSince: async () => "unknown-token" as const,
      ask() {},
      find: () => ({ hashes: [], forFrames: [], expires: Infinity }),
    },
  };
}

/** The newest version of a list in a source, or the error with which it cannot be read. */
type Stored = UpstreamVersion | Error;

/** A source of lists in memory. */
function sourceOf(stored: ReadonlyMap<string, Stored>, now: () => number) {
  const source: ListSource<UpstreamVersion> = {
    names: async () => [...stored.keys()],
    async load(name, before = newList(name, threatRow(name))) {
      const loaded = stored.get(name)!;
      if (loaded instanceof Error) return withProblem(before, FAILED, now());
      if (loaded.entry.manifest.expires <= now()) return withoutVersion(before, WORDS, TOO_OLD);
      return withVersion(before, loaded, NO_PROBLEM);
    },
    tooOld: () => TOO_OLD,
  };
  return source;
}

test("a kept list is the newest version that was read and has not expired, or has a problem", async () => {
  const reached = { served: 0, failing: 0, expired: 0, same: 0 };
  const names = ["a", "b", "c"];
  const step = fc.oneof(
    fc.record({ name: fc.constantFrom(...names), lasts: fc.option(fc.nat(5)) }),
    fc.constantFrom("refresh", "expire", "time"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
      let time = 100;
      const now = () => time;
      const stored = new Map<string, Stored>();
      const keeper = listKeeper(sourceOf(stored, now), { now });
      /** The expected state of each list, which is the version read last and the problem since then, if any. */
      const plain = new Map<string, { version: UpstreamVersion | null; problem: string | null }>();
      for (const each of steps) {
        const before = keeper.all();
        if (each === "time") time++;
        else if (typeof each === "object") {
          const { name, lasts } = each;
          stored.set(name, lasts === null ? new Error("gone") : versionUntil(time + lasts));
          continue;
        } else {
          const isChanged = each === "refresh" ? await keeper.refresh() : keeper.expire();
          if (each === "refresh") {
            for (const [name, newest] of stored) {
              const version = newest instanceof Error ? plain.get(name)?.version : newest;
              const problem = newest instanceof Error ? FAILED.problem : null;
              plain.set(name, { version: version ?? null, problem });
            }
          }
          for (const [name, { version, problem }] of plain) {
            if (version === null || version.entry.manifest.expires > time) continue;
            const isFailing = each === "refresh" && problem !== null;
            plain.set(name, { version: null, problem: isFailing ? problem : TOO_OLD.problem });
            reached.expired++;
          }
          expect(isChanged).toBe(keeper.all() !== before);
        }
        if (each === "time") continue;
        const listed = [...plain].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(
          keeper.all().map(({ name, loaded, problem }) => ({ name, loaded, problem })),
        ).toEqual(
          listed.map(([name, { version, problem }]) => ({ name, loaded: version, problem })),
        );
        for (const list of keeper.all()) {
          if (list.loaded !== null) reached.served++;
          if (list.problem === FAILED.problem) reached.failing++;
          if (before.includes(list)) reached.same++;
        }
        // A call of `expire` changes nothing if no list has expired since.
        const all = keeper.all();
        expect(keeper.expire()).toBe(false);
        expect(keeper.all()).toBe(all);
      }
    }),
    { seed: 44, numRuns: sampleSize(1000) },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(fewest(100));
});

/** A source with two lists. The list `slow` is read only when the test allows it. */
function slowSource() {
  const stored = new Map<string, Stored>([
    ["quick", versionUntil(Infinity)],
    ["slow", versionUntil(Infinity)],
  ]);
  const source = sourceOf(stored, () => 0);
  let wait: Promise<void> | null = null;
  const slow: typeof source = {
    ...source,
    async load(name, before) {
      if (name === "slow") await wait;
      return source.load(name, before);
    },
  };
  return {
    stored,
    keeper: listKeeper(slow, { now: () => 0, patience: 1 }),
    hold() {
      let release = () => {};
      wait = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}
const named = (lists: readonly ServedList[], name: string) =>
  lists.find((list) => list.name === name)!;

test("a list that takes long does not delay the others, and comes later", async () => {
  const { stored, keeper, hold } = slowSource();
  await keeper.refresh();
  const [quick, slow] = [versionUntil(Infinity), versionUntil(Infinity)];
  const before = named(keeper.all(), "slow").loaded;
  stored.set("quick", quick).set("slow", slow);
  const release = hold();
  expect(await keeper.refresh()).toBe(true);
  expect(named(keeper.all(), "quick").loaded).toBe(quick);
  expect(named(keeper.all(), "slow").loaded).toBe(before);
  release();
  await keeper.refresh();
  await keeper.refresh();
  expect(named(keeper.all(), "slow").loaded).toBe(slow);
});
