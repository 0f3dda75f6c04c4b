import { findUrns } from "@x/urn";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type FoundInBytes,
  MAX_RUN_BYTES,
  urnFinderInBytes,
} from "../../src/commands/urn/find-in-bytes.ts";
import { temporaryFolder } from "../folder.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();
const find = (argv: readonly string[], stdin: string | Uint8Array = "") =>
  run(["urn", "find", ...argv], { stdin });
const TEXT = "See <urn:isbn:0451450523>, and\r\n«日本» (urn:ietf:rfc:2141).\n";

test("line, column and URN", async () => {
  expect(await find([], TEXT)).toEqual({
    status: 0,
    stderr: "",
    stdout: "1:6: urn:isbn:0451450523\n2:7: urn:ietf:rfc:2141).\n",
  });
  expect((await find(["--trim"], TEXT)).stdout).toContain("\n2:7: urn:ietf:rfc:2141\n");
});

test("JSON has indices in bytes, whatever the encoding", async () => {
  for (const encoding of ["utf8", "latin1"] as const) {
    const bytes = Buffer.from(TEXT.replace("日本", "é"), encoding);
    const { stdout } = await find(["--trim", "--json"], bytes);
    const records = JSON.parse(stdout);
    expect(records).toHaveLength(2);
    for (const { start, end, urn } of records) {
      expect(bytes.subarray(start, end).toString()).toBe(urn);
    }
    expect(records[1]).toMatchObject({ line: 2, nid: "ietf", nss: "rfc:2141", qComponent: null });
  }
  expect((await find(["--json"])).stdout).toBe("[]\n");
});

test("--syntax rfc8141 has components", async () => {
  const { stdout } = await find(["--ndjson", "--syntax", "rfc8141"], "urn:ab:c?=q#f");
  expect(JSON.parse(stdout)).toMatchObject({ nss: "c", qComponent: "q", fComponent: "f" });
});

test("files are named when there are several, and always in JSON", async () => {
  const [a, b] = [folder.write("a", "urn:a:1"), folder.write("b\x1b", "\nx urn:b:2")];
  expect((await find([a])).stdout).toBe("1:1: urn:a:1\n");
  const shown = b.replace("\x1b", "\\u{1b}");
  expect((await find([a, b, "-"], "urn:c:3")).stdout).toBe(
    `${a}:1:1: urn:a:1\n${shown}:2:3: urn:b:2\n-:1:1: urn:c:3\n`,
  );
  expect(JSON.parse((await find(["--ndjson", b])).stdout)).toMatchObject({ file: b, start: 3 });
  expect(await find([`${a}x`])).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: cannot read ${a}x: no such file or directory\n`,
  });
});

/** What there is in pieces of a text, with all that may be kept between them. */
function findInPieces(pieces: readonly Uint8Array[], trim = false): FoundInBytes[] {
  const finder = urnFinderInBytes({ trimPunctuation: trim });
  return [...pieces.flatMap((piece) => finder.push(piece)), ...finder.end()];
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const length of lengths) {
    pieces.push(bytes.subarray(start, start + length));
    start += length;
  }
  return [...pieces, bytes.subarray(start)];
}

test("pieces make no difference: the same as in the whole text", () => {
  let found = 0;
  const words = fc.constantFrom(
    "urn:a:b",
    "urn:",
    "URN:isbn:",
    "x",
    " ",
    "\n",
    "é",
    "日",
    "%",
    '"',
  );
  const text = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(""));
  const lengths = fc.array(fc.nat(9), { maxLength: 30 });
  fc.assert(
    fc.property(text, lengths, fc.boolean(), (whole, sizes, trim) => {
      const bytes = Buffer.from(whole);
      const expected = findUrns(whole, { trimPunctuation: trim }).map(({ urn, start, end }) => {
        const before = whole.slice(0, start);
        const lineStart = before.lastIndexOf("\n") + 1;
        return {
          line: before.split("\n").length,
          column: [...before.slice(lineStart)].length + 1,
          start: Buffer.byteLength(before),
          end: Buffer.byteLength(whole.slice(0, end)),
          text: whole.slice(start, end),
          urn,
        };
      });
      found += expected.length;
      expect(findInPieces(cut(bytes, sizes), trim)).toEqual(expected);
    }),
    { seed: 11, numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(500);
});

test.each([[[]], [[1]], [[MAX_RUN_BYTES]], [[70_000, 70_000, MAX_RUN_BYTES]]])(
  "the longest run is the same in pieces of %j",
  (lengths) => {
    const text = (length: number): Buffer =>
      Buffer.from(`é urn:a:${"x".repeat(length - 6)}\nurn:c:d`);
    const longest = findInPieces(cut(text(MAX_RUN_BYTES), lengths));
    expect(longest.map(({ text }) => text?.length)).toEqual([MAX_RUN_BYTES, 7]);
    const tooLong = findInPieces(cut(text(MAX_RUN_BYTES + 1), lengths));
    const end = 3 + MAX_RUN_BYTES + 1;
    expect(tooLong).toEqual([
      { line: 1, column: 3, start: 3, end, text: null },
      expect.objectContaining({ line: 2, column: 1, start: end + 1, text: "urn:c:d" }),
    ]);
  },
);

test("a run that is too long is reported when it may hold a URN, and the rest is searched", async () => {
  const filler = "x".repeat(MAX_RUN_BYTES);
  expect(await find([], `${filler}:${filler} urn:a:b`)).toEqual({
    status: 0,
    stderr: "",
    stdout: `1:${2 * MAX_RUN_BYTES + 3}: urn:a:b\n`,
  });
  const ran = await find([], `a ${filler}-uRn:${filler}\nurn:a:b`);
  expect(ran).toEqual({
    status: 4,
    stderr: `urlhash: 1:3: more than ${MAX_RUN_BYTES} bytes without a space are not searched for URNs\n`,
    stdout: "2:1: urn:a:b\n",
  });
  const json = await find(["--ndjson"], `a ${filler}-urn:${filler}`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    start: 2,
    end: 2 + 2 * MAX_RUN_BYTES + 5,
    error: { code: "run-too-long" },
  });
});

test("the token is seen where pieces cut it", () => {
  const filler = "x".repeat(MAX_RUN_BYTES - 1);
  for (const length of [1, 2, 3, 4]) {
    const bytes = Buffer.from(`${filler}-urn:a:b`);
    expect(findInPieces(cut(bytes, [MAX_RUN_BYTES + length]))).toHaveLength(1);
  }
});
