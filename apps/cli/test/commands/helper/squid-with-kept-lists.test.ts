import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../../run.ts";
import { type ListServer, startListServer } from "../list-server.ts";

const folder = temporaryFolder();
let server: ListServer;
let count = 0;
let place: readonly string[];
beforeEach(async () => {
  server = await startListServer();
  const database = folder.path(`database-${count++}`);
  place = ["--server", server.url, "--database", database, "--lists", "mw-4b,se-4b"];
});
afterEach(() => server.close());

const helper = (lines: readonly string[], ...more: string[]) =>
  run(["helper", "squid", ...place, "--protocol", "v5", ...more], {
    stdin: lines.map((line) => `${line}\n`).join(""),
  });

test("the server learns prefixes of listed hashes, and no URL", async () => {
  await run(["update", ...place]);
  const before = server.asked.length;
  const lines = [
    "1 http://www.evil.example/secret -",
    "2 http://good.example/ -",
    "3 evil.example:443 -",
  ];
  expect(await helper([...lines, "4 http://ev\u0378il.example/ -"])).toEqual({
    status: 0,
    stdout: `1 OK tag=listed message="evil.example/ (f001957c) is on mw-4b: MALWARE"
2 ERR
3 OK tag=listed message="evil.example/ (f001957c) is on mw-4b: MALWARE"
4 BH message="the helper expects lines with one field: the format %URI"
`,
    stderr: "",
  });
  const asked = server.asked.slice(before);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^\/v5\/hashes:search\?hashPrefixes=8AGVfA/);
  expect(asked.join(" ")).not.toMatch(/evil|good|secret/);
});

test("a host that cannot be decided is unreadable", async () => {
  await run(["update", ...place]);
  const { stdout } = await helper(["1 http://ev%CD%B8il.example/ -"]);
  expect(stdout).toMatch(/^1 OK tag=unreadable message="no verdict: the host has bytes/);
});

test("what the server does not confirm is unchecked, and what is on no list is not", async () => {
  await run(["update", ...place]);
  server.status.search = 503;
  const { stdout, stderr } = await helper(["1 http://evil.example/ -", "2 http://good.example/ -"]);
  expect(stdout).toMatch(
    /^1 BH message="the server must confirm it, but gave no usable answer.*\n2 ERR\n$/,
  );
  expect(stderr).toMatch(
    /^urlhash: the server must confirm it, but gave no usable answer: .*503\n$/,
  );
  const tagged = await helper(["1 http://evil.example/ -"], "--tag-unchecked");
  expect(tagged.stdout).toMatch(/^1 OK tag=unchecked /);
});

test("without lists, nothing is checked", async () => {
  server.status.update = 503;
  const { stdout, stderr } = await helper(["1 http://good.example/ -"]);
  expect(stdout).toBe('1 BH message="not all lists have been downloaded yet"\n');
  expect(stderr).toContain("not all lists have been downloaded yet");
});

test("a list that the server does not have is named, and no URL is allowed", async () => {
  const unknown = [...place.slice(0, -1), "malware"];
  await run(["update", ...unknown]);
  const { stdout, stderr } = await run(["helper", "squid", ...unknown, "--protocol", "v5"], {
    stdin: "1 http://evil.example/ -\n2 http://good.example/ -\n",
  });
  expect(stdout).toMatch(/^1 BH .*\n2 BH message="the server does not have one of the lists"\n$/);
  expect(stderr).toContain('has no list "malware"\n');
  expect(stderr).not.toContain("checked again");
});

test("an empty list is named", async () => {
  server.setMalware([]);
  await run(["update", ...place]);
  const { stdout, stderr } = await helper(["1 http://good.example/ -"]);
  expect(stdout).toBe("1 ERR\n");
  expect(stderr).toBe("urlhash: the list mw-4b is empty: no URL can be on it\n");
});

test.each([
  [["--list", "a.list", "--lists", "mw-4b"], "--lists needs --server"],
  [["--list", "a.list", "--protocol", "v5"], "--protocol needs --server"],
  [["--server", "http://127.0.0.1:9", "--database", "d"], "--database needs --protocol"],
  [["--server", "http://127.0.0.1:9", "--protocol", "store"], "needs the publisher's public key"],
])("options that do not fit: %j", async (argv, message) => {
  const ran = await run(["helper", "squid", ...argv], { stdin: "" });
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain(message);
});
