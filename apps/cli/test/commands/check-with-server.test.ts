import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../run.ts";
import { type ListServer, startListServer } from "./list-server.ts";

const folder = temporaryFolder();
let server: ListServer;
let count = 0;
let database: string;
beforeEach(async () => {
  server = await startListServer();
  database = folder.path(`database-${count++}`);
});
afterEach(() => {
  server.close();
  vi.restoreAllMocks();
});

const LISTS = ["--lists", "mw-4b,se-4b"];
const place = () => ["--server", server.url, "--database", database];
const check = (...argv: string[]) => run(["check", ...place(), ...LISTS, ...argv]);
const EVIL = "http://www.evil.example/login";
/** SHA-256 of `evil.example/`. */
const HASH = "f001957c833da35384097567d684bbfdccfd3c0aea51b672d740b5858f6e9aa5";
const NOT_LISTED = /not listed|not-listed|"listed":false/;

function later(minutes: number): void {
  const time = Date.now() + minutes * 60_000;
  vi.spyOn(Date, "now").mockImplementation(() => time);
}

test.each([
  ["v5", "mw-4b", ": MALWARE"],
  ["v4", "MALWARE", ""],
  ["web-risk", "MALWARE", ""],
])("%s: fetches the lists, and confirms what is listed", async (protocol, name, types) => {
  const argv = ["check", ...place(), "--protocol", protocol, "--lists", name];
  expect(await run([...argv, EVIL, "example.com", "http://phish.example/"])).toEqual({
    status: 1,
    stdout: `LISTED      ${EVIL}
            evil.example/ (f001957c) is on ${name}${types}
not listed  example.com
not listed  http://phish.example/
`,
    stderr: "",
  });
});

test("a prefix that another URL has is not listed", async () => {
  server.setMalware(["evil.example/"]);
  await check("example.com");
  server.setMalware([]);
  expect(await check(EVIL)).toMatchObject({ status: 0, stdout: `not listed  ${EVIL}\n` });
});

test("uses lists that are current, and fetches them when that is due", async () => {
  await run(["update", ...place(), ...LISTS]);
  const before = server.updates();
  await check("example.com");
  expect(server.asked).toHaveLength(before);
  later(31);
  await check("example.com");
  expect(server.updates()).toBe(before + 1);
});

test("the searches for the URLs of a file are joined", async () => {
  server.setMalware(Array.from({ length: 20 }, (_, i) => `${i}.example/`));
  const urls = Array.from({ length: 20 }, (_, i) => `http://${i}.example/`);
  const file = folder.write("many.txt", `${urls.join("\n")}\n`);
  const { status, stdout } = await check("--file", file);
  expect([status, stdout.match(/^LISTED/gm)?.length]).toEqual([1, 20]);
  expect(server.asked).toHaveLength(2);
});

test.each([[[]], [["--offline"]]])("a listed URL inside makes the URL listed: %j", async (argv) => {
  const wrapped = `https://www.google.com/url?q=${encodeURIComponent(EVIL)}`;
  await check("example.com");
  const text = await check(...argv, wrapped);
  expect(text.status).toBe(argv.length === 0 ? 1 : 8);
  expect(text.stdout).toContain(`, inside the URL: ${EVIL} (Google)`);
  const json = await check(...argv, "--ndjson", wrapped);
  expect(JSON.parse(json.stdout).matches[0].inner).toMatchObject({ url: EVIL, wrapper: "Google" });
  expect(await check(...argv, "--no-unwrap", wrapped)).toMatchObject({ status: 0 });
});

test("JSON and rows", async () => {
  const record = {
    line: 1,
    url: EVIL,
    canonical: EVIL,
    verdict: "listed",
    reason: null,
    local: "listed",
    matches: [
      {
        list: "mw-4b",
        threatTypes: ["MALWARE"],
        expression: "evil.example/",
        hash: HASH,
        confirmed: true,
        reading: "both",
      },
    ],
    expires: expect.stringMatching(/^20\d\d-/),
    problem: null,
  };
  const stdin = `${EVIL}\n\nexample.com/%61\nmailto:x\n`;
  const options = { stdin };
  const json = await run(["check", ...place(), ...LISTS, "--json"], options);
  expect(json.status).toBe(5);
  expect(JSON.parse(json.stdout)).toEqual([
    record,
    {
      ...record,
      line: 3,
      url: "example.com/%61",
      canonical: "http://example.com/a",
      verdict: "not-listed",
      local: "unlisted",
      matches: [],
    },
    { line: 4, url: "mailto:x", error: expect.objectContaining({ code: "authority-missing" }) },
  ]);
});

