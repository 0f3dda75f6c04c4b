import { relative } from "node:path";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();

function listFile(name: string, entries: readonly string[], prefixBytes = 4): string {
  const hashes = entries.map((entry) => fullHash(entry));
  return folder.write(name, encodePrefixList(prefixList(hashes, { name, prefixBytes })));
}

const EVIL = listFile("evil", ["evil.example/", "bad.example/x/"]);
/** printf 2bd842ebf001957c | xxd -r -p | sha256sum */
const CHECKSUM = "53a75229d9f34fac682d05959c67580bc335846759d9a0ad55682e20ff2a35e8";
const WORSE = listFile("worse", ["evil.example/", "w.example/?q"], 32);

test("text: a verdict for each URL in order, with its reason", async () => {
  const urls = ["http://a.evil.example/login", "example.com", "bad.example/x/y", "bad.example/"];
  expect(await run(["check", "--list", EVIL, ...urls])).toEqual({
    status: 1,
    stderr: "",
    stdout: `LISTED      http://a.evil.example/login
            evil.example/ (f001957c) is on evil
not listed  example.com
LISTED      bad.example/x/y
            bad.example/x/ (2bd842eb) is on evil
not listed  bad.example/
`,
  });
});

test.each([
  [0, "example.com\n"],
  [1, "example.com\nevil.example\n"],
  [4, "example.com\nmailto:x\n"],
  [5, "mailto:x\nevil.example\n"],
  [0, ""],
])("status %i for %j", async (status, stdin) => {
  for (const format of ["text", "json", "ndjson"]) {
    expect(
      (
        await run(["check", "--list", EVIL, ...(format === "text" ? [] : [`--${format}`])], {
          stdin,
        })
      ).status,
    ).toBe(status);
  }
});

test("several lists", async () => {
  const ran = await run(["check", "--list", EVIL, "--list", WORSE, "--ndjson", "evil.example/a"]);
  expect(JSON.parse(ran.stdout)).toEqual({
    argument: 1,
    url: "evil.example/a",
    canonical: "http://evil.example/a",
    listed: true,
    matches: [
      {
        list: "evil",
        checksum: CHECKSUM,
        created: expect.stringMatching(/^20\d\d-/),
        expression: "evil.example/",
        prefix: "f001957c",
        confirmed: false,
        reading: "both",
      },
      {
        list: "worse",
        checksum: expect.any(String),
        created: expect.any(String),
        expression: "evil.example/",
        prefix: "f001957c833da35384097567d684bbfdccfd3c0aea51b672d740b5858f6e9aa5",
        confirmed: true,
        reading: "both",
      },
    ],
  });
});

test("a list that is named twice is one list", async () => {
  const again = relative(".", EVIL);
  for (const command of ["check", "explain"]) {
    const once = await run([command, "--list", EVIL, "evil.example/a"]);
    expect(once.stdout).toContain("is on evil");
    expect(await run([command, "--list", EVIL, "--list", again, "evil.example/a"])).toEqual(once);
  }
});

test("--only-listed leaves out the others, not the errors", async () => {
  const stdin = "example.com\nevil.example\nmailto:x\n";
  const text = await run(["check", "--list", EVIL, "--only-listed"], { stdin });
  expect(text.stdout).toBe(
    "LISTED      evil.example\n            evil.example/ (f001957c) is on evil\n",
  );
  expect(text.stderr).toContain("line 3");
  const json = await run(["check", "--list", EVIL, "--only-listed", "--json"], { stdin });
  expect(JSON.parse(json.stdout).map(({ line }: { line: number }) => line)).toEqual([2, 3]);
});

test("default lists are used only when no list is named", async () => {
  const defaultLists = [EVIL];
  expect((await run(["check", "evil.example"], { defaultLists })).status).toBe(1);
  expect((await run(["check", "--list", WORSE, "bad.example/x/"], { defaultLists })).status).toBe(
    0,
  );
});

test("failures are one line, and status 2", async () => {
  const foreign = folder.write("foreign", "not a list");
  const failures: [string[], string][] = [
    [["example.com"], "name a list to check against: --list FILE"],
    [["--list", folder.path("none"), "a.b"], "cannot read .*none: no such file or directory"],
    [
      ["--list", folder.path("."), "a.b"],
      "cannot read .*: it is a directory \\(check --lists-from reads the lists in a folder; a list in a store is named by its URL\\)",
    ],
    [
      ["--list", foreign, "a.b"],
      '.*foreign is not a list: "urlhash list build" makes a list from text',
    ],
    [["--list", EVIL, "--workers", "2"], "--workers needs --file: .*"],
    [["--list", EVIL, "--workers", "0", "a.b"], "option '--workers <n>' cannot be '0': .*"],
    [
      ["--list", EVIL, "--workers", "2", "--file", folder.path(".")],
      "cannot read .*: it is a directory",
    ],
    [["--list", EVIL, "--file", folder.path("none")], "cannot read .*none: no such file.*"],
  ];
  for (const [argv, message] of failures) {
    const ran = await run(["check", ...argv]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(new RegExp(`^urlhash: ${message}\n$`));
  }
});

test("any damage to a list is a failure", { tags: "deep" }, async () => {
  const bytes = encodePrefixList(prefixList([fullHash("evil.example/")], { name: "n" }));
  for (let i = 0; i < bytes.length; i++) {
    const damaged = bytes.slice();
    damaged[i]! ^= 0x10;
    const list = folder.write("damaged", damaged);
    expect(await run(["check", "--list", list, "evil.example"])).toMatchObject({
      status: 2,
      stdout: "",
    });
  }
});

test("colours are for terminals without NO_COLOR", async () => {
  const argv = ["check", "--list", EVIL, "evil.example"];
  expect((await run(argv, { terminal: 80 })).stdout).toContain("\x1b[31m");
  expect((await run(argv, { terminal: 80, env: { NO_COLOR: "1" } })).stdout).not.toContain("\x1b");
  expect((await run(argv, { terminal: 80, env: { TERM: "dumb" } })).stdout).not.toContain("\x1b");
  expect((await run(argv)).stdout).not.toContain("\x1b");
});
