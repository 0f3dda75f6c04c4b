import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { directoryStorage } from "@x/list-store/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  BUCKET,
  type S3Server,
  s3Server,
} from "../../../../packages/list-store/test/support/s3-server.ts";
import { staticHost } from "../../../../packages/list-store/test/support/static-host.ts";
import { temporaryFolder, waitFor } from "../support/command.ts";
import { runHere, runHereWith } from "../support/command-in-process.ts";
import { hosts } from "../support/operator.ts";
import { writeAtOnce } from "../support/write-at-once.ts";

const KEY = { AWS_ACCESS_KEY_ID: "AKTEST", AWS_SECRET_ACCESS_KEY: "test-only" };

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const write = (name: string, lines: readonly string[]) =>
  writeAtOnce(join(folder.path, name), `${lines.join("\n")}\n`);
const read = (name: string) => readFileSync(join(folder.path, name), "utf8");
const run = (...args: string[]) => runHere(folder.path, ...args);

describe("a store in a bucket", () => {
  let server: S3Server;
  let env: Record<string, string>;
  beforeEach(async () => {
    server = await s3Server();
    env = { ...KEY, AWS_ENDPOINT_URL_S3: server.origin, AWS_REGION: "eu-central-1" };
  });
  afterEach(() => server.close());
  const on = (command: string, ...args: string[]) =>
    runHereWith(
      env,
      folder.path,
      ...[...command.split(" "), "--store", `s3://${BUCKET}/feeds/web`, ...args],
    );

  test("is made, published, rolled back, withdrawn and cleaned up", async () => {
    const made = await on("init");
    expect(made.stdout).toMatch(/^Made the store s3:\/\/lists\/feeds\/web, and in .*:\n/);
    expect(made.stdout).toContain("publish --store s3://lists/feeds/web malware=urls.txt");
    expect(readdirSync(folder.path).sort()).toEqual([
      "urlhash-server.yaml",
      ...["except", "key", "pub", "seen"].map((end) => `web.${end}`),
    ]);
    expect(server.files.size).toBe(0);

    write("urls.txt", hosts(0, 3));
    expect(await on("publish", "malware=urls.txt")).toMatchObject({ status: 0, stderr: "" });
    write("urls.txt", hosts(0, 5));
    await on("publish", "malware=urls.txt");
    expect(JSON.parse(read("web.seen")).malware.version).toBe(2);
    expect([...server.files.keys()].every((key) => key.startsWith("feeds/web/"))).toBe(true);
    for (const { headers } of server.asked) {
      expect(headers.authorization).toMatch(/Credential=AKTEST\/\d+\/eu-central-1\/s3\//);
    }

    expect((await on("log")).stdout).toMatch(/^malware\tv2\t.*\t5\t\+2 -0\nmalware\tv1\t/);
    expect((await on("show", "malware")).stdout).toMatch(/The signature is good/);
    expect((await on("rollback", "malware", "1")).stdout).toMatch(/version 3, 3 entries/);
    expect((await on("withdraw", "malware")).stdout).toBe("malware: withdrawn, version 4\n");
    const collected = await on(
      "gc",
      "--set",
      "keep.versions=1",
      "--set",
      "keep.differences=1",
      "--set",
      "keep.unused=0s",
    );
    expect(collected).toMatchObject({ status: 0, stderr: "" });
    expect(collected.stdout).toMatch(/^Deleted [1-9]\d* objects, and kept/);
    expect((await on("show", "malware")).status).toBe(0);
  });

  test("gets new keys, and exceptions beside it", async () => {
    await on("init");
    write("urls.txt", hosts(0, 3));
    await on("publish", "malware=urls.txt");
    const added = await on("except add", "http://h1.example/");
    expect(added.stdout).toMatch(
      /malware has h1.example\/ in version 1: the next publish leaves it/,
    );
    for (const step of ["start", "switch", "finish"]) {
      const { status, stderr } = await on(`rotate-key ${step}`);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    }
    expect((await on("show", "malware")).status).toBe(0);
  });

  test("is published again whenever a source changes", async () => {
    await on("init");
    write("urls.txt", hosts(0, 3));
    const watched = on("publish", "malware=urls.txt", "--watch");
    const isThere = (version: number) =>
      waitFor(`version ${version}`, () =>
        server.files.get("feeds/web/lists/malware/head")?.body.equals(Buffer.from(`${version}\n`)),
      );
    await isThere(1);
    write("urls.txt", hosts(0, 4));
    await isThere(2);
    process.emit("SIGTERM");
    expect(await watched).toMatchObject({ status: 0, stderr: "" });
  });

  test("the setting files says where its files are", async () => {
    const made = await on("init", "--set", "files=keys/mine");
    const file = join(folder.path, "keys/urlhash-server.yaml");
    expect(made.stdout).toContain(`urlhash-server publish --config ${file} malware`);
    write("urls.txt", hosts(0, 3));
    expect((await on("publish", "malware=urls.txt")).stderr).toMatch(/web\.\w+ does not exist/);
    const published = await on("publish", "--set", "files=keys/mine", "malware=urls.txt");
    expect(published).toMatchObject({ status: 0, stderr: "" });
    expect((await on("show", "--config", file, "malware")).status).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(/^files: mine$/m);
    expect(existsSync(join(folder.path, "web.seen"))).toBe(false);
  });

  test("is not made where something is already", async () => {
    server.files.set("feeds/web/other", { body: Buffer.from("x"), modified: 0 });
    expect(await on("init")).toEqual({
      status: 2,
      stdout: "",
      stderr: "urlhash-server: s3://lists/feeds/web is not empty\n",
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("is refused when the server replaces files that exist, before anything is written", async () => {
    await on("init");
    server.intercept(({ headers }) => {
      delete (headers as Record<string, unknown>)["if-none-match"];
      return false;
    });
    write("urls.txt", hosts(0, 3));
    const { status, stderr } = await on("publish", "malware=urls.txt");
    expect(status).toBe(2);
    expect(stderr).toMatch(/replaces keys that exist.*; use a directory, or a bucket of another/);
    expect([...server.files.keys()]).toEqual([]);
  });

  test("each wrong setting has a remedy", async () => {
    const store = ["--store", "s3://lists/feeds/web"];
    const noKey = await run("init", ...store);
    expect(noKey.stderr).toBe(
      "urlhash-server: A store in a bucket needs an access key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\n",
    );
    await on("init");
    const otherBucket = await runHereWith(
      env,
      folder.path,
      ...["log", "--store", "s3://others/feeds/web"],
    );
    expect(otherBucket.stderr).toMatch(/there is no bucket others/);
    const badEndpoint = { ...KEY, AWS_ENDPOINT_URL: "s3.example" };
    const refused = await runHereWith(badEndpoint, folder.path, "log", ...store);
    expect(refused.stderr).toMatch(/The endpoint "s3.example" is not a URL of an S3 server/);
  });

  test.each([
    ["AWS_ENDPOINT_URL", "AWS_DEFAULT_REGION"],
    ["AWS_ENDPOINT_URL_S3", "AWS_REGION"],
  ])("%s and %s are read", async (endpoint, region) => {
    const general = {
      ...{ AWS_ENDPOINT_URL: "http://127.0.0.1:1", AWS_DEFAULT_REGION: "other-1" },
      AWS_SESSION_TOKEN: "of-the-session",
    };
    env = { ...KEY, ...general, [endpoint]: server.origin, [region]: "eu-west-3" };
    expect(await on("init")).toMatchObject({ status: 0, stderr: "" });
    const [{ headers }] = server.asked as [(typeof server.asked)[0]];
    expect(headers.authorization).toContain("/eu-west-3/s3/");
    expect(headers["x-amz-security-token"]).toBe("of-the-session");
  });
});

describe("a store on a static host", () => {
  let host: Awaited<ReturnType<typeof staticHost>>;
  beforeEach(async () => {
    await run("init", "--store", "origin");
    write("urls.txt", hosts(0, 3));
    await run("publish", "--store", "origin", "malware=urls.txt");
    host = await staticHost(directoryStorage(join(folder.path, "origin")));
    write("store.pub", [read("origin.pub")]);
  });
  afterEach(() => host.close());
  const on = (command: string, ...args: string[]) => run(command, "--store", host.address, ...args);

  test("can be read", async () => {
    expect((await on("log", "malware")).stdout).toMatch(/^malware\tv1\t.*\t3\t\+3 -0\n$/);
    expect((await on("show", "malware")).stdout).toMatch(/The signature is good/);
    const other = await on("show", "malware", "--set", "files=origin");
    expect(other.status).toBe(0);
  });

  test("cannot be asked for its lists", async () => {
    const { status, stderr } = await on("log");
    expect(status).toBe(2);
    expect(stderr).toMatch(/cannot list its files: name the lists/);
  });

  test.each([
    ["init"],
    ["publish", "malware=urls.txt"],
    ["withdraw", "malware"],
    ["rollback", "malware", "1"],
    ["gc"],
  ])("cannot be changed by %s", async (command, ...args) => {
    const { status, stderr } = await on(command!, ...args);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `\nurlhash-server: The store ${host.address} is read-only: give the directory or s3:// address to which it is published\n`,
    );
    expect(host.asked).toEqual([]);
  });
});

describe("an address", () => {
  test.each([
    ["ftp://lists.example/store", /cannot be at ftp:\/\/: give a directory, s3:\/\//],
    ["https://", /is not a URL/],
    [
      "https://lists.example/~me/",
      /does not name the files of the store: name them, as in --set files=/,
    ],
    ["https://lists.example/?store=lists", /have no password, query or fragment/],
    ["https://me:secret@lists.example/lists", /have no password/],
  ])("%s is refused", async (store, message) => {
    const { status, stdout, stderr } = await run("log", "--store", store, "malware");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("secret");
  });
});
