import { temporaryFolder } from "@x/test-support/temporary-folder";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../run.ts";

/*
 * All commands follow one rule: --json writes one document to stdout, which is an array of the results for each input,
 * or one object. --ndjson writes the members of such an array, one per line.
 */

const folder = temporaryFolder();
const [LIST, HASHED, MADE] = ["a", "hashed", "made"].map((name) => folder.path(name)) as [
  string,
  string,
  string,
];
const URN = folder.write("urns.txt", "urn:a:b\n");

beforeAll(async () => {
  await run(["list", "build", "-o", LIST, "--name", "a"], { stdin: "evil.example\n" });
  folder.write("hashed", (await run(["hash-uris", "http://evil.example/"])).stdout);
});

/** Commands that give a result for each input, each with two inputs. Some commands refuse the second input. */
const FOR_EACH: Readonly<Record<string, readonly string[]>> = {
  explain: ["http://evil.example/", "http://"],
  canon: ["http://evil.example/", "http://"],
  hash: ["http://evil.example/", "http://"],
  check: ["--list", LIST, "http://evil.example/", "http://"],
  "hash-uris": ["http://evil.example/", "http://["],
  match: ["--list", HASHED, "http://evil.example/", "http://["],
  "urn parse": ["urn:a:b", "x"],
  "urn normalize": ["urn:a:b", "x"],
  "urn check": [URN, URN],
  "urn find": [URN, URN],
  links: [URN, URN],
};

/** The number of results, for commands that leave out some inputs. */
const RESULTS: Readonly<Record<string, number>> = {
  match: 1,
  "urn check": 0,
  links: 0,
};

/** Commands that give one result. */
const FOR_ALL: Readonly<Record<string, readonly string[]>> = {
  "list build": ["-o", MADE, folder.path("urls.txt")],
  "list info": [LIST],
  "urn equal": ["urn:a:b", "urn:a:c"],
};

/** Commands that need a server, which have tests of their own. */
const OF_SERVERS = ["history", "list fetch", "update"];

test("no command with --json is missing below", async () => {
  const { stdout } = await run(["man"]);
  const sections = stdout.split(/^\.SS urlhash /m).slice(1);
  const found = sections
    .filter((section) => /^\.B \\-\\-json$/m.test(section))
    .map((section) => /^[a-z -]*[a-z]/.exec(section.replaceAll("\\-", "-"))![0]);
  const known = [...Object.keys(FOR_EACH), ...Object.keys(FOR_ALL), ...OF_SERVERS];
  expect(found.sort()).toEqual(known.sort());
});

describe.each(Object.entries(FOR_EACH))("%s", (name, args) => {
  const argv = [...name.split(" ")];

  test("writes an array, or the same members on lines", async () => {
    const { stdout } = await run([...argv, "--json", ...args]);
    const array = JSON.parse(stdout);
    expect(array).toHaveLength(RESULTS[name] ?? 2);
    const lines = (await run([...argv, "--ndjson", ...args])).stdout.split("\n").slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(array);
  });

  test("without input, the array is empty", async () => {
    const options = args[0] === "--list" ? args.slice(0, 2) : [];
    const { stdout } = await run([...argv, "--json", ...options], { stdin: "" });
    expect(stdout).toBe("[]\n");
  });
});

test.each(Object.entries(FOR_ALL))("%s writes one object on one line", async (name, args) => {
  folder.write("urls.txt", "evil.example\n");
  const { stdout } = await run([...name.split(" "), "--json", ...args]);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(Object.keys(JSON.parse(stdout)).length).toBeGreaterThan(3);
});

test("list build refuses to write a file and an object to stdout", async () => {
  expect(await run(["list", "build", "-o", "-", "--json", LIST])).toEqual({
    status: 2,
    stdout: "",
    stderr: "urlhash: --json and -o - both write to stdout\n",
  });
});

test("update --watch has more than one update", async () => {
  const server = ["--server", "http://127.0.0.1:9", "--database", folder.path("db")];
  expect((await run(["update", ...server, "--watch", "--json"])).stderr).toBe(
    "urlhash: --json writes one object: use --ndjson with --watch\n",
  );
});
