import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { decodePrefixList, diffPrefixLists, encodeDifference } from "@x/prefix-list";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

/* Tests of the messages about users' mistakes. */

const folder = temporaryFolder();
const URLS = folder.write("urls.txt", "http://evil.example/\n");
const LIST = folder.path("l.list");
const DIFFERENCE = folder.path("l.diff");

/** The first bytes of compressed files, by format. */
const COMPRESSED = {
  gzip: { start: [0x1f, 0x8b, 0x08, 0], found: "a gzip file", unpack: "gzip -dc", isRead: true },
  zstd: {
    start: [0x28, 0xb5, 0x2f, 0xfd],
    found: "a Zstandard file",
    unpack: "zstd -dc",
    isRead: false,
  },
  xz: {
    start: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
    found: "an xz file",
    unpack: "xz -dc",
    isRead: false,
  },
  bzip2: {
    start: [...Buffer.from("BZh91AY&SY")],
    found: "a bzip2 file",
    unpack: "bzip2 -dc",
    isRead: false,
  },
  zip: {
    start: [...Buffer.from("PK\x03\x04")],
    found: "a ZIP archive or an Office document",
    unpack: "unzip -p",
    isRead: false,
  },
};

test("makes the files for the tests below", async () => {
  expect((await run(["list", "build", URLS, "-o", LIST])).status).toBe(0);
  const list = decodePrefixList(readFileSync(LIST));
  writeFileSync(DIFFERENCE, encodeDifference(diffPrefixLists(list, list)));
});

const COMMANDS = [
  ["check", "--list", LIST],
  ["explain"],
  ["canon"],
  ["hash"],
  ["hash-uris"],
  ["urn", "parse"],
  ["urn", "find"],
  ["urn", "check"],
];

test.each(Object.entries(COMPRESSED))(
  "%s on stdin",
  async (_, { start, found, unpack, isRead }) => {
    const stdin = Buffer.concat([Buffer.from(start), Buffer.alloc(99, 0xa5)]);
    for (const argv of COMMANDS) {
      const { status, stdout, stderr } = await run(argv, { stdin });
      expect({ status, stdout }, argv.join(" ")).toEqual({ status: 2, stdout: "" });
      const expected = `urlhash: stdin looks like ${found}: expected text (unpack it first, for example with "${unpack}")`;
      const advice = isRead && argv[0] !== "urn" ? ", or name the file with --file" : "";
      expect(stderr).toBe(`${expected}${advice}\n`);
    }
  },
);

/** Returns bytes from a random generator with a fixed seed. */
function randomBytes(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

test.each([4000, 300_000])("%i random bytes are not read as lines", async (length) => {
  const stdin = randomBytes(length);
  const file = folder.write(`random-${length}`, stdin);
  for (const argv of [["check", "--list", LIST], ["explain"], ["canon"], ["hash"], ["hash-uris"]]) {
    const noun = argv[0] === "hash-uris" ? "URI" : "URL";
    const expected = `looks like bytes that are not text: expected one ${noun} per line\n`;
    expect(await run(argv, { stdin })).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: stdin ${expected}`,
    });
    expect((await run([...argv, "--file", file])).stderr).toBe(`urlhash: ${file} ${expected}`);
  }
});

test("lines may have any encoding, and a few of them control characters", async () => {
  const lines = Array.from({ length: 50 }, (_, i) => `http://h${i}.example/caf\xe9\xe8\xe0\xfc\n`);
  const stdin = Buffer.from(`${lines.join("")}http://a.example/\x01\x02\x00\n`, "latin1");
  const { stdout } = await run(["canon"], { stdin });
  expect(stdout.split("\n")).toHaveLength(lines.length + 1);
});

test.each([
  [["check", "--list", LIST, "--file", folder.path(".")], "it is a directory"],
  [["check", "--list", folder.path("."), "x"], "it is a directory \\(check --lists-from .*\\)"],
  [["match", "--list", folder.path("."), "x"], "it is a directory"],
  [["urn", "find", folder.path(".")], "it is a directory"],
  [["check", "--list", LIST, "--file", `${URLS}/x`], "part of its path is not a directory"],
])("%j", async (argv, reason) => {
  const { status, stderr } = await run(argv);
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`^urlhash: cannot read \\S+: ${reason}\n$`));
});

test.each(["--file", "--list", "--database", "--public-key"])("an empty %s", async (option) => {
  const { status, stderr } = await run(["check", "--list", LIST, option, "", "x"]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/ cannot be '': expected a value that is not empty /);
});

test.each([
  [["check", "--list", LIST], "URL"],
  [["explain"], "URL"],
  [["canon"], "URL"],
  [["urn", "parse"], "URN"],
])("%j with an empty or blank argument", async (argv, noun) => {
  const { status, stderr } = await run([...argv, "", " "]);
  expect(status).toBe(4);
  expect(stderr).toBe(
    `urlhash: argument 1: "" is empty: expected a ${noun}\nurlhash: argument 2: " " is blank: expected a ${noun}\n`,
  );
});

test("a line with a URL among other text names --find, which finds it", async () => {
  const find = "(check --find checks the links in a text)";
  const marked = [
    "“http://evil.example/”",
    "*http://evil.example/*",
    "请点击http://evil.example/查看",
  ];
  for (const line of [...marked, "see http://evil.example/ now"]) {
    const argv = ["check", "--list", LIST];
    const refused = await run(argv, { stdin: line });
    expect(refused.status).toBe(4);
    expect(refused.stderr).toMatch(
      /^urlhash: line 1: ".*" looks like .*: expected one URL per line /,
    );
    expect(refused.stderr.endsWith(` ${find}\n`), line).toBe(true);
    expect((await run([...argv, "--find"], { stdin: line })).status, line).toBe(1);
  }
  for (const line of ["asdf qwer", 'http://evil.example"/']) {
    expect((await run(["check", "--list", LIST, line])).stderr).not.toContain("--find");
  }
});

const MADE = '"urlhash list build" makes a list from text';

test.each([
  [["list", "info", URLS], `${URLS} is not a list: ${MADE}`],
  [["list", "info", DIFFERENCE], `${DIFFERENCE} is a difference, not a list`],
  [["check", "--list", DIFFERENCE, "x"], `${DIFFERENCE} is a difference, not a list`],
])("%j", async (argv, expected) => {
  expect(await run(argv)).toEqual({ status: 2, stdout: "", stderr: `urlhash: ${expected}\n` });
});

test("a host that does not resolve is called one", async () => {
  const server = ["--server", "http://no-such-host.invalid", "--database", folder.path("db")];
  expect((await run(["update", ...server])).stderr).toMatch(
    / cannot be reached: the host no-such-host\.invalid does not resolve/,
  );
});

test("a compressed file is read", async () => {
  const file = folder.write("urls.gz", gzipSync("http://evil.example/\n"));
  expect((await run(["check", "--list", LIST, "--file", file])).status).toBe(1);
});
