import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { MEASURE_MEMORY, memoryOf } from "@x/test-support/memory";
import { firstOf } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { URLHASH, urlhash } from "./program.ts";

const folder = temporaryFolder();
const MEGABYTE = 1e6;

/** Pieces of 50 kB, all the same. */
function pieces(text: string, size: number): Uint8Array[] {
  const piece = Buffer.from(text.repeat(Math.floor(50_000 / text.length)));
  return Array.from({ length: Math.round(size / piece.length) }, () => piece);
}

const MANY_TEXTS = [
  ["lines of text", `see <urn:isbn:0451450523>, ${"x".repeat(972)}\n`, 20_000],
  ["one line", `urn:isbn:0451450523 ${"x".repeat(979)} `, 20_000],
  ["no URN and no space", "urn-x:".repeat(100), 0],
] as const;

test.each(firstOf(2, MANY_TEXTS))(
  "urn find: 20 MB of %s take no more memory than 2 MB",
  async (_, text, found) => {
    const memory: number[] = [];
    for (const size of [2 * MEGABYTE, 20 * MEGABYTE]) {
      const stdin = pieces(text, size);
      const ended = await urlhash(["urn", "find"], { stdin, nodeOptions: MEASURE_MEMORY });
      expect(ended.status).toBe(0);
      if (size === 20 * MEGABYTE) expect(ended.stdout.match(/\n/g) ?? []).toHaveLength(found);
      memory.push(memoryOf(ended.stderr));
    }
    expect(memory[1]! - memory[0]!).toBeLessThan(40);
  },
);

test("urn find: a URN without end is reported, and not kept", async () => {
  const stdin = [Buffer.from("a\nurn:a:"), ...pieces("x".repeat(1000), 20 * MEGABYTE)];
  const ended = await urlhash(["urn", "find"], { stdin, nodeOptions: MEASURE_MEMORY });
  expect(ended).toMatchObject({ status: 4, stdout: "" });
  expect(ended.stderr).toMatch(/^urlhash: 2:1: more than 2097152 bytes /);
  expect(memoryOf(ended.stderr)).toBeLessThan(150);
});

test("publish and match: 20 MB from stdin take no more memory than 2 MB", async () => {
  const uri = `http://a/${"x".repeat(990)}`;
  const value = createHash("sha1").update(uri).digest("hex");
  const list = folder.write("list.txt", `hashed:sha1=${value}\n`);
  for (const [argv, status] of [
    [["publish"], 0],
    [["match", "--list", list], 1],
  ] as const) {
    const memory: number[] = [];
    for (const size of [2 * MEGABYTE, 20 * MEGABYTE]) {
      const stdin = pieces(`${uri}\n`, size);
      const ended = await urlhash(argv, { stdin, nodeOptions: MEASURE_MEMORY });
      expect(ended.status).toBe(status);
      expect(ended.stdout.match(new RegExp(value, "g"))).toHaveLength(size / 1000);
      memory.push(memoryOf(ended.stderr));
    }
    expect(memory[1]! - memory[0]!).toBeLessThan(40);
  }
});

test.each([
  [["urn", "find"], "a urn:a:b c\n", "1:3: urn:a:b\n"],
  [["urn", "normalize"], "URN:A:b\n", "urn:a:b\n"],
  [
    ["publish", "--no-header"],
    "http://www.thus.net\n",
    "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n",
  ],
])("%j: results come while stdin is still open", async (argv, given, result) => {
  const child = spawn(process.execPath, [URLHASH, ...argv]);
  child.stdin.write(given);
  const [first] = await once(child.stdout, "data");
  expect(String(first)).toBe(result);
  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
});

test.each([[["urn", "find"]], [["urn", "normalize", "--json"]], [["publish"]]])(
  "%j: a closed pipe ends it quietly",
  async (argv) => {
    const stdin = pieces("urn:a:b\n", 20 * MEGABYTE);
    const ended = await urlhash(argv, { stdin, closeAfter: 1 });
    expect(ended).toMatchObject({ status: 0, stderr: "" });
  },
);
