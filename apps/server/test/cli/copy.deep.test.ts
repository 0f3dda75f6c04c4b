import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { directoryStorage } from "@x/list-store/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { s3Server } from "../../../../packages/list-store/test/support/s3-server.ts";
import { staticHost } from "../../../../packages/list-store/test/support/static-host.ts";
import { waitFor } from "../support/command.ts";
import { runHere, runHereWith } from "../support/command-in-process.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
  await publishHosts(3);
});
afterEach(() => operator.remove());

async function publishHosts(count: number): Promise<void> {
  operator.write("urls.txt", ...hosts(0, count));
  await operator.publish(
    "malware=urls.txt",
    "unwanted-software=urls.txt",
    "--set",
    "max-removed=100%",
  );
}

const path = (...names: string[]) => join(operator.path, ...names);
const run = (...args: string[]) => runHere(operator.path, ...args);
const copy = (...args: string[]) => run("copy", "--from", "lists", "--to", "copy", ...args);

/** The files of the lists below a directory, with their bytes. */
function filesBelow(directory: string): Record<string, string> {
  const names = readdirSync(path(directory), {
    recursive: true,
    encoding: "utf8",
    withFileTypes: true,
  });
  const files = names
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return Object.fromEntries(
    files.map((file) => [file.slice(path(directory).length), readFileSync(file, "hex")]),
  );
}

