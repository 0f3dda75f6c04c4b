import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampleSize } from "@x/test-support/sample-size";
import { afterEach, beforeEach, expect, test } from "vitest";
import { randomNumbers } from "../../../../packages/list-store/test/support/publishing.ts";
import { run, serve, start, temporaryFolder, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { hosts } from "../support/operator.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await run(folder.path, "init", "--store", "lists");
});
afterEach(() => folder.remove());

const write = (...lines: string[]) =>
  writeFileSync(join(folder.path, "urls.txt"), lines.map((line) => `${line}\n`).join(""));
const begin = (name: string, ...args: string[]) =>
  start(folder.path, ...name.split(" "), "--store", "lists", ...args);
/** Runs a command in this process, because it is not one of those that are killed. */
const here = (name: string, ...args: string[]) =>
  runHere(folder.path, ...name.split(" "), "--store", "lists", ...args);

/** The commands that are killed, with their arguments and whether they may make a version of a list on hold. */
const KINDS = [
  { name: "publish", args: ["malware=urls.txt"], endsHold: false },
  { name: "publish", args: ["malware=urls.txt", "--watch"], endsHold: false },
  { name: "publish", args: ["malware=urls.txt", "--resume"], endsHold: true },
  { name: "rollback", args: ["malware", "1"], endsHold: true },
  { name: "withdraw", args: ["malware"], endsHold: true },
  { name: "except add", args: [], endsHold: false },
  { name: "gc", args: ["--set", "keep.versions=1", "--set", "keep.unused=0s"], endsHold: false },
] as const;
const ROUNDS: number = sampleSize(12, 8);
const SEEDS = Array.from({ length: sampleSize(10, 1) }, (_, i) => 26 + i);

test.each(SEEDS)(
  "commands that are killed at any moment leave one version or the other, and it is served: seed %i",
  async (seed) => {
    const random = randomNumbers(seed);
    write(...hosts(0, 300));
    await begin("publish", "malware=urls.txt").ended;
    const began = Date.now();
    await begin("rollback", "malware", "1").ended;
    const usual = Date.now() - began;
    const server = await serve(folder.path, "--store", "lists");
    const versions = async () =>
      (await here("log", "malware", "-n", "1000")).stdout.trim().split("\n");
    let [made, killed, rounds] = [0, 0, 0];
    // On a busy machine, all commands of the first rounds may be killed too early or too late.
    for (let round = 1; round <= ROUNDS || made === 0 || killed === 0; round++) {
      rounds = round;
      if (round % 3 === 1) {
        write(...hosts(0, 300 + round));
        expect((await here("publish", "malware=urls.txt", "--resume")).status).toBe(0);
      }
      const before = await versions();
      const isHeld = /rolled back to v1$|withdrawn$/.test(before[0]!);
      // Each command runs about equally often, and in some rounds the source is cut short.
      const { name, args, endsHold } = KINDS[(round + seed) % KINDS.length]!;
      const isCut = random() < 0.3;
      write(...hosts(0, isCut ? 30 : 300 + round));
      const dying = begin(name, ...args, ...(name === "except add" ? [`h${round}.example`] : []));
      await new Promise((resolve) => setTimeout(resolve, usual * (0.4 + random())));
      if (dying.child.kill("SIGKILL")) killed++;
      await dying.ended;
      const after = await versions();
      const isAllowed =
        !["except add", "gc"].includes(name) &&
        !(isHeld && !endsHold) &&
        !(isCut && name === "publish");
      const counts = isAllowed ? [before.length, before.length + 1] : [before.length];
      expect(counts, `${name} ${args.join(" ")}, round ${round}`).toContain(after.length);
      made += after.length - before.length;
      expect((await here("show", "malware")).stdout).toMatch(/The signature is good/);
      const excepted = readFileSync(join(folder.path, "lists.except"), "utf8");
      expect(excepted).toMatch(/^# Exceptions: .*\n(h\d+\.example\/\n)*$/);
      await waitFor(`version ${after.length}`, async () => {
        const text = await (await fetch(`${server.origin}/metrics`)).text();
        return text.includes(`urlhash_list_version{list="malware"} ${after.length}\n`);
      });
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    }
    // Nothing stops the next publisher, and files that killed commands left behind can be deleted. The source has more
    // hosts than ever, so that no removals are refused.
    write(...hosts(0, 301 + rounds));
    const { status, stdout } = await here("publish", "malware=urls.txt", "--resume");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/version \d+, /),
    });
    expect((await here("gc", "--set", "keep.versions=1", "--set", "keep.unused=0s")).status).toBe(
      0,
    );
    expect((await here("show", "malware")).stdout).toMatch(/The signature is good/);
  },
);
