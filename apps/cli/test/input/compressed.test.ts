import { gzipSync } from "node:zlib";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { firstOf, IS_DEEP, sampleSize } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decompressed } from "../../src/input/read-file.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.write(
  "l.list",
  encodePrefixList(prefixList([fullHash("h7.example/")], { name: "l", prefixBytes: 8 })),
);
const LINES = Array.from({ length: 300 }, (_, i) => `http://h${i}.example/p?${i * i}\n`);
const TEXT = Buffer.from(LINES.join(""));
const gz = gzipSync(TEXT);
const twoMembers = Buffer.concat([
  gzipSync(LINES.slice(0, 99).join("")),
  gzipSync(LINES.slice(99).join("")),
]);

/** The distance between the positions at which a file is cut off. */
const STEP = IS_DEEP ? 1 : 97;

async function read(bytes: Uint8Array, pieceBytes: number, name = "f"): Promise<Buffer> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < bytes.length; i += pieceBytes) yield bytes.subarray(i, i + pieceBytes);
  }
  const found: Uint8Array[] = [];
  for await (const piece of decompressed(pieces(), name)) found.push(piece);
  return Buffer.concat(found);
}

const check = (name: string, content: Uint8Array, ...options: string[]) =>
  run(["check", "--list", LIST, "--file", folder.write(name, content), "--ndjson", ...options]);

test("files that are compressed otherwise are refused, and the message says how to unpack them", async () => {
  const zst = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58]), TEXT]);
  for (const name of ["urls.zst", "odd-name"]) {
    const ran = await run(["check", "--list", LIST, "--file", folder.write(name, zst)]);
    expect([ran.status, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(
      'a Zstandard file: expected text (unpack it first, for example with "zstd -dc")',
    );
  }
});

test("a file is decompressed by its contents, whatever its name is", async () => {
  const plain = await check("urls.txt", TEXT);
  expect(plain.stdout.match(/"listed":true/g)).toHaveLength(1);
  for (const [name, content] of [
    ["urls.gz", gz],
    ["members.gz", twoMembers],
    ["odd-name", gz],
  ] as const) {
    expect(await check(name, content)).toEqual(plain);
  }
});

test("what is not compressed is not read under a name that says so", async () => {
  for (const [name, content] of [
    ["plain.gz", TEXT],
    ["empty.gz", Buffer.alloc(0)],
  ] as const) {
    const { status, stderr } = await check(name, content);
    expect(status).toBe(2);
    expect(stderr).toMatch(/: it is not compressed, although its name says so, after line 0\n$/);
  }
});

test("bytes that begin like a compressed file are lines all the same", async () => {
  for (const start of ["(\xb5", "P", "\x1f\x8b", "(\xb5/\n\xfd", ""]) {
    const bytes = Buffer.from(start, "latin1");
    expect(await read(bytes, 1)).toEqual(bytes);
  }
});

test("a file that is cut off anywhere is an error, and says after which line", async () => {
  for (const whole of [gz, twoMembers]) {
    // A gzip file may end after any member.
    const ends = new Set([gzipSync(LINES.slice(0, 99).join("")).length]);
    for (let end = 4; end < whole.length; end += STEP) {
      if (whole === twoMembers && ends.has(end)) continue;
      await expect(read(whole.subarray(0, end), 2 ** 17, "f.gz")).rejects.toThrow(/cut off/);
    }
    const { status, stdout, stderr } = await check("cut", whole.subarray(0, -3));
    expect(status).toBe(2);
    const rows = stdout.split("\n").length - 1;
    expect(stderr).toMatch(
      new RegExp(`^urlhash: cannot read .*cut: it is .*, after line ${rows}\n$`),
    );
  }
});

test("the reason is that of zlib, not one of the system with the same number", async () => {
  const cut = await check("cut.gz", gz.subarray(0, -9));
  expect(cut.stderr).toContain("it is damaged or cut off (unexpected end of file), after line ");
  const bad = await check("bad.gz", Buffer.concat([gz, Buffer.from("rubbish, but long enough")]));
  expect(bad.stderr).not.toMatch(/no such process|i\/o error/);
});

test("damage is an error", { tags: "deep" }, async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(gz, twoMembers),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (whole, at, change) => {
        const bytes = Buffer.from(whole);
        bytes[4 + (at % (bytes.length - 4))]! ^= change;
        const ended = await read(bytes, 2 ** 17).catch((error: Error) => error.name);
        if (ended === "Damage") found++;
        // Changes in some header bytes, such as the time, do not count as damage.
        else expect(Buffer.isBuffer(ended) && ended.equals(TEXT)).toBe(true);
      },
    ),
    { seed: 31, numRuns: sampleSize(2000) },
  );
  expect(found).toBeGreaterThan(sampleSize(1500));
});

test.each(firstOf(9, ["x", "\0", "\0\0\0\0\0\0\0\0\0\0\0\0", "\x1f\x8b\x08", "\x1f\x8b\xff\xff"]))(
  "what follows compressed data is not ignored: %j",
  async (text) => {
    const more = Buffer.from(text, "latin1");
    for (const pieceBytes of [gz.length, 2 ** 17]) {
      await expect(read(Buffer.concat([gz, more]), pieceBytes)).rejects.toThrow(/follows|cut off/);
      const hidden = Buffer.concat([gz, more, gz]);
      await expect(read(hidden, pieceBytes)).rejects.toThrow(/follows|damaged|cut off/);
    }
  },
);
