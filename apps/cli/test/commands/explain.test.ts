import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.write(
  "list",
  encodePrefixList(prefixList([fullHash("b.c/")], { name: "phish", prefixBytes: 4 })),
);

test("every step from a URL to the verdict", async () => {
  const url = "HTTP://me@A.B.C:80/1/../%2561?q#top";
  expect(await run(["explain", "--list", LIST, url])).toEqual({
    status: 1,
    stderr: "",
    stdout: `HTTP://me@A.B.C:80/1/../%2561?q#top

Canonicalization
  · remove-tab-cr-lf · trim-spaces
  ● remove-fragment       HTTP://me@A.B.C:80/1/../%2561?q
  ● unescape              HTTP://me@A.B.C:80/1/../a?q
  ● split                 http://me@A.B.C:80/1/../a?q
  ● drop-userinfo         http://A.B.C:80/1/../a?q
  ● drop-port             http://A.B.C/1/../a?q
  · idn-to-ascii · trim-dots · collapse-dots · normalize-ip-address
  ● lower-case-host       http://a.b.c/1/../a?q
  ● resolve-dot-segments  http://a.b.c/a?q
  · collapse-slashes · escape

Canonical URL
  http://a.b.c/a?q

Expressions, hash prefixes and full hashes (SHA-256)
  a.b.c/a?q
    35a8bfd7  35a8bfd7b66ba2cfb461ef8b01e29a9e497078c42db67aaad5a8e2bb895ee3b5
  a.b.c/a
    c0436ec8  c0436ec8cd0aabe904393f348a6f5328a394438017c17bde04d949853c7ac5d6
  a.b.c/
    f9c142c4  f9c142c4c0c9e669e0924b45f5b1b8dd1fdf85d182b674a4ec415b1f58ac2667
  b.c/a?q
    2e121b2f  2e121b2f472138dec0732fd041e7a2ed4cee1c019c8615546bccc6f977ae7455
  b.c/a
    f4393739  f4393739e387431f859b61dc25583255dbef0e5af55efaba14e448ad14344b33
▸ b.c/
    b225cf5d  b225cf5dcf266f3ff0b32319a72cf23fca7c53c98cb4af1a7bbfe413415407f1

Verdict
  LISTED. 1 of 6 expressions is on phish.
    b.c/ (b225cf5d) is on phish
  Only a hash prefix matches, not a full hash: with this list, about 1 harmless URL in 715,827,883 is listed by chance (for URLs with 6 expressions).
  b.c/ covers this host and everything below it.

`,
  });
});

test("without a list there is no verdict", async () => {
  const ran = await run(["explain", "b.c"]);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toMatch(
    /Verdict\n {2}No list\. The URL was not looked up\. Name a list with --list FILE\.\n\n$/,
  );
});

test("a URL that hides its site is not listed, and a note says so", async () => {
  const verdictOn = async (url: string) => {
    const { status, stdout } = await run(["explain", "--list", LIST, url]);
    return [status, stdout.slice(stdout.indexOf("Verdict"))];
  };
  const not = "Not listed. Its one expression is not on phish (1 prefix).";
  expect(await verdictOn("http://wiki/")).toEqual([
    0,
    `Verdict\n  ${not}\n  No whole name: was the link cut off?\n\n`,
  ]);
  expect(await verdictOn("http://localhost/")).toEqual([0, `Verdict\n  ${not}\n\n`]);
  expect((await verdictOn("https://bit.ly/a"))[1]).toContain(
    "\n  A link shortener: the site that it leads to was not checked.\n",
  );
});

test("JSON has every step, in order, with its section", async () => {
  const ran = await run(["explain", "--json", "--bytes", "32", "--list", LIST, "B.C?"]);
  const [record] = JSON.parse(ran.stdout);
  expect(record).toMatchObject({
    argument: 1,
    url: "B.C?",
    canonical: "http://b.c/?",
    scheme: "http",
    host: "b.c",
    hostType: "domain",
    path: "/",
    query: "",
    listed: true,
    matches: [{ list: "phish", expression: "b.c/", prefix: "b225cf5d" }],
  });
  expect(record.steps).toHaveLength(15);
  expect(record.steps[0]).toEqual({
    step: "remove-tab-cr-lf",
    section: "Web Risk, Hashing URLs, Canonicalization, first",
    text: "B.C?",
    changed: false,
  });
  const [{ hash, prefix }] = record.expressions;
  expect(prefix).toBe(hash);
});

test.each([80, 100, 119])("in %i columns no line is longer", async (terminal) => {
  const url = `http://user@${"long.".repeat(30)}example/${"日本語/".repeat(30)}?${"q".repeat(300)}`;
  const { stdout } = await run(["explain", url], { terminal, env: { NO_COLOR: "1" } });
  const lines = stdout.split("\n");
  const columns = (line: string) => line.length + (line.match(/[日本語]/gu)?.length ?? 0);
  expect(Math.max(...lines.map(columns))).toBe(terminal);
});

test("where there is room a full hash and its expression share a line", async () => {
  const { stdout } = await run(["explain", "b.c"], { terminal: 200, env: { NO_COLOR: "1" } });
  expect(stdout).toMatch(/^ {2}b225cf5d {2}b225cf5d[0-9a-f]{56} {2}b\.c\/$/m);
});

test("nothing of the input reaches a terminal raw", async () => {
  const url = "http://a.b/\x1b]0;x\x07\u202e\u{e0041}\u00a0\u009b31m?\u200b";
  const terminal = await run(["explain", url, "mailto:\x1b[2J\u202e"], {
    terminal: 80,
    env: { NO_COLOR: "1" },
  });
  const plain = await run(["explain", "--json", url]);
  for (const text of [terminal.stdout, terminal.stderr, plain.stdout]) {
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\xa0\u200b\u202e]|\u{e0041}/u);
  }
  expect(terminal.stdout).toContain(
    "\\u{1b}]0;x\\u{7}\\u{202e}\\u{e0041}\\u{a0}\\u{9b}31m?\\u{200b}",
  );
  expect(JSON.parse(plain.stdout)[0].url).toBe(url);
});

test("a very long URL is shown in short", async () => {
  const { stdout, status } = await run(["explain"], {
    stdin: `http://A.b/${"x".repeat(1_000_000)}`,
  });
  expect(stdout.length).toBeLessThan(20_000);
  expect(stdout).toContain("… 999011 more …");
  expect(status).toBe(0);
});
