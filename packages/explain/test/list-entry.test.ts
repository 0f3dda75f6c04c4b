import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";
import { linesOf, MAX_LINE_BYTES } from "../src/lines.ts";
import { readEntry } from "../src/list/read-entry.ts";

const read = (text: string) => linesOf(new TextEncoder().encode(text)).map(readEntry);

test("an entry stands for its exact host, path and query; a comment for nothing", () => {
  expect(read("# evil.example\nHTTP://Evil.example/%61?b\nevil.example\n")).toEqual([
    { hash: null, problem: null },
    { hash: fullHash("evil.example/a?b"), problem: null },
    { hash: fullHash("evil.example/"), problem: null },
  ]);
});

test("a bad entry says why, in text that is safe to show", () => {
  const [noUrl, tooLong] = read(`mailto:\u202ex\n${"x".repeat(MAX_LINE_BYTES + 1)}`);
  expect(noUrl).toEqual({ hash: null, problem: expect.stringContaining("mailto:\\u{202e}x") });
  expect(tooLong).toEqual({
    hash: null,
    problem: expect.stringMatching(/^"x{256}…" is longer than 2097152 octets$/),
  });
});
