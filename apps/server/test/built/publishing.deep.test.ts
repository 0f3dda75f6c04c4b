import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { start, temporaryFolder, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { linesOf } from "../support/json-log.ts";
import { hosts } from "../support/operator.ts";
import { publishBriefly } from "../support/publish-briefly.ts";
import { writeAtOnce } from "../support/write-at-once.ts";

/*
 * These tests need a separate process, for signals, for pipes, and for files that change while it runs. Other commands
 * run in this process, which is faster.
 */

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await runHere(folder.path, "init", "--store", "lists");
});
afterEach(() => folder.remove());

const write = (name: string, ...lines: string[]) =>
  writeAtOnce(join(folder.path, name), lines.map((line) => `${line}\n`).join(""));

test("publishes although the reader of its output has gone away", async () => {
  write("urls.txt", ...Array.from({ length: 5000 }, (_, i) => `http://bad.example/${i}`));
  const { child, ended } = start(
    folder.path,
    ...["publish", "--store", "lists", "malware=urls.txt"],
  );
  child.stdout!.destroy();
  const { status, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect((await runHere(folder.path, "log", "--store", "lists")).stdout).toMatch(/\t5000\t/);
});

test("--watch publishes when a source changes, and ends at SIGTERM", async () => {
  write("urls.txt", "http://a.example/");
  const watch = start(folder.path, "publish", "--store", "lists", "malware=urls.txt", "--watch");
  await waitFor("version 1", () => watch.stdout().includes("version 1,"));
  write("urls.txt", "http://a.example/", "http://b.example/");
  await waitFor("version 2", () => watch.stdout().includes("version 2,"));
  write("urls.txt", "http://");
  await waitFor("the refusal", () => watch.stdout().includes("Nothing was published"));
  write("urls.txt", "http://c.example/");
  await waitFor("version 3", () => watch.stdout().includes("version 3,"));
  await waitFor("the end of the problem", () => watch.stdout().includes("the problem is solved"));
  watch.child.kill("SIGTERM");
  expect((await watch.ended).status).toBe(process.platform === "win32" ? null : 0);
  const lines = linesOf(watch);
  for (const { time } of lines) expect(new Date(String(time)).toISOString()).toBe(time);
  const about = (part: string) => lines.find(({ msg }) => String(msg).includes(part));
  expect(lines[0]).toMatchObject({ level: 30, msg: "started", pid: watch.child.pid });
  expect(about("version 2,")).toMatchObject({ level: 30, list: "malware", version: 2 });
  expect(about("urls.txt: ")).toMatchObject({ level: 40, list: "malware", version: 2 });
  expect(about("version 3,")).toMatchObject({ level: 30, list: "malware", version: 3 });
  expect(lines.at(-2)).toMatchObject({ msg: "stopping", signal: "SIGTERM" });
  expect(lines.at(-1)).toMatchObject({ msg: "stopped" });
});

test("--watch signs again before a version expires", async () => {
  const directory = join(folder.path, "lists");
  const args = [
    "publish",
    "--store",
    "lists",
    "malware=urls.txt",
    "--watch",
    "--set",
    "lifetime=1m",
  ];
  write("urls.txt", "http://a.example/");
  // The version is usually not signed again at the start, but at the next check after 10 seconds.
  await publishBriefly(directory, ["a.example/"], 28_000);
  const watch = start(folder.path, ...args);
  await waitFor("the renewal", () => watch.stdout().includes("signed again as version 2"));
  watch.child.kill("SIGTERM");
  await watch.ended;
  await publishBriefly(directory, ["a.example/"], 15_000);
  write("urls.txt", "http://");
  const again = start(folder.path, ...args);
  await waitFor("a renewal although the source is wrong", () =>
    again.stdout().includes("signed again as version 4"),
  );
  again.child.kill("SIGTERM");
  await again.ended;
});

test("--watch publishes the other lists while a source is bad, missing or unreadable", async () => {
  write("bad.txt", "http://");
  write("urls.txt", "http://a.example/");
  const lists = ["spam=bad.txt", "gone=missing.txt", "malware=urls.txt"];
  const watch = start(folder.path, "publish", "--store", "lists", ...lists, "--watch");
  await waitFor("version 1", () => watch.stdout().includes("malware: version 1, 1 entry"));
  write("urls.txt", "http://a.example/", "http://b.example/");
  await waitFor("version 2", () => watch.stdout().includes("malware: version 2, 2 entries"));
  write("bad.txt", "http://good.example/");
  write("missing.txt", "http://there.example/");
  await waitFor("spam", () => watch.stdout().includes("spam: version 1, 1 entry"));
  await waitFor("gone", () => watch.stdout().includes("gone: version 1, 1 entry"));
  watch.child.kill("SIGTERM");
  expect((await watch.ended).stderr).toBe("");
  const said = linesOf(watch).map(({ level, list, msg }) => ({ level, list, msg }));
  expect(said).toContainEqual({
    ...{ level: 40, list: "spam" },
    msg: expect.stringMatching(/bad\.txt: This looks like text in no known format/),
  });
  expect(said).toContainEqual({ level: 40, list: "spam", msg: "Not published: spam." });
  expect(said).toContainEqual({
    ...{ level: 50, list: "gone", msg: "gone: missing.txt does not exist" },
  });
});

test("--watch says once what concerns all lists, and goes on when it is mended", async () => {
  write("a.txt", "http://a.example/");
  write("b.txt", "http://b.example/");
  rmSync(join(folder.path, "lists.except"));
  const lists = ["a=a.txt", "b=b.txt"];
  const watch = start(folder.path, "publish", "--store", "lists", ...lists, "--watch");
  await waitFor("the complaint", () => watch.stdout().includes("lists.except does not exist"));
  write("lists.except");
  await waitFor("a", () => watch.stdout().includes("a: version 1,"));
  await waitFor("b", () => watch.stdout().includes("b: version 1,"));
  watch.child.kill("SIGTERM");
  await watch.ended;
  const warnings = linesOf(watch).filter(({ level }) => Number(level) > 30);
  expect(warnings.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/lists\.except does not exist/),
    expect.stringMatching(/^Publishing is tried again every 5 minutes/),
  ]);
});

