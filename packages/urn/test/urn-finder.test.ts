import { fewest, IS_DEEP, sampleSize } from "@x/test-support/sample-size";
import {
  type FoundUrn,
  findUrns,
  isUrn,
  type UnreadPart,
  type UrnFinderOptions,
  type UrnSyntax,
  urnFinder,
} from "@x/urn";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markup, runningText, SEED } from "./arbitraries.ts";
import { loadVectors, titled } from "./load-vectors.ts";

type Result = FoundUrn | UnreadPart;

function findInPieces(pieces: readonly string[], options?: UrnFinderOptions): Result[] {
  const finder = urnFinder(options);
  return [...pieces.flatMap((piece) => finder.push(piece)), ...finder.end()];
}

function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const length of lengths) {
    pieces.push(text.slice(start, start + length));
    start += length;
  }
  return [...pieces, text.slice(start)];
}

/** Whether a URN may contain a character, found out by parsing a URN with that character. */
function isInUrn(character: string, syntax: UrnSyntax): boolean {
  return (
    isUrn(`urn:ab:c${character}41`, { syntax }) || isUrn(`urn:ab:c?=c${character}`, { syntax })
  );
}

/** The results that a finder must return, run by run. */
function expectedResults(text: string, options: UrnFinderOptions): Result[] {
  const results: Result[] = [];
  let start = 0;
  while (start < text.length) {
    let end = start;
    const isInRun = (character: string) =>
      "&\\{}".includes(character) || isInUrn(character, options.syntax!);
    while (end < text.length && isInRun(text.charAt(end))) end++;
    const run = text.slice(start, end);
    if (run.length <= options.maxRunLength!) {
      // The characters around the run count, but not the URNs in them.
      results.push(
        ...findUrns(text.slice(0, end + 1), options).filter((found) => found.start >= start),
      );
    } else if (/urn:/i.test(run)) results.push({ urn: null, why: "run-too-long", start, end });
    start = end + 1;
  }
  return results;
}

function isUrnOrLongRun(result: Result): boolean {
  return result.urn !== null || result.why === "run-too-long";
}

describe.each(titled(loadVectors<string, [string, string][]>("find-unread")))(
  "%s",
  (_, { input, options, expected }) => {
    test("what is not read, in two pieces", () => {
      for (let at = 0; at <= input.length; at++) {
        const found = findInPieces([input.slice(0, at), input.slice(at)], options);
        const unread = found.flatMap((result) =>
          result.urn === null ? [[result.why, input.slice(result.start, result.end)]] : [],
        );
        expect(unread).toEqual(expected);
      }
    });
  },
);

const vectors = ["find", "find-delimiters", "find-cut"].flatMap((name) =>
  loadVectors<string, unknown>(name),
);

describe.each(titled(vectors))("%s", (_, { input, options }) => {
  test("in two pieces, and in pieces of one character", async () => {
    const found = findInPieces([input], options);
    expect(found.filter(({ urn }) => urn !== null)).toEqual(findUrns(input, options));
    for (let at = 0; at <= input.length; at++) {
      expect(findInPieces([input.slice(0, at), input.slice(at)], options)).toEqual(found);
    }
    expect(findInPieces(input.split(""), options)).toEqual(found);
  });
});

const options = fc.record({
  syntax: fc.constantFrom("rfc2141" as const, "rfc8141" as const),
  trimDelimiters: fc.boolean(),
  trimPunctuation: fc.boolean(),
});
const text = fc
  .array(fc.oneof(runningText, markup, fc.constantFrom("\n", "日本", "urn:ab:c ")), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));
const lengths = fc.array(fc.nat(12), { maxLength: 30 });

test("pieces make no difference", () => {
  const seen = { found: 0, unread: 0 };
  fc.assert(
    fc.property(text, lengths, options, (text, lengths, options) => {
      const expected = findInPieces([text], options);
      const urns = expected.filter(({ urn }) => urn !== null);
      seen.found += urns.length;
      seen.unread += expected.length - urns.length;
      expect(urns).toEqual(findUrns(text, options));
      expect(findInPieces(cut(text, lengths), options)).toEqual(expected);
    }),
    { seed: SEED, numRuns: sampleSize(3000) },
  );
  expect(seen.found).toBeGreaterThan(fewest(1000));
  expect(seen.unread).toBeGreaterThan(fewest(20));
});

test("pieces make no difference, even to runs that are too long", () => {
  const seen = { found: 0, unsearched: 0 };
  const maxRunLength = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(text, lengths, options, maxRunLength, (text, lengths, some, maxRunLength) => {
      const options = { ...some, maxRunLength };
      const expected = expectedResults(text, options);
      for (const { urn } of expected) seen[urn === null ? "unsearched" : "found"]++;
      const results = findInPieces(cut(text, lengths), options).filter(isUrnOrLongRun);
      expect(results).toEqual(expected);
    }),
    { seed: SEED, numRuns: sampleSize(3000) },
  );
  expect(seen.found).toBeGreaterThan(fewest(500));
  expect(seen.unsearched).toBeGreaterThan(fewest(500));
});

