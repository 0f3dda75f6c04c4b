import { checker } from "@x/lookup";
import { decodePrefixList, encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { assert, constantFrom, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { type RunOptions, run } from "../../run.ts";

const folder = temporaryFolder();

function listFile(name: string, ...entries: string[]): string {
  const list = prefixList(entries.map(fullHash), { name, prefixBytes: 32 });
  return folder.write(`${name}.list`, encodePrefixList(list));
}

const ENTRIES = ["evil.example/", "bad.example/x/", "[::1]/", "paths.example/a%23b"];
const LIST = listFile("phishing", ...ENTRIES);
const { check } = checker(
  decodePrefixList(encodePrefixList(prefixList(ENTRIES.map(fullHash), { prefixBytes: 32 }))),
);

async function answersTo(
  lines: readonly string[],
  argv: readonly string[] = ["--list", LIST],
  options: RunOptions = {},
): Promise<string[]> {
  const stdin = Buffer.from(lines.map((line) => `${line}\n`).join(""), "latin1");
  const ran = await run(["helper", "squid", ...argv], { ...options, stdin });
  expect(ran.status).toBe(0);
  expect(ran.stdout === "" || ran.stdout.endsWith("\n")).toBe(true);
  return ran.stdout.split("\n").slice(0, -1);
}

const LISTED = 'OK tag=listed message="evil.example/ (f001957c) is on phishing"';
const shortened = (answer: string): string =>
  answer.replace(/\(([0-9a-f]{8})[0-9a-f]{56}\)/, "($1)");

test.each([
  ["1 http://evil.example/ -", `1 ${LISTED}`],
  ["18446744073709551615 http://evil.example/ -", `18446744073709551615 ${LISTED}`],
  ["http://login.evil.example:8080/a?b -", LISTED],
  ["http://evil.example/", LISTED],
  [
    "2 http://bad.example/x/y -",
    '2 OK tag=listed message="bad.example/x/ (2bd842eb) is on phishing"',
  ],
  ["3 http://bad.example/y -", "3 ERR"],
  ["http://good.example/ -", "ERR"],
])("a request of Squid: %j", { tags: "deep" }, async (line, answer) => {
  expect((await answersTo([line])).map(shortened)).toEqual([answer]);
});

test("the path is not decoded before it is canonicalized", async () => {
  expect((await answersTo(["1 http://paths.example/a%23b -"]))[0]).toMatch(/^1 OK tag=listed /);
  expect(await answersTo(["1 http://paths.example/a%2523b%2523 -"])).toEqual(["1 ERR"]);
});

test("a tunnel is checked by its host", async () => {
  const lines = [
    "1 evil.example:443 -",
    "2 bad.example:443 -",
    "3 %5B::1%5D:8443 -",
    "x.evil.example:1",
  ];
  const verdicts = (await answersTo(lines)).map((answer) => answer.replace(/ message=.*/, ""));
  expect(verdicts).toEqual(["1 OK tag=listed", "2 ERR", "3 OK tag=listed", "OK tag=listed"]);
});

test.each([
  "urn:example:a",
  "evil.example",
  '"http://evil.example/"',
  "http:///",
  "http://",
  "-",
  "/path",
  "10.0.0.1",
  "evil.example:443/path",
  "https:evil.example:443",
  "urn:evil.example:1",
])("a URI that is no URL with a host is not passed: %j", async (uri) => {
  expect((await answersTo([`7 ${uri} -`]))[0]).toMatch(/^7 OK tag=unreadable message="not a URL/);
});

test.each([
  ["1 10.0.0.1 http://evil.example/ -"],
  ["1 http://evil.example/ argument"],
  ["1 http://b\xfccher.example/ -"],
  ["1  -"],
  ["1 "],
  ["1 http://evil.example/\t-"],
])("a line of another format is not checked: %j", async (line) => {
  const message = 'message="the helper expects lines with one field: the format %URI"';
  expect(await answersTo([line])).toEqual([`1 BH ${message}`]);
  expect(await answersTo([line], ["--list", LIST, "--tag-unchecked"])).toEqual([
    `1 OK tag=unchecked ${message}`,
  ]);
});

/** Escapes what Squid escapes: not the percent sign. */
const escaped = (text: string): string =>
  [...text]
    .map((character) =>
      /[!-~]/.test(character) && !/["#'<>[\\\]^`{|}]/.test(character)
        ? character
        : [...Buffer.from(character)]
            .map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`)
            .join(""),
    )
    .join("");

test("every line has one answer, and ERR is for URLs that are on no list", async () => {
  const seen = new Set<string>();
  let compared = 0;
  const piece = oneof(
    constantFrom("http://", "https://", "evil.example", "bad.example", "[::1]", ":443", " ", "7 "),
    constantFrom("/", "x/", "%2f", "%", "%25", "#", "?", "\\", "@", '"', "\xfc", "\u{1f600}", "-"),
    string({ maxLength: 3, unit: anyCharacter }),
  );
  const lines: { line: string; url: string }[] = [];
  const start = constantFrom("", "http://evil.example", "https://bad.example:1/", "http://[::1]/");
  assert(
    property(start, string({ unit: piece, maxLength: 8 }), (first, rest) => {
      const url = first + rest;
      lines.push({ line: `${lines.length} ${escaped(url)} -`, url });
    }),
    { numRuns: sampleSize(3000), seed: 16 },
  );
  const answers = await answersTo(lines.map(({ line }) => line));
  expect(answers).toHaveLength(lines.length);
  for (const [i, answer] of answers.entries()) {
    const [, number, verdict] = /^(\d+) (ERR|(?:OK tag=[a-z]+|BH) message=".*")$/.exec(answer)!;
    expect(number).toBe(String(i));
    const kind = verdict!.split(" message=")[0]!;
    seen.add(kind);
    const { url } = lines[i]!;
    // Squid does not pass on URLs with other hosts. URLs with a fragment, or with characters that the checker removes,
    // are skipped, too.
    if (!/^https?:\/\/(?:[a-z\d.-]+|\[::1\])(?::\d*)?(?:[/?][^\s#]*)?$/i.test(url)) continue;
    compared++;
    let expected: string;
    try {
      expected = check(url).length > 0 ? "OK tag=listed" : "ERR";
    } catch {
      expected = "OK tag=unreadable";
    }
    expect(kind, url).toBe(expected);
  }
  expect(compared).toBeGreaterThan(fewest(100));
  expect([...seen].sort()).toEqual(["BH", "ERR", "OK tag=listed", "OK tag=unreadable"]);
});

test("quotation marks and backslashes in a message are escaped", async () => {
  const list = listFile('a "b"\\', "evil.example/");
  const [answer] = await answersTo(["1 http://evil.example/ -"], ["--list", list]);
  expect(answer).toMatch(/ is on a \\"b\\"\\\\"$/);
});

test("a URL on a list of safe sites is not listed", async () => {
  const safe = listFile("safe", "ok.evil.example/");
  const argv = ["--list", LIST, "--safe-list", safe];
  const lines = ["1 http://ok.evil.example/ -", "2 http://evil.example/ -"];
  const [first, second] = await answersTo(lines, argv);
  expect(first).toBe("1 ERR");
  expect(second).toMatch(/^2 OK tag=listed/);
});

test("a list that cannot be read checks nothing, and is reported once", async () => {
  const argv = ["helper", "squid", "--list", folder.path("missing.list")];
  const ran = await run(argv, { stdin: "1 http://evil.example/ -\n2 http://good.example/ -\n" });
  expect(ran.status).toBe(0);
  expect(ran.stdout).toBe(
    '1 BH message="the lists cannot be read"\n2 BH message="the lists cannot be read"\n',
  );
  expect(ran.stderr).toMatch(
    /^urlhash: cannot read .*missing\.list: no such file or directory: no URLs are checked in the meantime\n$/,
  );
});

test("neither the answers for people nor the log name a URL that is not listed", async () => {
  const ran = await run(["helper", "squid", "--list", LIST], {
    stdin: "http://secret.example/ -\n",
  });
  expect(ran).toEqual({
    status: 0,
    stdout: "ERR\n",
    stderr: "urlhash: lists in use: phishing (4)\n",
  });
});

test.each([
  [[], "name lists with --list or --lists-from, or a server with --server"],
  [["--list", LIST, "--lists-from", "."], "name lists with --list or --lists-from, or a server"],
  [["--server", "http://127.0.0.1:1", "--list", LIST], "cannot be used with option '--list"],
  [["--server", "ftp://127.0.0.1"], ': expected a URL such as "http://127.0.0.1:8080"'],
  [
    ["--server", "http://a:b@127.0.0.1"],
    ": expected a URL without a user name, a password or a query",
  ],
  [
    ["--server", "http://127.0.0.1:1", "--key-file", "missing"],
    "cannot read missing: no such file",
  ],
  [["--server", "http://127.0.0.1:1", "--key-file", LIST], "expected an API key in"],
  [["--list", LIST, "--key-file", "x"], "--key-file needs --server"],
  [["--list", LIST, "http://evil.example/"], "too many arguments"],
])("bad usage: %j", async (argv, message) => {
  const ran = await run(["helper", "squid", ...argv], { stdin: "1 http://evil.example/ -\n" });
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain(message);
});
