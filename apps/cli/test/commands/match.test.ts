import { createHash } from "node:crypto";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const match = (argv: readonly string[], stdin: string | Uint8Array = "") =>
  run(["match", ...argv], { stdin });
const hashed = (uri: string, algorithm = "sha1") =>
  `hashed:${algorithm}=${createHash(algorithm).update(uri).digest("hex")}`;

const LIST = folder.write(
  "list.txt",
  [
    "# sites",
    hashed("http://a/x"),
    "",
    `  ${hashed("http://b/?q", "md5").toUpperCase()}+QUERY  `,
    hashed("http://a/x"),
  ].join("\r\n"),
);

test("matches, with the entry and its line", async () => {
  const ran = await match(["--list", LIST, "HTTP://A:80/%78?y", "http://b/?q", "http://b/"]);
  expect(ran).toEqual({
    status: 1,
    stderr: "",
    stdout: `MATCHED   HTTP://A:80/%78?y
          ${hashed("http://a/x")}
          ${LIST} line 2
MATCHED   http://b/?q
          ${hashed("http://b/?q", "md5")}+query
          ${LIST} line 4
`,
  });
});

test.each([
  [["http://c/"], 0],
  [["http://a/x", "http://c/"], 1],
  [["http://c/", "nope"], 4],
  [["http://a/x", "nope"], 5],
])("%j: status %d", async (uris, status) => {
  expect((await match(["--list", LIST, ...uris])).status).toBe(status);
  const json = await match(["--list", LIST, "--json", ...uris]);
  expect(json.status).toBe(status);
  const records: object[] = JSON.parse(json.stdout);
  expect(records.filter((record) => "error" in record)).toHaveLength(status & 4 ? 1 : 0);
  expect(records.filter((record) => "matched" in record)).toHaveLength(status & 1);
});

test("NDJSON, with --all also of what does not match", async () => {
  const { stdout } = await match(
    ["--list", LIST, "--ndjson", "--all"],
    "#\nhttp://a/x \nhttp://c/\n",
  );
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      line: 2,
      uri: "http://a/x",
      matched: true,
      entry: {
        list: LIST,
        line: 2,
        hashed: hashed("http://a/x"),
        algorithm: "sha1",
        value: hashed("http://a/x").slice("hashed:sha1=".length),
        fragment: false,
        query: false,
      },
    },
    { line: 3, uri: "http://c/", matched: false, entry: null },
  ]);
  expect((await match(["--list", LIST, "--all", "http://c/"])).stdout).toBe(
    "no match  http://c/\n",
  );
});

test("entries that match nothing are reported with their lines, and cost no status", async () => {
  const list = folder.write(
    "unusable.txt",
    `#\nhashed:sha512=00\nhashed:sha1=0\n${hashed("http://a/")}\nhashed:x-sha256=00ff\n`,
  );
  const ran = await match(["--list", list, "http://a/"]);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toBe(
    `urlhash: ${list} line 2: never matches: the algorithm "sha512" is not known
urlhash: ${list} line 3: never matches: no sha1 hash has 1 digit
urlhash: ${list} line 5: never matches: no x-sha256 hash has 4 digits
`,
  );
  expect(ran.stdout).toContain(`${list} line 4\n`);
});

test("lines of a list that are not hashed URIs are reported, and are status 4", async () => {
  const bytes = Buffer.from(`nonsense \x1b[2J\n\xe9\n${hashed("http://a/")}\n`, "latin1");
  const list = folder.write("bad.txt", bytes);
  const ran = await match(["--list", list, "http://a/"]);
  expect(ran.status).toBe(5);
  const lines = ran.stderr.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    / line 1: "nonsense \\u\{1b\}\[2J" at index 0: expected text that begins with "hashed:"/,
  );
  expect(lines[1]).toMatch(/ line 2: "\\xe9" is not UTF-8$/);
  expect(lines).toHaveLength(2);
});

test("a line of a list that is too long is reported", async () => {
  const list = folder.write("long.txt", `hashed:sha1=${"0".repeat(3_000_000)}\n`);
  const ran = await match(["--list", list, "http://a/"]);
  expect(ran.status).toBe(4);
  expect(ran.stderr).toMatch(/ line 1: "hashed:sha1=0{100}0*…" is longer than 2097152 bytes\n$/);
});

test("several lists: the first entry in the order of the command line", async () => {
  const other = folder.write("other.txt", `${hashed("http://a/x")}\n${hashed("http://c/")}\n`);
  const argv = ["--list", other, "--list", LIST, "http://a/x", "http://b/?q"];
  const { stdout } = await match(argv);
  expect(stdout).toContain(`${other} line 1\n`);
  expect(stdout).toContain(`${LIST} line 4\n`);
});

test("--variant and --base", async () => {
  const list = folder.write("p.txt", hashed("http://a/x"));
  expect((await match(["--list", list, "http://a/X"])).status).toBe(0);
  expect((await match(["--list", list, "--variant", "P", "http://a/X"])).status).toBe(1);
  expect((await match(["--list", list, "--base", "http://a/", "x"])).status).toBe(1);
  const wrong = await match(["--list", list, "--base", "x/y", "http://a/x"]);
  expect(wrong).toMatchObject({ status: 2, stdout: "" });
});

test("stdin may be the list or the URIs", async () => {
  const ran = await match(["--list", "-", "http://a/"], hashed("http://a/"));
  expect(ran).toMatchObject({ status: 1 });
  expect(ran.stdout).toContain("stdin line 1\n");
  for (const argv of [["-"], [], ["--file", "-"], ["--list", "-", "http://a/"]]) {
    expect(await match(["--list", "-", ...argv])).toEqual({
      status: 2,
      stdout: "",
      stderr: "urlhash: stdin can be read only once\n",
    });
  }
});

test("without a list, or with one that is not there, it fails", async () => {
  expect(await match(["http://a/"])).toEqual({
    status: 2,
    stdout: "",
    stderr: "urlhash: missing option '--list <file>' (see urlhash match --help)\n",
  });
  const missing = folder.path("missing");
  expect(await match(["--list", missing, "http://a/"])).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: cannot read ${missing}: no such file or directory\n`,
  });
});

test("what urlhash hash-uris writes is matched", async () => {
  const uris = "http://a/1\nmailto:x@y\nurn:ISBN:0451450523\nhttp://a/?q#f\n";
  const flags = ["--keep-query", "--keep-fragment", "--algorithm", "x-sha256"];
  const { stdout } = await run(["hash-uris", ...flags], { stdin: uris });
  const list = folder.write("published.txt", stdout);
  const ran = await match(["--list", list], uris);
  expect(ran.stdout.match(/^MATCHED/gm)).toHaveLength(4);
});

test("a hostile candidate and the name of a list are shown escaped", async () => {
  const list = folder.write("b\u202e.txt", hashed("http://\u202ea/"));
  const ran = await match(["--list", list, "http://\u202ea/"]);
  expect(ran.status).toBe(1);
  expect(ran.stdout).toMatch(/^MATCHED {3}http:\/\/\\u\{202e\}a\/\n/);
  expect(ran.stdout + ran.stderr).toMatch(/^[\n -~]*$/);
});
