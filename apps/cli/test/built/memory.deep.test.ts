import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { heapOf, MEASURE_MEMORY, memoryOf } from "@x/test-support/memory";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { urlhash } from "./program.ts";

/*
 * The command must not keep long inputs in memory. The heap is too small for an input or its output, but twice as large
 * as necessary. Buffers are outside the heap, so the tests also limit the total memory: to less than the input, but
 * more than twice the necessary amount.
 */

const folder = temporaryFolder();
const MEGABYTE = 1e6;
const LIST = folder.write(
  "l.list",
  encodePrefixList(prefixList(["evil.example/"].map(fullHash), { name: "l", prefixBytes: 8 })),
);
const URI = `http://a/${"x".repeat(990)}`;
const HASH = createHash("sha1").update(URI).digest("hex");
const HASHES = folder.write("list.txt", `hashed:sha1=${HASH}\n`);

/** A text repeated until it is `size` bytes long, in pieces of about 50 kB. */
function repeated(text: string, size: number): { stdin: Uint8Array[]; copies: number } {
  const perPiece = Math.floor(50_000 / text.length);
  const piece = Buffer.from(text.repeat(perPiece));
  const stdin = Array.from({ length: Math.round(size / piece.length) }, () => piece);
  return { stdin, copies: stdin.length * perPiece };
}

const SMALL_HEAP = [...heapOf(24), ...MEASURE_MEMORY];

test.each([
  ["lines", ["urn", "find"], `see <urn:isbn:0451450523>, ${"x".repeat(972)}\n`, 1, 0],
  ["one line", ["urn", "find"], `urn:isbn:0451450523 ${"x".repeat(979)} `, 1, 0],
  ["no URN and no space", ["urn", "find"], "urn-x:".repeat(100), 0, 0],
  ["lines", ["hash-uris"], `${URI}\n`, 1, 0],
  ["nine other lines", ["match", "--list", HASHES], `${`${URI}y\n`.repeat(9)}${URI}\n`, 1, 1],
])("200 MB of %s to %j", async (_, argv, text, found, status) => {
  const { stdin, copies } = repeated(text, 200 * MEGABYTE);
  const ended = await urlhash(argv, { stdin, nodeOptions: SMALL_HEAP });
  expect(ended.status).toBe(status);
  expect(ended.stdout.match(/urn:isbn:0451450523|hashed:sha1=/g) ?? []).toHaveLength(
    found * copies,
  );
  expect(memoryOf(ended.stderr)).toBeLessThan(150);
});

test("a URN without end is reported", async () => {
  const stdin = [Buffer.from("a\nurn:a:"), ...repeated("x", 200 * MEGABYTE).stdin];
  const ended = await urlhash(["urn", "find"], { stdin, nodeOptions: SMALL_HEAP });
  expect(ended).toMatchObject({ status: 4, stdout: "" });
  expect(ended.stderr).toMatch(/^urlhash: 2:1: more than 2097152 bytes /);
  expect(memoryOf(ended.stderr)).toBeLessThan(150);
});

test("130 MB of results", async () => {
  const { stdin, copies } = repeated(`http://a.b/${"x".repeat(988)}\n`, 40 * MEGABYTE);
  const ended = await urlhash(["hash", "--ndjson"], { stdin, nodeOptions: heapOf(24) });
  expect(ended).toMatchObject({ status: 0, stderr: "" });
  const lines = ended.stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(copies);
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ line: copies });
});

test("400 000 requests to the helper at once", async () => {
  const { stdin, copies } = repeated("1 http://evil.example/a/path -\n", 12.4 * MEGABYTE);
  const argv = ["helper", "squid", "--list", LIST];
  const ended = await urlhash(argv, { stdin, nodeOptions: heapOf(24) });
  expect(ended.status).toBe(0);
  expect(ended.stdout.match(/^1 OK tag=listed /gm)).toHaveLength(copies);
});

test("a request of 400 MB to the helper, which is not checked either", async () => {
  const stdin = [
    Buffer.from("1 http://evil.example/"),
    ...repeated("a", 400 * MEGABYTE).stdin,
    Buffer.from(" -\n2 http://good.example/ -\n"),
  ];
  const argv = ["helper", "squid", "--list", LIST];
  const ended = await urlhash(argv, { stdin, nodeOptions: MEASURE_MEMORY });
  expect(ended.status).toBe(0);
  expect(ended.stdout).toMatch(/^1 BH message="[^"]*"\n2 ERR\n$/);
  expect(memoryOf(ended.stderr)).toBeLessThan(250);
});

test.each([["1"], ["2"]])("a line of 1 GiB to %s workers", async (workers) => {
  const file = folder.path("long");
  const fd = openSync(file, "w");
  // The file starts with line feeds, because a file that begins with zeros is refused as a whole.
  writeSync(fd, "\n".repeat(200_000));
  // The rest is a hole of zeros, which takes no space on the disk.
  ftruncateSync(fd, 2 ** 30);
  closeSync(fd);
  const argv = ["check", "--list", LIST, "--file", file, "--workers", workers];
  const ended = await urlhash(argv, { nodeOptions: MEASURE_MEMORY });
  expect(ended).toMatchObject({ status: 4, stdout: "" });
  expect(ended.stderr).toContain("is longer than 2097152 bytes");
  expect(memoryOf(ended.stderr)).toBeLessThan(500);
});

test.each([["1"], ["2"]])(
  "150 MB of messages about lines of two bytes, with %s workers",
  async (workers) => {
    const lines = 1_000_000;
    const file = folder.write("bad", ":\n".repeat(lines));
    const argv = ["check", "--list", LIST, "--file", file, "--workers", workers];
    // The messages about all chunks that are read ahead are written together, and take half of the heap.
    const ended = await urlhash(argv, { nodeOptions: heapOf(128) });
    expect(ended.status).toBe(4);
    expect(ended.stderr.match(/: expected a host/g)).toHaveLength(lines);
  },
);