describe("copy", () => {
  test("makes a copy in another directory, and brings it up to date", async () => {
    const first = await copy();
    expect(first.status).toBe(0);
    expect(first.stdout).toMatch(
      /^malware: copied 1 version and \d+ objects, [\d,]+ bytes; the copy is at version 1\nunwanted-software: copied 1 version/,
    );
    expect(first.stderr).toBe("");
    expect(filesBelow("copy")).toEqual(filesBelow("lists"));
    expect(existsSync(path("copy.key"))).toBe(false);

    await publishHosts(5);
    expect((await copy("malware")).stdout).toMatch(/^malware: copied 1 version .* at version 2\n$/);
    await copy();
    expect(filesBelow("copy")).toEqual(filesBelow("lists"));
    expect(await copy()).toEqual({
      status: 0,
      stdout:
        "malware: the copy is up to date, at version 2\nunwanted-software: the copy is up to date, at version 2\n",
      stderr: "",
    });
    const log = await run("log", "--store", "copy", "--set", "files=lists", "malware");
    expect(log.stdout).toMatch(/^malware\tv2\t.*\nmalware\tv1\t/);
  });

  test("warns of an empty folder, which is not a list", async () => {
    mkdirSync(path("lists/lists/spam/v"), { recursive: true });
    const metrics = ["--metrics", path("copy.prom")];
    for (let i = 0; i < 2; i++) {
      const { status, stderr } = await copy(...metrics);
      expect(stderr).toBe(
        "urlhash-server: warning: the folder of the list spam has no version, so there is no such list\n",
      );
      expect(status).toBe(0);
    }
    expect(readFileSync(path("copy.prom"), "utf8")).toContain("urlhash_copy_problems 0\n");
    expect((await copy("spam")).status).toBe(2);
    // A folder whose manifests are gone is not empty.
    writeFileSync(path("lists/lists/spam/head"), "3\n");
    expect((await copy()).status).toBe(2);
  });

  test("repairs what the copy has lost, and with --check-copy what is damaged", async () => {
    await copy();
    const whole = filesBelow("copy");
    const objects = Object.keys(whole).filter((file) => file.startsWith("/objects/"));
    for (const object of objects) {
      rmSync(path("copy", object));
      const { status, stdout } = await copy();
      expect(status).toBe(0);
      expect(stdout).toMatch(
        /^[a-z-]+: copied 1 object \(1 had been missing or damaged\), \d+ bytes; the copy is at version 1$/m,
      );
      expect(filesBelow("copy")).toEqual(whole);
    }
    for (const object of objects) writeFileSync(path("copy", object), "damaged");
    expect((await copy("--check-copy")).stdout).toMatch(/^malware: copied \d+ objects \(\d+ had/);
    expect(filesBelow("copy")).toEqual(whole);
    expect((await copy("--check-copy")).stdout).toMatch(/^malware: the copy is up to date/);
  });

  test("brings back a version that the store has lost, and without which publish goes on", async () => {
    await publishHosts(4);
    await copy();
    const lost = path("lists/lists/malware/v/000000000001");
    rmSync(lost);
    await publishHosts(5);
    expect(await operator.log("malware")).toHaveLength(2);
    const other = await run("copy", "--from", "lists", "--to", "other", "malware");
    expect(other.stderr).toMatch(/Version 1 of malware is missing/);
    expect((await copy()).status).toBe(0);
    const back = ["copy", "--from", "copy", "--to", "lists", "--set", "public-keys=lists.pub"];
    expect((await run(...back)).stdout).toMatch(/^malware: copied 1 version and 0 objects/);
    expect(existsSync(lost)).toBe(true);
    expect(filesBelow("copy")).toEqual(filesBelow("lists"));
  });

  test("goes to a bucket, and from there to a directory", async () => {
    const server = await s3Server();
    try {
      const env = {
        AWS_ACCESS_KEY_ID: "AKTEST",
        AWS_SECRET_ACCESS_KEY: "test-only",
        AWS_ENDPOINT_URL: server.origin,
      };
      const bucket = "s3://lists/mirror";
      const there = await runHereWith(
        env,
        operator.path,
        ...["copy", "--from", "lists", "--to", bucket],
      );
      expect(there.status).toBe(0);
      expect(server.files.size).toBe(Object.keys(filesBelow("lists")).length);
      const back = await runHereWith(
        env,
        operator.path,
        ...["copy", "--from", bucket, "--to", "copy", "--set", "files=lists"],
      );
      expect(back.status).toBe(0);
      expect(filesBelow("copy")).toEqual(filesBelow("lists"));
    } finally {
      await server.close();
    }
  });

  test("reads a static host, whose lists are named", async () => {
    const host = await staticHost(directoryStorage(path("lists")));
    try {
      const from = ["copy", "--from", host.address, "--to", "copy"];
      const noKey = await run(...from, "malware");
      expect(noKey.status).toBe(2);
      expect(noKey.stderr).toMatch(/The public key .*store\.pub does not exist/);
      const noName = await run(...from, "--set", "public-keys=lists.pub");
      expect(noName.stderr).toMatch(/cannot list its files: name the lists/);
      const named = await run(...from, "--set", "public-keys=lists.pub", "malware");
      expect(named.status).toBe(0);
      expect(readdirSync(path("copy", "lists"))).toEqual(["malware"]);
      const [to] = [await run("copy", "--from", "lists", "--to", host.address)];
      expect(to!.stderr).toMatch(/is read-only/);
    } finally {
      await host.close();
    }
  });

  test("--watch goes on, and reports a problem once", async () => {
    const host = await staticHost(directoryStorage(path("lists")));
    try {
      const watched = run(
        ...["copy", "--from", host.address, "--set", "public-keys=lists.pub", "--to", "copy"],
        ...["--watch", "--every", "1s", "--metrics", "copy.prom", "malware"],
      );
      const metrics = (line: string) =>
        waitFor(line, () => {
          const file = path("copy.prom");
          return existsSync(file) && readFileSync(file, "utf8").split("\n").includes(line);
        });
      const head = (version: number) =>
        waitFor(`version ${version}`, () => {
          const file = path("copy/lists/malware/head");
          return existsSync(file) && readFileSync(file, "utf8") === `${version}\n`;
        });
      await head(1);
      await metrics("urlhash_copy_problems 0");
      await metrics('urlhash_copy_version{list="malware"} 1');
      host.intercept((asked, response) => {
        if (!asked.startsWith("lists/")) return false;
        response.writeHead(404).end();
        return true;
      });
      host.asked.length = 0;
      const isHead = (asked: string) => asked === "GET lists/malware/head";
      await waitFor("three more rounds", () => host.asked.filter(isHead).length > 3);
      await metrics("urlhash_copy_problems 1");
      host.intercept(null);
      await metrics("urlhash_copy_problems 0");
      await publishHosts(5);
      await head(2);
      await metrics('urlhash_copy_version{list="malware"} 2');
      // A version is reported after its head is written, and before the next round begins.
      host.asked.length = 0;
      await waitFor("another round", () => host.asked.some(isHead));
      process.emit("SIGTERM", "SIGTERM");
      const { status, stdout, stderr } = await watched;
      expect(status).toBe(0);
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines).toMatchObject([
        { level: 40, msg: expect.stringContaining("has the settings of another store") },
        { level: 30, msg: "started", from: host.address, to: "copy" },
        { level: 30, list: "malware", version: 1, msg: expect.stringMatching(/copied 1 version/) },
        { level: 50, list: "malware", msg: expect.stringMatching(/has no files, but version 1/) },
        { level: 30, list: "malware", msg: "malware: the problem is solved" },
        { level: 30, list: "malware", version: 2, msg: expect.stringMatching(/copied 1 version/) },
        { level: 30, msg: "stopping", signal: "SIGTERM" },
        { level: 30, msg: "stopped" },
      ]);
      expect(stderr).toBe("");
    } finally {
      await host.close();
    }
  });

  test("refuses another version with the same number that it has seen in another copy", async () => {
    cpSync(path("lists"), path("other"), { recursive: true });
    for (const name of ["key", "pub", "except"]) {
      cpSync(path(`lists.${name}`), path(`other.${name}`));
    }
    mkdirSync(path("mirror"));
    cpSync(path("lists.pub"), path("mirror/seen.pub"));
    await publishHosts(4);
    operator.write("urls.txt", ...hosts(7, 20));
    await run("publish", "--store", "other", "malware=urls.txt", "--set", "max-removed=100%");
    const copyFrom = (store: string, to: string, files = "mirror/seen") =>
      run("copy", "--from", store, "--to", to, "--set", `files=${files}`, "malware");
    expect(await copyFrom("lists", "one")).toMatchObject({ status: 0, stderr: "" });
    const forked = /Version 2 of malware is not the one that was seen before\n$/;
    const second = await copyFrom("other", "two");
    expect(second).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(forked) });
    expect(existsSync(path("two"))).toBe(false);
    operator.write("urls.txt", ...hosts(7, 21));
    await run("publish", "--store", "other", "malware=urls.txt");
    expect((await copyFrom("other", "two")).stderr).toMatch(forked);
    // Nothing else is refused: the version that was seen, and what follows it.
    await publishHosts(6);
    expect(await copyFrom("lists", "two")).toMatchObject({ status: 0, stderr: "" });
    // Without --files, the file beside the store is read, and nothing is recorded.
    expect(readFileSync(path("mirror/seen.seen"), "utf8")).toMatch(/"version": 3/);
    await run(
      "copy",
      "--from",
      "two",
      "--to",
      "three",
      "--set",
      "public-keys=lists.pub",
      "malware",
    );
    expect(existsSync(path("two.seen"))).toBe(false);
  });

  test("warns when it cannot record what it has seen", async () => {
    const args = ["--set", "files=missing/seen", "--set", "public-keys=lists.pub", "malware"];
    expect(await copy(...args)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^malware: copied 1 version/),
      stderr: expect.stringMatching(/^\S+ warning: the version is not recorded as seen: \S+seen /),
    });
  });

  test("--watch makes no new copy when the old one is moved away, and goes on when it is back", async () => {
    const watched = run(
      ...["copy", "--from", "lists", "--to", "copy", "malware"],
      ...["--watch", "--every", "1s", "--metrics", "copy.prom"],
    );
    const metrics = (text: string) =>
      waitFor(text, () => {
        const file = path("copy.prom");
        return existsSync(file) && readFileSync(file, "utf8").includes(text);
      });
    await metrics('urlhash_copy_version{list="malware"} 1\n');
    renameSync(path("copy"), path("moved"));
    await metrics("urlhash_copy_problems 1\n");
    expect(existsSync(path("copy"))).toBe(false);
    renameSync(path("moved"), path("copy"));
    await publishHosts(5);
    await metrics('urlhash_copy_version{list="malware"} 2\n');
    process.emit("SIGTERM", "SIGTERM");
    const { status, stdout } = await watched;
    expect(status).toBe(0);
    expect(stdout).toMatch(/copy does not exist"/);
    expect(stdout).toMatch(/"msg":"malware: copied 1 version and \d objects/);
  });

  test("--watch goes on when its metrics cannot be written", async () => {
    const metrics = path("metrics", "copy.prom");
    const to = ["--from", "lists", "--to", "copy", "--metrics", metrics, "malware"];
    const once = await run("copy", ...to);
    expect(once).toMatchObject({ status: 2, stdout: expect.stringMatching(/copied 1 version/) });
    expect(once.stderr).toMatch(/copy\.prom\S* does not exist: there is no folder \S+\n$/);
    const watched = run("copy", ...to, "--watch", "--every", "1s");
    await publishHosts(5);
    const head = path("copy/lists/malware/head");
    await waitFor("version 2", () => readFileSync(head, "utf8") === "2\n");
    mkdirSync(path("metrics"));
    await waitFor("the metrics", () => existsSync(metrics));
    await publishHosts(6);
    await waitFor("version 3", () => readFileSync(metrics, "utf8").includes('="malware"} 3\n'));
    process.emit("SIGTERM", "SIGTERM");
    const { status, stdout, stderr } = await watched;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.match(/copy\.prom\S* does not exist: there is no folder [^"]+"/g)).toHaveLength(
      1,
    );
    expect(stdout).toMatch(/"msg":"The problem is solved."/);
  });

  test("refuses a list that is rolled back, and copies the others", async () => {
    cpSync(path("lists"), path("old"), { recursive: true });
    await publishHosts(5);
    await copy();
    rmSync(path("lists/lists/malware"), { recursive: true });
    cpSync(path("old/lists/malware"), path("lists/lists/malware"), { recursive: true });
    const before = filesBelow("copy/lists/malware");
    const { status, stdout, stderr } = await copy();
    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: "unwanted-software: the copy is up to date, at version 2\n",
    });
    expect(stderr).toBe(
      "urlhash-server: The list malware was rolled back: it is at version 1, but version 2 was seen before\n",
    );
    expect(filesBelow("copy/lists/malware")).toEqual(before);
    // A list that has disappeared is refused, too.
    rmSync(path("lists/lists/malware"), { recursive: true });
    expect((await copy()).stderr).toMatch(/malware has no files, but version \d+ was seen before/);
  });

  test("refuses the store itself as its copy", async () => {
    symlinkSync("lists", path("link"));
    for (const [from, to] of [
      ["lists", "lists/"],
      ["lists", "link"],
      ["s3://bucket/lists", "s3://bucket/lists/"],
    ] as const) {
      const { status, stdout, stderr } = await run("copy", "--from", from, "--to", to);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(/^urlhash-server: --from and --to are the same store, /);
    }
  });

  test("refuses what is not there, and what another key has signed", async () => {
    await run("init", "--store", "other");
    const wrong = await copy("--set", "public-keys=other.pub");
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/Version 1 of malware is not signed by a trusted key/);
    expect((await run("copy", "--from", "other", "--to", "copy")).stderr).toMatch(
      /The store .*other has no lists yet/,
    );
    const missing = await run("copy", "--from", "none", "--set", "files=lists", "--to", "copy");
    expect(missing.stderr).toMatch(/The store .*none does not exist/);
    expect((await copy("../x")).stderr).toMatch(/cannot name a list/);
    writeFileSync(path("copy"), "");
    expect((await copy()).status).toBe(2);
  });
});