const DEFAULT = 2 ** 21;

test.each([[[]], [[1]], [[70_000, 70_000]], [[DEFAULT]], [[DEFAULT + 1]], [[DEFAULT + 3]]])(
  "the default longest run, in pieces of %j",
  (lengths) => {
    const textOf = (length: number) => `é urn:a:${"x".repeat(length - 6)}\nurn:c:d`;
    const longest = findInPieces(cut(textOf(DEFAULT), lengths));
    expect(longest.map(({ urn, start, end }) => [urn?.nss.length, start, end])).toEqual([
      [DEFAULT - 6, 2, 2 + DEFAULT],
      [1, 3 + DEFAULT, 10 + DEFAULT],
    ]);
    const tooLong = findInPieces(cut(textOf(DEFAULT + 1), lengths));
    expect(tooLong.map(({ urn, start, end }) => [urn?.nss, start, end])).toEqual([
      [undefined, 2, 3 + DEFAULT],
      ["d", 4 + DEFAULT, 11 + DEFAULT],
    ]);
  },
);

test("a run that is too long is reported only when it contains `urn:`, even if that is cut into pieces", () => {
  const filler = "x".repeat(100);
  const options = { maxRunLength: 50 };
  expect(findInPieces([filler, ":", filler, "urn"], options)).toEqual([]);
  for (const scheme of ["urn:", "uRN:"]) {
    for (let at = 0; at <= scheme.length; at++) {
      const pieces = [filler, scheme.slice(0, at), scheme.slice(at), filler, " urn:a:b"];
      expect(findInPieces(pieces, options).map(({ urn, start, end }) => [urn, start, end])).toEqual(
        [
          [null, 0, 204],
          [expect.objectContaining({ nid: "a" }), 205, 212],
        ],
      );
    }
  }
});

test("memory does not grow with the run", { tags: "deep" }, () => {
  const finder = urnFinder();
  const piece = "x".repeat(2 ** 20);
  // In the deep run, the chunks have more characters in total than a string may have.
  const pieces = IS_DEEP ? 2 ** 9 : 2 ** 4;
  for (let i = 0; i < pieces; i++) expect(finder.push(piece)).toEqual([]);
  expect(finder.push("urn:a:b")).toEqual([]);
  expect(finder.push(" ")).toEqual([
    { urn: null, why: "run-too-long", start: 0, end: pieces * piece.length + 7 },
  ]);
});

test("a URN is returned as soon as the character after it arrives", () => {
  const finder = urnFinder();
  expect(finder.push("urn:a:1")).toEqual([]);
  expect(finder.push("")).toEqual([]);
  expect(finder.push("2\n").map(({ urn }) => urn?.nss)).toEqual(["12"]);
  expect(finder.push("urn:a:3")).toEqual([]);
  expect(finder.end().map(({ urn, start }) => [urn?.nss, start])).toEqual([["3", 9]]);
});

test("after end(), a finder can take another text", () => {
  const finder = urnFinder({ maxRunLength: 7 });
  for (const tail of ["", " ", "urn:a:b", "urn:a:bc", "xxxxxxxxx"]) {
    finder.push(`some text ${tail}`);
    finder.end();
    expect(finder.end()).toEqual([]);
    expect(finder.push("urn:a:b ")).toEqual(findUrns("urn:a:b "));
    finder.end();
  }
});

test("a piece that is not a string changes nothing", () => {
  const finder = urnFinder();
  finder.push("urn:a:");
  expect(() => finder.push(new Uint8Array(1) as unknown as string)).toThrow(TypeError);
  expect(finder.push("b ")).toEqual(findUrns("urn:a:b "));
});

test("when characters stand for bytes, indices are offsets in bytes", () => {
  const bytes = Buffer.from("«日本» urn:a:1 é urn:a:2");
  const found = findInPieces([bytes.toString("latin1")]);
  expect(found.map(({ start, end }) => bytes.subarray(start, end).toString())).toEqual([
    "urn:a:1",
    "urn:a:2",
  ]);
});

test("reads a stream, and counts indices from its start", async () => {
  const texts = Array.from({ length: 1000 }, (_, i) => `line ${i}: urn:a:${i}\n`);
  const bytes = new TextEncoder().encode(texts.join(""));
  const stream = new Blob([bytes]).stream().pipeThrough(new TextDecoderStream());
  const finder = urnFinder();
  const found: Result[] = [];
  for await (const piece of stream as unknown as AsyncIterable<string>) {
    found.push(...finder.push(piece));
  }
  expect([...found, ...finder.end()]).toEqual(findUrns(texts.join("")));
});

test("reports runs that are too long", () => {
  const found = findInPieces(["urn:a:", "b urn:a:bcd"], { maxRunLength: 8 });
  expect(found).toEqual([
    ...findUrns("urn:a:b"),
    { urn: null, why: "run-too-long", start: 8, end: 17 },
  ]);
});
