import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();

function listFile(name: string, entries: readonly string[], facts: object = {}): string {
  const list = prefixList(entries.map(fullHash), { name, prefixBytes: 4, ...facts });
  return folder.write(`${name}${Math.random()}.list`, encodePrefixList(list));
}

const EVIL = listFile("evil", ["evil.example/"]);

test.each([
  "http://evil.example\\@good.example/",
  "http://good.example%2F@evil.example/",
  "https:evil.example",
  "http:///evil.example",
  "\u0001http://evil.example/",
])("%j is listed as browsers read it", async (url) => {
  for (const given of [{ argv: [url] }, { argv: [], stdin: `${url}\n` }]) {
    const { argv, ...io } = given;
    const both = await run(["check", "--list", EVIL, "--ndjson", ...argv], io);
    expect(both.status).toBe(1);
    expect(JSON.parse(both.stdout)).toMatchObject({
      browser: expect.stringMatching(/^https?:\/\/evil\.example\//),
      matches: [{ expression: "evil.example/", reading: "browser" }],
    });
  }
  const text = await run(["check", "--list", EVIL, url]);
  expect(text.stdout).toContain("evil.example/ (f001957c) is on evil, as browsers read");
});

test("explain shows both readings, and why they differ", async () => {
  const ran = await run(["explain", "--list", EVIL, "http://evil.example\\@good.example/"]);
  expect(ran.status).toBe(1);
  expect(ran.stdout).toContain(`Browsers open another URL
  http://evil.example/@good.example/
  · Browsers treat a backslash as a slash.
`);
  expect(ran.stdout).toMatch(/evil\.example\/ {2}\(browsers\)\n/);
  const same = await run(["explain", "http://evil.example/"]);
  expect(same.stdout).not.toContain("Browsers");
  const refused = await run(["explain", "https:evil.example"]);
  expect(refused).toMatchObject({ status: 0, stderr: "" });
  expect(refused.stdout).toContain("The specification does not read this as a URL");
});

test("explain says how far an entry reaches", async () => {
  const list = listFile("l", ["b.c/1/", "d.e/1/2/3/4/", "a.b.c.d.e.f/", "1.2.3.4/x?y"]);
  const shown = async (url: string) => (await run(["explain", "--list", list, url])).stdout;
  expect(await shown("b.c/1/2")).toContain(
    "b.c/1/ covers everything in this folder, also on the hosts below b.c.",
  );
  expect(await shown("d.e/1/2/3/4/")).toContain("It covers nothing in this folder:");
  expect(await shown("a.b.c.d.e.f/")).toContain("but no host below it.");
  expect(await shown("1.2.3.4/x?y")).toContain("covers this path and query, and nothing else.");
});

test("a list of safe sites counts only when every reading is on it", async () => {
  const safe = listFile("safe", ["good.example/"]);
  const check = async (url: string) => {
    const ran = await run(["check", "--list", EVIL, "--safe-list", safe, "--ndjson", url]);
    return { status: ran.status, ...JSON.parse(ran.stdout) };
  };
  expect(await check("http://good.example/")).toMatchObject({
    status: 0,
    safeMatches: [{ list: "safe", expression: "good.example/" }],
  });
  expect(await check("http://evil.example\\@good.example/")).not.toHaveProperty("safeMatches");
  const text = await run(["check", "--list", EVIL, "--safe-list", safe, "http://good.example/"]);
  expect(text.stdout).toContain("is on safe, a list of safe sites\n");
});

test("a full hash is confirmed", async () => {
  const full = listFile("full", ["evil.example/"], { prefixBytes: 32 });
  const ran = await run(["check", "--list", full, "--ndjson", "http://evil.example/"]);
  expect(JSON.parse(ran.stdout).matches).toMatchObject([{ confirmed: true, reading: "both" }]);
  expect((await run(["check", "--list", full, "evil.example"])).stdout).toMatch(/\) is on full\n$/);
});

test("lists that are empty, old or of one name are reported", async () => {
  const now = Date.now();
  const hour = 60 * 60 * 1000;
  const old = listFile("old", ["a.b/"], { created: now - 50 * hour });
  const warned = async (...argv: string[]) =>
    (await run(["check", ...argv, "http://x.example/"])).stderr;
  expect(await warned("--list", listFile("none", []))).toBe(
    "urlhash: warning: the list none is empty: no URL can be on it\n",
  );
  expect(await warned("--list", old)).toBe("");
  expect(await warned("--list", old, "--max-age", "3d")).toBe("");
  expect(await warned("--list", old, "--max-age", "48h")).toMatch(
    /^urlhash: warning: the list old is 2 days old: it was made 20.*Z\n$/,
  );
  expect(await warned("--list", EVIL, "--list", listFile("evil", ["a.b/"]))).toBe(
    "urlhash: warning: 2 lists are named evil: JSON tells them apart by checksum\n",
  );
  expect((await run(["check", "--list", EVIL, "--max-age", "2", "a.b"])).status).toBe(2);
});