test("--watch publishes a short list and its exceptions while a long list is read", async () => {
  const long = (last: string) => [...hosts(0, 300_000), last].join("\n");
  write("long.txt", long("http://first.example/"));
  write("short.txt", "http://a.example/");
  const lists = ["long=long.txt", "short=short.txt"];
  const watch = start(folder.path, "publish", "--store", "lists", ...lists, "--watch");
  await waitFor("both", () => watch.stdout().includes("long: version 1,"));
  await waitFor("short", () => watch.stdout().includes("short: version 1,"));
  write("long.txt", long("http://second.example/"));
  write("short.txt", "http://a.example/", "http://b.example/");
  await waitFor("the short list", () => watch.stdout().includes("short: version 2, 2 entries"));
  expect(watch.stdout()).not.toContain("long: version 2");
  await runHere(folder.path, "except", "add", "--store", "lists", "http://b.example/");
  await waitFor("the exception", () => watch.stdout().includes("short: version 3, 1 entry"));
  await waitFor("the long list", () => watch.stdout().includes("long: version 2"));
  watch.child.kill("SIGTERM");
  await watch.ended;
  // A new process recognizes that nothing has changed.
  const again = start(folder.path, "publish", "--store", "lists", ...lists, "--watch");
  await waitFor("both lists", () => again.stdout().split("unchanged at version").length === 3);
  again.child.kill("SIGTERM");
  await again.ended;
  const told = linesOf(again).filter(({ level, list }) => level === 30 && list !== undefined);
  expect(told.map(({ list }) => list).sort()).toEqual(["long", "short"]);
});

test("--watch waits for --min-interval between two versions, and no longer", async () => {
  write("urls.txt", "http://a.example/");
  const args = ["publish", "--store", "lists", "malware=urls.txt", "--watch"];
  const watch = start(folder.path, ...args, "--set", "min-interval=5s");
  await waitFor("version 1", () => watch.stdout().includes("version 1,"));
  for (const name of ["b", "c", "d"]) write("urls.txt", `http://${name}.example/`);
  await waitFor("version 2", () => watch.stdout().includes("version 2,"));
  watch.child.kill("SIGTERM");
  await watch.ended;
  const { stdout } = await runHere(folder.path, "log", "--store", "lists", "malware");
  const times = stdout
    .trim()
    .split("\n")
    .map((row) => Date.parse(/\d{4}-\S+/.exec(row)![0]));
  expect(times[0]! - times[1]!).toBeGreaterThanOrEqual(4000);
});
