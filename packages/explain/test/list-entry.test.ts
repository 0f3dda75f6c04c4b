import { entryOnLine, readListEntry } from "@x/explain";
import { MAX_LINE_BYTES } from "@x/lookup/lines";
import { fullHash } from "@x/sha256-prefix";
import fc from "fast-check";
import { expect, test } from "vitest";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (line: string) => readListEntry(encode(line));

test("an entry stands for its exact host, path and query; a comment has none", () => {
  expect(read("# evil.example")).toBeNull();
  expect(read(" \t# evil.example")).toBeNull();
  expect(read(" \t")).toBeNull();
  expect(read("HTTP://Evil.example/%61?b")).toEqual({ hash: fullHash("evil.example/a?b") });
  expect(read(" \tevil.example ")).toEqual({ hash: fullHash("evil.example/") });
});

test("a bad entry says why", () => {
  expect(read("mailto:x")).toEqual({
    error: {
      code: "authority-missing",
      message: expect.stringContaining("mailto:x"),
      expected: expect.any(String),
      index: 7,
      section: expect.stringContaining("Web Risk"),
    },
  });
  expect(read("x".repeat(MAX_LINE_BYTES + 1))).toEqual({
    error: {
      code: "line-too-long",
      message: expect.stringMatching(/^"x{256}…" is longer than 2097152 bytes$/),
      expected: "at most 2097152 bytes",
      index: null,
      section: null,
    },
  });
});

test("the entry on a line of text is the one on a line of bytes", () => {
  const seen = { entry: 0, none: 0 };
  const characters = fc.constantFrom(" ", "\t", "#", "a", "é", "\u2003");
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 8 }), (line) => {
      const entry = entryOnLine(line);
      const bytes = entryOnLine(encode(line));
      expect(bytes).toEqual(entry === null ? null : encode(entry));
      expect(entry).toBe(/^[ \t]*([^ \t#](?:.*[^ \t])?)[ \t]*$/u.exec(line)?.[1] ?? null);
      seen[entry === null ? "none" : "entry"]++;
    }),
    { seed: 12, numRuns: 1000 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
});