describe("what has no verdict is never said to be not listed", () => {
  const FORMATS = ["text", "json", "ndjson"];

  test.each(FORMATS)("a server that does not answer a search: %s", async (format) => {
    server.status.search = 503;
    const { status, stdout } = await check(...(format === "text" ? [] : [`--${format}`]), EVIL);
    expect(status).toBe(8);
    expect(stdout).toContain("unsure");
    expect(stdout).toMatch(/server-unreachable|no usable answer: .*503/);
    expect(stdout).toContain("evil.example/");
    expect(stdout).not.toMatch(NOT_LISTED);
  });

  test.each(FORMATS)("lists that were never fetched: %s", async (format) => {
    server.status.update = 503;
    const first = await check(...(format === "text" ? [] : [`--${format}`]), "example.com", EVIL);
    expect(first.status).toBe(8);
    expect(first.stdout).toMatch(/not-loaded|not all lists have been downloaded yet/);
    expect(first.stdout).not.toMatch(NOT_LISTED);
    expect(first.stderr).toMatch(
      /^urlhash: warning: the lists could not be brought up to date: .*503.*\n$/,
    );
    const second = await check(...(format === "text" ? [] : [`--${format}`]), "example.com");
    expect(second.stderr).toMatch(/^urlhash: warning: the last update failed, .*--now.*\n$/);
    // One request is the update, and the other asks for the names of the server's lists.
    expect([second.status, server.asked.length]).toEqual([8, 2]);
  });

  test.each(FORMATS)("lists that are too old: %s", async (format) => {
    await check("example.com");
    server.status.update = 503;
    later(60);
    expect(await check(...(format === "text" ? [] : [`--${format}`]), "example.com")).toMatchObject(
      {
        status: 0,
        stdout: expect.stringMatching(NOT_LISTED),
      },
    );
    later(48 * 60);
    const old = await check(...(format === "text" ? [] : [`--${format}`]), "example.com");
    expect(old.status).toBe(8);
    expect(old.stdout).toMatch(/outdated|the lists are too old/);
    expect(old.stdout).not.toMatch(NOT_LISTED);
  });

  test("with --only-listed, it is written", async () => {
    server.status.search = 503;
    const { status, stdout } = await check("--only-listed", "example.com", EVIL);
    expect([status, stdout]).toEqual([8, expect.stringMatching(/^unsure {6}http:\/\/www\.evil/)]);
  });

  test("the status has all parts", async () => {
    await check("example.com", EVIL);
    server.status.search = 503;
    const { status } = await check("--ndjson", "example.com", EVIL, "mailto:x");
    expect(status).toBe(12);
  });

  test("a host that cannot be decided is refused, as with list files", async () => {
    const { status, stdout, stderr } = await check("http://ev\u2065il.example/");
    expect([status, stdout]).toEqual([4, ""]);
    expect(stderr).toContain("Browsers may open the URL, so do not treat it as safe");
  });
});

test("--offline asks nothing", async () => {
  expect(await check("--offline", "example.com")).toMatchObject({
    status: 8,
    stdout: expect.stringContaining("not all lists have been downloaded yet"),
  });
  await run(["update", ...place(), ...LISTS]);
  const asked = server.asked.length;
  later(31);
  expect(await check("--offline", "example.com", EVIL)).toEqual({
    status: 8,
    stdout: `not listed  example.com
unsure      ${EVIL}
            the server must confirm it, but was not asked
            evil.example/ (f001957c) is probably on mw-4b: MALWARE
`,
    stderr: "",
  });
  expect(server.asked).toHaveLength(asked);
});

test("an empty list is a warning", async () => {
  server.setMalware([]);
  for (const argv of [["a.b"], ["--offline", "a.b"]]) {
    const { status, stderr } = await check(...argv);
    expect([status, stderr]).toEqual([
      0,
      "urlhash: warning: the list mw-4b is empty: no URL can be on it\n",
    ]);
  }
});

