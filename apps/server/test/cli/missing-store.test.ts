import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "../support/command.ts";
import { type Feed, newFeed } from "../support/feed.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

const at = (name: string) => join(operator.path, name);
/** The number of the newest version, according to the metrics. */
const version = () =>
  existsSync(at("m.prom"))
    ? Number(/publish_version\{list="malware"\} (\d+)/.exec(operator.read("m.prom"))?.[1])
    : 0;
const isFailing = () => operator.read("m.prom").includes('reason="failure"} 1');

async function whileWatching(during: () => Promise<void>, ...args: string[]) {
  const watched = operator.publish(...args, "--watch", "--set", `metrics=${at("m.prom")}`);
  try {
    await during();
  } finally {
    process.emit("SIGTERM");
  }
  return watched;
}

test("--watch makes no new store when the store is moved away, and goes on when it is back", {
  tags: "deep",
}, async () => {
  operator.write("urls.txt", ...hosts(0, 3));
  const { status, stdout, stderr } = await whileWatching(async () => {
    await waitFor("version 1", () => version() === 1);
    renameSync(at("lists"), at("moved"));
    operator.write("urls.txt", ...hosts(0, 4));
    await waitFor("the failure", isFailing);
    // Between two runs, garbage is collected.
    const { ino } = statSync(at("m.prom"));
    operator.write("urls.txt", ...hosts(0, 5));
    await waitFor("another run", () => statSync(at("m.prom")).ino !== ino);
    expect(existsSync(at("lists"))).toBe(false);
    renameSync(at("moved"), at("lists"));
    await waitFor("version 2", () => version() === 2);
  }, "malware=urls.txt");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/"msg":"The store \S+ does not exist, but \S+lists.seen does/);
  expect(stdout).toMatch(/"msg":"Publishing is tried again every 5 minutes/);
  expect(stdout).toMatch(/"msg":"malware: version 2, 5 entries: 2 added, 0 removed"/);
});

test.each([
  ["publish", "malware=urls.txt"],
  ["gc"],
  ["rotate-key start"],
  ["withdraw", "malware"],
  ["rollback", "malware", "1"],
  ["except add", "http://h0.example/"],
])("%s makes no new store", async (command, ...args) => {
  operator.write("urls.txt", ...hosts(0, 3));
  await operator.publish("malware=urls.txt");
  renameSync(at("lists"), at("moved"));
  const { stderr } = await operator.run(command, ...args);
  expect(stderr).toMatch(
    /The store \S+ does not exist, .* moved or deleted, or its disk is not mounted\n/,
  );
  expect(existsSync(at("lists"))).toBe(false);
});

test.each(["lists.seen", "lists.key", "lists.pub"])(
  "init makes no directory beside the file %s of a store that is missing",
  async (left) => {
    renameSync(at("lists"), at("moved"));
    for (const name of readdirSync(operator.path)) {
      if (name.startsWith("lists.") && name !== left) rmSync(at(name));
    }
    const { status, stderr } = await operator.run("init");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `urlhash-server: ${at(left)} exists; it was left as it is\n`,
    });
    expect(readdirSync(operator.path).sort()).toEqual([left, "moved", "urlhash-server.yaml"]);
  },
);

test("many slow sources cause no warning about listeners", async () => {
  const feed: Feed = await newFeed();
  const waiting: (() => void)[] = [];
  feed.answer((_, response) => {
    waiting.push(() => response.end("http://feed.example/\n"));
    if (waiting.length === 15) for (const answer of waiting) answer();
  });
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on("warning", onWarning);
  const sources = Array.from({ length: 15 }, (_, i) => `malware=${feed.url}?list=${i}`);
  const { status, stdout } = await operator.publish(...sources);
  waiting.length = 0;
  await whileWatching(
    async () => {
      await waitFor("the metrics", () => version() >= 1);
    },
    ...sources.map((each) => `${each}x`),
  );
  process.off("warning", onWarning);
  await feed.close();
  expect({ status, warnings }).toEqual({ status: 0, warnings: [] });
  expect(stdout).toMatch(/version 1, 1 entry/);
});
