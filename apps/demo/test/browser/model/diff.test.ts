import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diff } from "../../../src/web/model/diff.ts";

const SEED = 20_260_101;

const written = (before: string, after: string): string =>
  diff(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}]`, added: `[+${text}]` })[kind])
    .join("");

test.each([
  ["", "", ""],
  ["same", "same", "same"],
  ["", "new", "[+new]"],
  ["old", "", "[-old]"],
  ["http://EXAMPLE.com/", "http://example.com/", "http://[-EXAMPLE][+example].com/"],
  ["a/b#top", "a/b", "a/b[-#top]"],
  ["x/3279880203/blah", "x/195.127.0.11/blah", "x/[-3279880203][+195.127.0.11]/blah"],
  // What is between two changes belongs to the change.
  ["%41b%42", "AbB", "[-%41b%42][+AbB]"],
  ["x😀y", "x😁y", "x[-😀][+😁]y"],
])("%j and %j", (before, after, expected) => {
  expect(written(before, after)).toBe(expected);
});

const text = fc.string({
  unit: fc.constantFrom("a", "b", "%", "4", "😀", "\ud800", "\udc00"),
  maxLength: 30,
});

test("its runs make up both texts, and no run ends inside a character", () => {
  let kept = 0;
  fc.assert(
    fc.property(text, text, text, text, (start, before, after, end) => {
      const [a, b] = [start + before + end, start + after + end];
      const changes = diff(a, b);
      const joined = (kind: "added" | "removed") =>
        changes.flatMap((change) => (change.kind === kind ? [] : [change.text])).join("");
      expect(joined("added")).toBe(a);
      expect(joined("removed")).toBe(b);
      for (const [i, { kind, text: run }] of changes.entries()) {
        expect(run).not.toBe("");
        if (kind === "same") kept++;
        expect(changes[i + 1]?.kind).not.toBe(kind);
      }
      const characters = [...Array.from(a), ...Array.from(b)];
      expect(characters).toEqual(
        expect.arrayContaining(changes.flatMap((change) => Array.from(change.text))),
      );
    }),
    { seed: SEED, numRuns: sampleSize(2000) },
  );
  expect(kept).toBeGreaterThan(fewest(2000));
});

test("a megabyte of changes is one change", () => {
  const [before, after] = ["%41".repeat(300_000), "A".repeat(300_000)];
  expect(diff(`x/${before}/y`, `x/${after}/y`).map(({ kind }) => kind)).toEqual([
    "same",
    "removed",
    "added",
    "same",
  ]);
});
