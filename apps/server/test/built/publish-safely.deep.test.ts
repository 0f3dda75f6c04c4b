import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Run, start, temporaryFolder, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { hosts } from "../support/operator.ts";
import { writeAtOnce } from "../support/write-at-once.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await runHere(folder.path, "init", "--store", "lists");
});
afterEach(() => folder.remove());

const write = (...lines: string[]) =>
  writeAtOnce(join(folder.path, "urls.txt"), lines.map((line) => `${line}\n`).join(""));
/** Runs a command in this process, because only `--watch` needs a process of its own. */
const command = (name: string, ...args: string[]) =>
  runHere(folder.path, ...name.split(" "), "--store", "lists", ...args);
const publish = (...args: string[]) => command("publish", "malware=urls.txt", ...args);
const watch = (...args: string[]) =>
  start(folder.path, "publish", "--store", "lists", "malware=urls.txt", "--watch", ...args);
const metrics = () => {
  const file = join(folder.path, "lists.prom");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};
const isKept = (reason: string) =>
  metrics().includes(`urlhash_publish_kept{list="malware",reason="${reason}"} 1`);
const countOf = (text: string, part: string) => text.split(part).length - 1;

async function end(watching: Run): Promise<string> {
  watching.child.kill("SIGTERM");
  return (await watching.ended).stdout;
}

test("--watch keeps the old version of a list that would shrink too much, and says so once", async () => {
  write(...hosts(0, 1000));
  const watching = watch("--set", "metrics=lists.prom");
  await waitFor("version 1", () => watching.stdout().includes("version 1,"));
  write(...hosts(0, 50));
  await waitFor("the refusal", () => watching.stdout().includes("950 of 1,000 entries"));
  await waitFor("the metrics", () => isKept("removals"));
  write(...hosts(0, 40));
  await waitFor("the next refusal", () => watching.stdout().includes("960 of 1,000 entries"));
  expect((await command("log", "malware")).stdout.trim().split("\n")).toHaveLength(1);
  // Another process publishes the shorter list, with a higher limit.
  expect((await publish("--set", "lists.malware.max-removed=960")).stdout).toMatch(
    /version 2, 40 entries/,
  );
  write(...hosts(0, 39));
  await waitFor("version 3", () => watching.stdout().includes("version 3,"));
  await waitFor("the metrics", () => !isKept("removals"));
  const log = await end(watching);
  expect(countOf(log, "950 of 1,000 entries")).toBe(1);
  expect(countOf(log, "960 of 1,000 entries")).toBe(1);
});

test("--watch does not end a rollback, and says that the source differs", async () => {
  write(...hosts(0, 3));
  const watching = watch("--set", "metrics=lists.prom");
  await waitFor("version 1", () => watching.stdout().includes("version 1,"));
  write(...hosts(0, 3), "http://good.example/");
  await waitFor("version 2", () => watching.stdout().includes("version 2,"));
  expect((await command("rollback", "malware", "1")).stdout).toMatch(/version 3, 3 entries/);
  // The source is written again with the same entries.
  write(...hosts(0, 3), "http://good.example/", "# written again");
  const notices = () => countOf(watching.stdout(), "it was rolled back to version 1");
  await waitFor("the notice", () => notices() === 1);
  await waitFor("the metrics", () => isKept("rollback"));
  write(...hosts(0, 4), "http://good.example/");
  await waitFor("the next notice", () => notices() === 2);
  write(...hosts(0, 4));
  await waitFor("another notice", () => notices() === 3);
  expect((await publish("--resume")).stdout).toMatch(/version 4, 4 entries/);
  write(...hosts(0, 5));
  await waitFor("version 5", () => watching.stdout().includes("version 5, 5 entries"));
  await waitFor("the metrics", () => !isKept("rollback"));
  expect((await command("withdraw", "malware")).stdout).toMatch(/withdrawn, version 6/);
  write(...hosts(0, 6));
  await waitFor("the metrics", () => isKept("withdrawal"));
  expect(await end(watching)).not.toContain("Nothing was published");
});

test("--watch refuses to go on while the file of exceptions is missing", async () => {
  write(...hosts(0, 3));
  const file = join(folder.path, "lists.except");
  await command("except add", "h1.example");
  const watching = watch("--set", "metrics=lists.prom");
  await waitFor("version 1", () => watching.stdout().includes("version 1, 2 entries"));
  renameSync(file, `${file}.old`);
  await waitFor("the complaint", () => watching.stdout().includes("lists.except does not exist"));
  await waitFor("the metrics", () => isKept("failure"));
  write(...hosts(0, 4));
  renameSync(`${file}.old`, file);
  await waitFor("version 2", () => watching.stdout().includes("version 2, 3 entries"));
  await end(watching);
});

test("--watch lets exceptions of a source leave out only its own entries", async () => {
  write("http://good.example/", "http://evil.example/");
  const filters = (...lines: string[]) =>
    writeAtOnce(
      join(folder.path, "filters.txt"),
      ["! Title: filters", "||bad.example^", ...lines, ""].join("\n"),
    );
  filters("||good.example^");
  const own = watch("malware=filters.txt");
  await waitFor("version 1", () => own.stdout().includes("version 1, 3 entries"));
  filters("||good.example^", "@@||good.example^", "||new.example^");
  await waitFor("version 2", () => own.stdout().includes("version 2, 4 entries"));
  expect(await end(own)).toMatch(
    /good\.example\/ is an exception \(filters\.txt:4\), but good\.example\/ of urls\.txt still blocks it/,
  );
});

test("--watch publishes when exceptions change", async () => {
  write(...hosts(0, 3));
  const watching = watch();
  await waitFor("version 1", () => watching.stdout().includes("version 1, 3 entries"));
  await command("except add", "h1.example");
  await waitFor("version 2", () => watching.stdout().includes("version 2, 2 entries"));
  writeAtOnce(join(folder.path, "lists.except"), "");
  await waitFor("version 3", () => watching.stdout().includes("version 3, 3 entries"));
  expect(countOf(await end(watching), "h1.example/ was left out")).toBe(1);
});
