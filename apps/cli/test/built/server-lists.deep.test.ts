import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sampleSize } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ListServer, startListServer } from "../commands/list-server.ts";
import { URLHASH, urlhash, urlhashHere } from "./program.ts";

/* Several processes use one database. The server runs in this process. */

const folder = temporaryFolder();
let server: ListServer;
let place: string[];
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.close());

/** Sets `place` to the options for a new database, and returns the folder of the database. */
function newPlace(name: string): string {
  const database = folder.path(name);
  place = ["--server", server.url, "--lists", "mw-4b,se-4b", "--database", database];
  return database;
}

const ENTRIES = 5000;
let version = 0;
/** Publishes another version of the list, with always.example and an entry with the version number. */
function publish(): void {
  version++;
  const others = Array.from({ length: ENTRIES }, (_, i) => `${version}.${i}.example/`);
  server.setMalware(["always.example/", `version-${version}.example/`, ...others]);
}

/** Checks that the stored list is complete and one of the published versions. */
async function expectWhole(): Promise<void> {
  const urls = Array.from({ length: version }, (_, i) => `http://version-${i + 1}.example/`);
  const argv = ["check", ...place, "--offline", "--ndjson", "http://always.example/", ...urls];
  const { status, stdout, stderr } = await urlhashHere(argv);
  expect([status, stderr]).toEqual([8, ""]);
  const [always, ...versions] = stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { local: string | null }).local);
  expect(always).toBe("listed");
  expect(versions.filter((local) => local === "listed")).toHaveLength(1);
}

test("killed at any time, an update leaves the old list or the new one", async () => {
  const database = newPlace("killed");
  publish();
  const start = performance.now();
  expect(await urlhash(["update", ...place])).toMatchObject({ status: 0, stderr: "" });
  const time = performance.now() - start;
  const unfinished = join(database, ".unfinished");
  const isWriting = () => existsSync(unfinished) && readdirSync(unfinished).length > 0;
  const rounds = sampleSize(100, 20);
  let killed = 0;
  for (let i = 0; i < rounds; i++) {
    publish();
    const child = spawn(process.execPath, [URLHASH, "update", ...place, "--now"]);
    const ended = once(child, "exit");
    if (i % 2 === 0) await pause((time * i) / rounds);
    else while (child.exitCode === null && !isWriting()) await pause(0);
    child.kill("SIGKILL");
    const [, signal] = await ended;
    if (signal === "SIGKILL") killed++;
    await expectWhole();
  }
  expect(killed).toBeGreaterThan(rounds / 10);
  expect(await urlhash(["update", ...place, "--now"])).toMatchObject({ status: 0, stderr: "" });
  expect(await urlhash(["check", ...place, `http://version-${version}.example/`])).toMatchObject({
    status: 1,
    stderr: "",
  });
});

test("several processes update one database while others check with it", async () => {
  newPlace("shared");
  publish();
  expect((await urlhash(["update", ...place])).status).toBe(0);
  for (let round = 0; round < 2; round++) {
    publish();
    const updates = Array.from({ length: 2 }, () => urlhash(["update", ...place, "--now"]));
    const checks = Array.from({ length: 2 }, () => urlhash(["check", ...place, "always.example"]));
    for (const ended of await Promise.all(updates)) {
      expect(ended).toMatchObject({ status: 0, stderr: "" });
    }
    for (const ended of await Promise.all(checks)) {
      expect(ended).toMatchObject({ status: 1, stderr: "" });
    }
    await expectWhole();
  }
});

test.each(["SIGTERM", "SIGINT"] as const)("--watch ends on %s", async (signal) => {
  newPlace(`watched-${signal}`);
  publish();
  const child = spawn(process.execPath, [
    URLHASH,
    "update",
    ...place,
    "--watch",
    "--now",
    "--ndjson",
  ]);
  const ended = once(child, "close");
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes("\n")) break;
  }
  expect(JSON.parse(text)).toMatchObject({ updated: true, error: null });
  child.kill(signal);
  expect(await ended).toEqual([0, null]);
  await expectWhole();
});

test("a check of a stream answers each line at once, and ends with it", async () => {
  newPlace("streamed");
  publish();
  const child = spawn(process.execPath, [URLHASH, "check", ...place, "--ndjson"]);
  const answers = child.stdout[Symbol.asyncIterator]();
  for (const [url, verdict] of [
    ["http://always.example/", "listed"],
    ["http://good.example/", "not-listed"],
  ]) {
    child.stdin.write(`${url}\n`);
    expect(JSON.parse(String((await answers.next()).value)).verdict).toBe(verdict);
  }
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([1, null]);
});
