import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fewest, IS_DEEP } from "@x/test-support/sample-size";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Run, serve, start, temporaryFolder, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { hosts } from "../support/operator.ts";
import { randomNumbers } from "../support/publishing.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await runHere(folder.path, "init", "--store", "lists");
});
afterEach(() => folder.remove());

const write = (...lines: string[]) =>
  writeFileSync(join(folder.path, "urls.txt"), lines.map((line) => `${line}\n`).join(""));
/** In this process, since it is not what is killed. */
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
  return (await watching.ended).stderr;
}

test("--watch keeps the old version of a list that would shrink too much, and says so once", async () => {
  write(...hosts(0, 1000));
  const watching = watch("--metrics", "lists.prom");
  await waitFor("version 1", () => watching.stdout().includes("version 1,"));
  write(...hosts(0, 50));
  await waitFor("the refusal", () => watching.stderr().includes("950 of 1,000 entries"));
  await waitFor("the metrics", () => isKept("removals"));
  write(...hosts(0, 40));
  await waitFor("the next refusal", () => watching.stderr().includes("960 of 1,000 entries"));
  expect((await command("log", "malware")).stdout.trim().split("\n")).toHaveLength(1);
  // Another process insists.
  expect((await publish("--max-removed", "malware=960")).stdout).toMatch(/version 2, 40 entries/);
  write(...hosts(0, 39));
  await waitFor("version 3", () => watching.stdout().includes("version 3,"));
  await waitFor("the metrics", () => !isKept("removals"));
  const stderr = await end(watching);
  expect(countOf(stderr, "950 of 1,000 entries")).toBe(1);
  expect(countOf(stderr, "960 of 1,000 entries")).toBe(1);
});

test("--watch does not publish again what was rolled back", async () => {
  write(...hosts(0, 3));
  const watching = watch("--metrics", "lists.prom");
  await waitFor("version 1", () => watching.stdout().includes("version 1,"));
  write(...hosts(0, 3), "http://good.example/");
  await waitFor("version 2", () => watching.stdout().includes("version 2,"));
  expect((await command("rollback", "malware", "1")).stdout).toMatch(/version 3, 3 entries/);
  // The file is written again, with the same entries.
  write(...hosts(0, 3), "http://good.example/", "# written again");
  await waitFor("the notice", () => watching.stderr().includes("the entries of version 2"));
  await waitFor("the metrics", () => isKept("rollback"));
  write(...hosts(0, 4));
  await waitFor("version 4", () => watching.stdout().includes("version 4, 4 entries"));
  expect(await end(watching)).not.toContain("Nothing was published");
});

test("--watch publishes when exceptions change", async () => {
  write(...hosts(0, 3));
  const watching = watch();
  await waitFor("version 1", () => watching.stdout().includes("version 1, 3 entries"));
  await command("except add", "h1.example");
  await waitFor("version 2", () => watching.stdout().includes("version 2, 2 entries"));
  await command("except remove", "h1.example");
  await waitFor("version 3", () => watching.stdout().includes("version 3, 3 entries"));
  expect(countOf(await end(watching), "h1.example/ was left out")).toBe(1);
});

test("commands that are killed at any moment leave one version or the other, and it is served", async () => {
  write(...hosts(0, 300));
  await publish();
  const began = Date.now();
  await start(folder.path, "rollback", "--store", "lists", "malware", "1").ended;
  const usual = Date.now() - began;
  const server = await serve(folder.path, "--store", "lists");
  const versions = async () =>
    (await command("log", "malware", "-n", "1000")).stdout.trim().split("\n").length;
  const random = randomNumbers(26);
  let [made, killed] = [0, 0];
  for (let round = 1; round <= (IS_DEEP ? 12 : 4); round++) {
    const before = await versions();
    const kinds = [
      () => start(folder.path, "rollback", "--store", "lists", "malware", "1"),
      () => start(folder.path, "publish", "--store", "lists", "malware=urls.txt"),
      () => start(folder.path, "except", "add", "--store", "lists", `h${round}.example`),
      () => watch(),
    ];
    if (round % 4 !== 0) write(...hosts(0, 300 + round));
    const dying = kinds[round % 4]!();
    await new Promise((resolve) => setTimeout(resolve, usual * (0.3 + random())));
    if (dying.child.kill("SIGKILL")) killed++;
    await dying.ended;
    const after = await versions();
    expect([before, before + 1]).toContain(after);
    made += after - before;
    expect((await command("show", "malware")).stdout).toMatch(/The signature is good/);
    expect(await command("except list")).toMatchObject({ status: 0, stderr: "" });
    await waitFor(`version ${after}`, async () => {
      const text = await (await fetch(`${server.origin}/metrics`)).text();
      return text.includes(`urlhash_list_version{list="malware"} ${after}\n`);
    });
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  }
  expect(killed).toBeGreaterThanOrEqual(fewest(1));
  expect(made).toBeGreaterThanOrEqual(fewest(1));
  // Nothing keeps the next publisher from going on, and what was left behind can be deleted.
  write(...hosts(0, 290));
  const { status, stdout } = await publish("--despite-rollback");
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/version \d+, /) });
  expect((await command("gc", "--keep", "1", "--grace", "0s")).status).toBe(0);
  expect((await command("show", "malware")).stdout).toMatch(/The signature is good/);
});
