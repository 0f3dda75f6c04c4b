import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

const LISTED = ["http://shop.example/", "shop.example/evil/", "a.www.shop.example", "web.app"];

test("entries for hosts that are never blocked, and for the hosts above them, are left out", async () => {
  operator.write("popular.txt", "# popular sites", "www.shop.example", "team.web.app", "192.0.2.1");
  operator.write("urls.txt", ...hosts(0, 20), ...LISTED);
  const args = ["malware=urls.txt", "--set", `never-block=${join(operator.path, "popular.txt")}`];
  const { status, stdout, stderr } = await operator.publish(...args);
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/22 entries/),
  });
  expect(stderr).toMatch(/malware: shop\.example\/ was left out \(\S*popular\.txt:2\)/);
  expect(stderr).toMatch(/malware: web\.app\/ was left out \(\S*popular\.txt:3\)/);
  // Harmful pages and hosts of popular sites are nothing unusual.
  expect(stderr).not.toContain("evil");
  expect(stderr).not.toContain("a.www.shop.example");
});

test("a change of the file counts at the next publish, though the sources are the same", async () => {
  operator.write("popular.txt", "good.example");
  operator.write("urls.txt", ...hosts(0, 20), ...LISTED);
  const args = ["malware=urls.txt", "--set", `never-block=${join(operator.path, "popular.txt")}`];
  expect((await operator.publish(...args)).stdout).toMatch(/24 entries/);
  expect((await operator.publish(...args)).stdout).toMatch(/unchanged/);
  operator.write("popular.txt", "good.example", "shop.example");
  expect((await operator.publish(...args)).stdout).toMatch(/23 entries: 0 added, 1 removed/);
  operator.write("popular.txt", "good.example");
  expect((await operator.publish(...args)).stdout).toMatch(/24 entries: 1 added, 0 removed/);
});

test("a list in the file of lists has its own hosts, which a rollback leaves out, too", async () => {
  operator.write("popular.txt", "good.example");
  operator.write("urls.txt", ...hosts(0, 20), ...LISTED);
  operator.write(
    "urlhash-server.yaml",
    "lists:",
    "  malware:",
    "    never-block: [popular.txt]",
    "    sources: [urls.txt]",
  );
  expect((await operator.publish()).stdout).toMatch(/24 entries/);
  operator.write("popular.txt", "www.shop.example");
  operator.write("urls.txt", ...hosts(0, 21));
  expect((await operator.publish()).status).toBe(0);
  const { stdout, stderr } = await operator.run("rollback", "malware", "1");
  expect(stdout).toMatch(/23 entries/);
  expect(stderr).toMatch(/shop\.example\/ was left out/);
});

test.each([
  [
    "http://shop.example/",
    /popular\.txt:1: "http:\/\/shop\.example\/" was refused: expected a host/,
  ],
  ["com", /popular\.txt:1: "com" was refused/],
])("%s in the file is an error", async (line, problem) => {
  operator.write("popular.txt", line);
  operator.write("urls.txt", ...hosts(0, 20));
  const args = ["malware=urls.txt", "--set", `never-block=${join(operator.path, "popular.txt")}`];
  const { status, stderr } = await operator.publish(...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(problem);
});

test("a file that is missing is an error", async () => {
  operator.write("urls.txt", ...hosts(0, 20));
  const args = ["malware=urls.txt", "--set", `never-block=${join(operator.path, "popular.txt")}`];
  const { status, stderr } = await operator.publish(...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(/The file of hosts \S*popular\.txt \(never-block\) does not exist/);
});