test.each([
  ["v5", "malware", "did you mean mw-4b?"],
  ["v5", "SOCIAL_ENGINEERING", "did you mean se-4b?"],
  ["v5", "uws-4b", "it has mw-4b, se-4b"],
  [
    "v4",
    "UNWANTED_SOFTWARE",
    "it has MALWARE/ANY_PLATFORM/URL, SOCIAL_ENGINEERING/ANY_PLATFORM/URL",
  ],
])(
  "%s: a list %s that the server does not have makes no URL safe",
  async (protocol, name, hint) => {
    const lists = ["--protocol", protocol, "--lists", name];
    const first = await run(["check", ...place(), ...lists, "a.b"]);
    expect(first).toEqual({
      status: 8,
      stdout: "unsure      a.b\n            the server does not have one of the lists\n",
      stderr: `urlhash: warning: The server ${new URL(server.url).host} has no list "${name}" (${hint})\n`,
    });
    const asked = server.updates();
    const again = await run(["check", ...place(), ...lists, "--offline", "a.b"]);
    expect(again).toMatchObject({ status: 8, stdout: first.stdout });
    expect(again.stderr).toMatch(/has no list "/);
    expect(server.updates()).toBe(asked);
  },
);

test("with v5, host suffixes begin at the registrable domain", async () => {
  server.setMalware(["b.c.d.example.co.uk/"]);
  const argv = ["http://a.a.b.c.d.example.co.uk/"];
  expect((await check(...argv)).status).toBe(1);
  const v4 = ["check", "--server", server.url, "--protocol", "v4", "--lists", "MALWARE"];
  expect((await run([...v4, "--database", folder.path("v4"), ...argv])).status).toBe(0);
});

test("input of another format is refused, and defanged URLs are turned back", async () => {
  expect(await check("hxxp://evil[.]example/")).toMatchObject({
    status: 4,
    stdout: "",
    stderr: expect.stringContaining("(--refang turns it back)"),
  });
  expect(await check("--refang", "hxxp://evil[.]example/")).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^LISTED {6}http:\/\/evil\.example\/\n/),
  });
  const long = `http://evil.example/${"a".repeat(3_000_000)}\n`;
  const ran = await run(["check", ...place(), ...LISTS, "--ndjson"], { stdin: long });
  expect([ran.status, ran.stdout]).toEqual([4, expect.stringContaining('"line-too-long"')]);
});

test.each([
  [["--protocol", "v4"], "--protocol needs --server"],
  [["--lists", "x"], "--lists needs --server"],
  [["--key-file", "x"], "--key-file needs --server"],
  [["--offline"], "--offline needs --server"],
  [["--relay", "https://r.b"], "--relay needs --server"],
  [["--server", "https://a.b", "--relay-keys", "x"], "--relay-keys needs --relay"],
  [["--server", "https://a.b", "--relay-updates"], "--relay-updates needs --relay"],
  [["--server", "https://a.b", "--relay", "https://r.b"], "--relay needs the keys of the server.*"],
  [
    ["--server", "https://a.b", "--relay", "https://r.b", "--relay-keys", "no-such-file"],
    "cannot read no-such-file: .*",
  ],
  [
    ["--server", "https://a.b", "--relay", "r.b", "--relay-keys", "https://k.b"],
    "relay must be an absolute URL",
  ],
  [
    ["--server", "https://a.b", "--relay", "https://a.b/r", "--relay-keys", "https://k.b"],
    "the relay must not be the server",
  ],
  [["--server", "https://a.b", "--list", "x"], "--list cannot be used with --server"],
  [
    ["--server", "https://a.b", "--workers", "2", "--file", "x"],
    "--workers cannot be used with --server",
  ],
  [["--server", "https://a.b", "--safe-list", "x"], "--safe-list cannot be used with --server"],
])("options that cannot be used: %j", async (argv, message) => {
  const ran = await run(["check", ...argv]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toMatch(new RegExp(`^urlhash: ${message}\n$`));
});

test("asks again at once after a request that no server answered", async () => {
  server.close();
  const first = await check(EVIL);
  expect(first.status).toBe(8);
  expect(first.stderr).toMatch(/^urlhash: warning: the lists could not be brought up to date: /);
  server = await startListServer(Number(new URL(server.url).port));
  expect(await check(EVIL)).toMatchObject({ status: 1, stderr: "" });
});
