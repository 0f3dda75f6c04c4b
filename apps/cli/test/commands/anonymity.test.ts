import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const URLS =
  "http://a.example/1\nhttp://A.example/1#again\nhttp://a.example/2\n\nhttp://b.test/\nmailto:x\n";

test("counts URLs and hosts, and says what is not a URL", async () => {
  const ran = await run(["anonymity"], { stdin: URLS });
  expect(ran.status).toBe(4);
  expect(ran.stderr).toBe("urlhash: 1 input is not a URL\n");
  expect(ran.stdout).toMatch(
    /^3 URLs on 2 hosts; for 3 of them, clients send prefixes of 4 bytes\n/,
  );
  expect(ran.stdout).toMatch(/^4 expressions, 4 prefixes$/m);
  expect(ran.stdout).toMatch(/^ {2}1 URL +3 +75\.0 % {2}█{18}$/m);
  expect(ran.stdout).toMatch(/^ {2}2 URLs +1 +25\.0 % {2}█{6}$/m);
  expect(ran.stdout).toMatch(/^ {2}1 host +4 +100\.0 % {2}█{24}$/m);
});

test("with a list, only the prefixes on it count", async () => {
  const list = folder.path("a.list");
  await run(["list", "build", "--bytes", "5", "-o", list, "-"], { stdin: "http://a.example/\n" });
  const ran = await run(["anonymity", "--list", list, "--bytes", "8", "--json"], { stdin: URLS });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    ...{ urls: 3, hosts: 2, sending: 2, notUrls: 1, prefixBytes: 8 },
    ...{ expressions: 1, prefixes: 1 },
  });
  expect(JSON.parse(ran.stdout).groups[1]).toEqual({
    ...{ from: 2, to: 2, prefixesByUrls: 1, prefixesByHosts: 0, urls: 2 },
  });
});

test("no URLs give no groups", async () => {
  const { status, stdout } = await run(["anonymity"], { stdin: "" });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^0 URLs on 0 hosts/);
  expect(stdout).toMatch(/^ {2}1 URL +0 +0\.0 %$/m);
});

test("refuses other formats, lists that are missing, and other prefix lengths", async () => {
  folder.write("hosts", "127.0.0.1 localhost\n0.0.0.0 evil.example\n");
  for (const [args, message] of [
    [["--file", folder.path("hosts")], /looks like a hosts file/],
    [["--list", folder.path("missing"), "a.b"], /cannot read/],
    [["--bytes", "9", "a.b"], /from 4 to 8/],
    [["--bytes", "3", "a.b"], /from 4 to 8/],
  ] as const) {
    const { status, stdout, stderr } = await run(["anonymity", ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  }
});
