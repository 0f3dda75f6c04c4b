import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dailyCollection } from "../../src/cli/commands/gc.ts";
import { storeFiles } from "../../src/cli/store-files.ts";
import { waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

const HOUR = 3_600_000;

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

const objects = () =>
  readdirSync(join(operator.path, "lists/objects"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Publishes five versions, and backdates their objects by two days. */
async function publishFive(): Promise<void> {
  for (let version = 1; version <= 5; version++) {
    operator.write("urls.txt", ...hosts(version, version + 20));
    await operator.publish("malware=urls.txt");
  }
  const old = Date.now() / 1000 - 48 * 3600;
  for (const file of objects()) utimesSync(file, old, old);
}

test.each([
  [[], 5],
  [["--set", "keep.versions=1", "--set", "keep.differences=1"], 3],
])("--watch %j collects garbage after it published", async (options, atLeast) => {
  await publishFive();
  const before = objects().length;
  const watched = operator.publish("malware=urls.txt", "--watch", ...options);
  await waitFor("the garbage collection", () => objects().length < before);
  process.emit("SIGTERM");
  expect(await watched).toMatchObject({ status: 0, stderr: "" });
  expect((await watched).stdout).toMatch(/"msg":"Deleted \d+ objects that are no longer needed"/);
  expect((await operator.run("show", "malware", "5")).status).toBe(0);
  expect(objects().length).toBeGreaterThan(atLeast);
});

test("garbage is collected at most once a day, and again soon after it failed", async () => {
  let now = 0;
  const said: string[] = [];
  const context = {
    print: (line: string) => void said.push(line),
    complain: (line: string) => void said.push(`! ${line}`),
  };
  const keep = { versions: 1, differences: 1, unused: 24 * HOUR };
  const options = { store: join(operator.path, "lists") };
  const files = storeFiles(options, { io: { env: {} } });
  const collect = dailyCollection(files, keep, () => now);
  const publicKey = operator.read("lists.pub");
  const file = join(operator.path, "lists.pub");

  await publishFive();
  rmSync(file);
  await collect(context);
  expect(said.splice(0)).toEqual([
    `! garbage collection failed: The public key ${file} does not exist`,
  ]);
  writeFileSync(file, publicKey);
  await collect(context);
  expect(said.splice(0)).toEqual([expect.stringMatching(/^Deleted \d+ objects/)]);

  await publishFive();
  now += 23 * HOUR;
  await collect(context);
  expect(said).toEqual([]);
  now += HOUR;
  await collect(context);
  expect(said).toEqual([expect.stringMatching(/^Deleted \d+ objects/)]);
});

test("gc may keep more versions than it did before, but an object that the newest one lost is an error", async () => {
  const gc = (...options: string[]) => operator.run("gc", ...options);
  await publishFive();
  expect((await gc("--set", "keep.versions=1", "--set", "keep.differences=1")).status).toBe(0);
  expect(await gc()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Deleted 0 /) });
  expect((await operator.run("rollback", "malware", "1")).stderr).toMatch(
    "but it has version 5 (see keep.versions)",
  );

  operator.write("urls.txt", ...hosts(6, 26));
  await operator.publish("malware=urls.txt");
  expect((await gc()).status).toBe(0);
  operator.write("urls.txt", ...hosts(7, 27));
  await operator.publish("malware=urls.txt");
  const manifest = operator.read("lists/lists/malware/v/000000000007");
  const fileOf = (hash: string) => objects().find((file) => file.endsWith(hash))!;
  const [, hashes] = /"base":\{[^}]*"hashes":"([0-9a-f]+)"/.exec(manifest)!;
  rmSync(fileOf(hashes!));
  expect(await gc()).toMatchObject({ status: 2, stderr: expect.stringMatching(/is missing$/m) });
});

test("files and folders of other programs in a store are left alone", async () => {
  await publishFive();
  const store = join(operator.path, "lists");
  const [object] = objects();
  const folders = ["", "lists", "lists/malware", "lists/malware/v", "objects", "objects/sha256"];
  const stray = [...folders, "tmp", relative(store, dirname(object!))].flatMap((folder) =>
    ["@eaDir", ".~tmp~", "Not A List"].map((name) => join(store, folder, name)),
  );
  for (const each of stray) {
    mkdirSync(each);
    writeFileSync(join(each, ".DS_Store"), "");
    writeFileSync(`${each}.SYNO`, "");
    utimesSync(`${each}.SYNO`, 0, 0);
  }
  mkdirSync(join(store, "lists", "no_list"));
  for (const [command, ...args] of [
    ["gc", "--set", "keep.versions=1", "--set", "keep.differences=1"],
    ["log"],
    ["except add", "h7.example"],
    ["rotate-key start"],
    ["rotate-key switch"],
    ["rotate-key finish"],
    ["withdraw", "malware"],
  ]) {
    expect(await operator.run(command!, ...args)).toMatchObject({ status: 0, stderr: "" });
  }
  rmSync(join(operator.path, "lists.seen"));
  expect((await operator.publish("malware=urls.txt", "--resume")).status).toBe(0);
  const copied = ["copy", "--from", "lists", "--to", "mirror"];
  expect(await runHere(operator.path, ...copied)).toMatchObject({ status: 0, stderr: "" });
  for (const each of stray) expect(existsSync(each) && existsSync(`${each}.SYNO`)).toBe(true);
});

test("--watch goes on when garbage collection fails", async () => {
  await publishFive();
  const versions = join(operator.path, "lists/lists/malware/v");
  // Publishing malware does not read this other list, so it may be damaged.
  operator.write("other.txt", ...hosts(0, 5));
  await operator.publish("intranet=other.txt");
  writeFileSync(join(versions, "../../intranet/v/000000000001"), "damaged");
  const watched = operator.publish("malware=urls.txt", "--watch");
  operator.write("urls.txt", ...hosts(9, 30));
  await waitFor("version 6", () => readdirSync(versions).includes("000000000006"));
  operator.write("urls.txt", ...hosts(10, 30));
  await waitFor("version 7", () => readdirSync(versions).includes("000000000007"));
  process.emit("SIGTERM");
  expect((await watched).status).toBe(0);
  expect((await watched).stdout).toMatch(/garbage collection failed: Version 1 of intranet/);
});
