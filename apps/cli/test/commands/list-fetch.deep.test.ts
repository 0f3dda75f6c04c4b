import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  generateSigningKey,
  loadList,
  memoryStorage,
  publish,
  type Signer,
  type Storage,
  signerOf,
  withdraw,
} from "@x/list-store";
import { decodePrefixList, encodePrefixList, prefixes, prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BUCKET, s3Server } from "../../../../packages/list-store/test/support/s3-server.ts";
import {
  type StaticHost,
  staticHost,
} from "../../../../packages/list-store/test/support/static-host.ts";
import { type RunOptions, run as runHere } from "../run.ts";

const DAY = 86_400_000;
const folder = temporaryFolder();
let count = 0;
/** The folder for all caches of a user, and the one of the command in it. */
let caches: string;
let cache: string;
let output: string;
let storage: Storage;
let signer: Signer;
let host: StaticHost;
let url: string;
/** The current storage of the list, even after another store has replaced the first. */
let current: Storage;

beforeEach(async () => {
  count++;
  caches = folder.path(`cache-${count}`);
  cache = join(caches, "urlhash");
  output = folder.path(`${count}.list`);
  signer = await signerOf(await generateSigningKey("lists.example"));
  storage = memoryStorage();
  current = storage;
  host = await staticHost({
    ...memoryStorage(),
    get: (key, most) => current.get(key, most),
  });
  url = `${host.address}/malware`;
  await version("evil.example/");
});
afterEach(() => host.close());

const hashes = (texts: readonly string[]) => texts.map((text) => fullHash(text));
const common = () => ({ list: "malware", signer, publicKeys: [signer.publicKey] });
const version = (...texts: string[]) =>
  publish({ ...common(), storage, fullHashes: hashes(texts), lifetime: DAY });
/** Replaces the store with one that was published some days ago and has expired. */
async function publishLongAgo(days: number): Promise<void> {
  const now = () => Date.now() - days * DAY;
  storage = memoryStorage(now);
  current = storage;
  const fullHashes = hashes(["old.example/"]);
  await publish({ ...common(), storage, fullHashes, lifetime: DAY / 2, now });
}
const run = (argv: readonly string[], { env }: RunOptions = {}) =>
  runHere(argv, { env: { XDG_CACHE_HOME: caches, ...env } });
const fetchWith = (...args: string[]) => run(["list", "fetch", url, ...args]);
const known = () => fetchWith("-o", output, "--public-key", signer.publicKey);
const check = (...args: string[]) => run(["check", "--list", url, "http://evil.example/", ...args]);
const written = () => [...prefixes(decodePrefixList(readFileSync(output)))].map(toHex);
const prefixOf = (text: string) => toHex(fullHash(text).subarray(0, 4));
/** The path of a file of the list in the cache. */
const cached = (name: string) => join(cache, readdirSync(cache)[0]!, name);
/** The option with which the list is requested again, even if it was refreshed recently. */
const later = ["--max-age", "0s"];

describe("list fetch", () => {
  test("writes the list, verified with a key that is given once", { tags: "deep" }, async () => {
    const first = await known();
    expect(first.status).toBe(0);
    expect(first.stdout).toMatch(/1 prefix; [\d,]+ bytes downloaded in \d+ requests\n$/);
    expect(first.stderr).toBe(
      "urlhash: version 1 of malware was signed 0 minutes ago and expires in 23 hours\n",
    );
    expect(written()).toEqual([prefixOf("evil.example/")]);
    const checked = await run(["check", "--list", output, "http://evil.example/x"]);
    expect(checked.status).toBe(1);

    await version("evil.example/", "bad.example/");
    host.asked.length = 0;
    expect(await fetchWith("-o", output, "--quiet")).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(written()).toHaveLength(2);
    expect(readdirSync(cached("")).sort()).toEqual([
      ".unfinished",
      "list-malware",
      "state",
      "trusted.json",
    ]);
  });

  test("downloads only the differences", { tags: "deep" }, async () => {
    const many = Array.from({ length: 5000 }, (_, i) => `h${i}.example/`);
    await version(...many);
    const whole = JSON.parse((await fetchWith("--json", "--public-key", signer.publicKey)).stdout);
    await version(...many, "new.example/");
    const difference = JSON.parse((await fetchWith("--json", "-o", output)).stdout);
    expect(difference).toMatchObject({
      list: "malware",
      version: 3,
      prefixes: 5001,
      expired: false,
    });
    expect(difference.bytes).toBeLessThan(whole.bytes / 2);
    expect(written()).toEqual(
      [...prefixes((await loadList({ ...common(), storage }))!.prefixes)].map(toHex),
    );
  });

  test("keeps prefixes of the length that was chosen, which confirm matches without their hashes", {
    tags: "deep",
  }, async () => {
    const lengthOf = () => decodePrefixList(readFileSync(output)).lengths;
    await known();
    expect((await fetchWith("-o", output, "--bytes", "8")).status).toBe(0);
    expect(written()).toEqual([toHex(fullHash("evil.example/").subarray(0, 8))]);
    await version("evil.example/", "bad.example/");
    expect((await fetchWith("-o", output)).status).toBe(0);
    expect(lengthOf()).toEqual([{ prefixBytes: 8, count: 2 }]);
    const [record] = JSON.parse((await check("--json")).stdout);
    expect(record.matches).toMatchObject([{ confirmed: true, by: "length" }]);
    expect(record.matches[0].prefix).toHaveLength(16);
    for (const bytes of [32, 4]) {
      expect((await fetchWith("-o", output, "--bytes", `${bytes}`)).status).toBe(0);
      expect(lengthOf()).toEqual([{ prefixBytes: bytes, count: 2 }]);
    }
    expect((await fetchWith("--bytes", "7")).stderr).toContain("expected one of 4, 8, 32");
  });

  test("takes a file of keys, and says how old the list is in JSON", async () => {
    const file = folder.write(`${count}.pub`, `# Ours\n${signer.publicKey}\n`);
    const { stdout } = await fetchWith("--public-key", file, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      url,
      version: 1,
      ageSeconds: expect.any(Number),
      publicKeys: [signer.publicKey],
    });
    const empty = folder.write(`${count}.empty`, "# none\n");
    expect((await fetchWith("--public-key", empty)).stderr).toMatch(/contains no public key\n$/);
  });

  test("trusts no key that nobody gave, unless it is told to", async () => {
    expect(await fetchWith("-o", output)).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: the public key of ${url} is not known: give it once, as in --public-key KEY, or trust the one in the store with list fetch --trust-first-key\n`,
    });
    expect(host.asked).toEqual([]);
    const first = await fetchWith("--trust-first-key");
    expect(first.status).toBe(0);
    expect(first.stderr).toContain(`the public key of ${url} is not verified`);
    expect(first.stderr).toContain(signer.publicKey);
    expect((await fetchWith("-o", output)).status).toBe(0);
  });

  test("refuses another key later, but not the one it knows", async () => {
    await known();
    const other = (await signerOf(await generateSigningKey("other.example"))).publicKey;
    const { status, stderr } = await fetchWith("--public-key", other);
    expect(status).toBe(2);
    expect(stderr).toMatch(/was fetched with another public key before, lists\.example\+/);
    expect((await known()).status).toBe(0);
  });

  test("follows a publisher who changes keys, and knows the old and the new one", async () => {
    await known();
    const old = signer;
    const next = await signerOf(await generateSigningKey("next.example"));
    const both = {
      storage,
      list: "malware",
      lifetime: DAY,
      publicKeys: [old.publicKey, next.publicKey],
    };
    await publish({ ...both, signer: old, fullHashes: hashes(["b.example/"]) });
    await publish({
      ...both,
      signer: next,
      fullHashes: hashes(["c.example/"]),
    });
    expect((await fetchWith("-o", output)).status).toBe(0);
    expect(written()).toEqual([prefixOf("c.example/")]);
    expect((await fetchWith("--public-key", next.publicKey)).status).toBe(0);
    expect((await fetchWith("--public-key", old.publicKey)).status).toBe(0);
  });

  test("refuses a list that somebody else signed", async () => {
    signer = await signerOf(await generateSigningKey("lists.example"));
    const { status, stderr } = await known();
    expect(status).toBe(2);
    expect(stderr).toMatch(/^urlhash: Version 1 of malware is not signed by a trusted key/);
    expect(() => readFileSync(output)).toThrow();
  });

  test("refuses a rollback and a fork, and leaves the file as it was", async () => {
    await version("evil.example/", "bad.example/");
    await known();
    const before = readFileSync(output);
    const good = storage;
    storage = memoryStorage();
    current = storage;
    await version("other.example/");
    const back = await fetchWith("-o", output);
    expect(back.status).toBe(2);
    expect(back.stderr).toMatch(/^urlhash: The list malware was rolled back: version 2 is gone/);
    await version("other.example/", "more.example/");
    const forked = await fetchWith("-o", output);
    expect(forked.status).toBe(2);
    expect(forked.stderr).toMatch(/^urlhash: Version 2 of malware is not the one that was seen/);
    // The fork is also detected when the list in the cache is damaged.
    writeFileSync(cached("list-malware"), "damaged");
    expect((await fetchWith("-o", output)).stderr).toMatch(/is not the one that was seen before/);
    expect(readFileSync(output)).toEqual(before);
    current = good;
    expect((await fetchWith("-o", output)).status).toBe(0);
  });

  test("refuses an expired list, unless it is told otherwise", async () => {
    await publishLongAgo(4);
    const refused = await known();
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/Version 1 of malware expired at .*--allow-expired/);
    expect(readdirSync(folder.path("."))).not.toContain(`${count}.list`);
    const allowed = await fetchWith(
      "--public-key",
      signer.publicKey,
      "-o",
      output,
      "--allow-expired",
    );
    expect(allowed.status).toBe(0);
    expect(allowed.stderr).toMatch(/was signed 4 days ago and EXPIRED 3 days ago/);
    expect(written()).toEqual([prefixOf("old.example/")]);
    // Verdicts still do not use the expired list.
    expect((await check()).stderr).toMatch(/expired at/);
  });

  const damagedForms = (file: string) => {
    const whole = readFileSync(file);
    return [Buffer.from("damaged"), whole.subarray(0, -3), Buffer.alloc(0)];
  };

  test.each([
    ["list-malware", /warning: The stored list malware is damaged: .*: it is ignored, .*again\n/],
    ["state", /^urlhash: version 1 of malware was signed/],
  ])(
    "if %s in the cache is damaged, the list is still right",
    { tags: "deep" },
    async (name, told) => {
      await known();
      const before = readFileSync(output);
      for (const bytes of damagedForms(cached(name))) {
        writeFileSync(cached(name), bytes);
        rmSync(output);
        const { status, stderr } = await fetchWith("-o", output);
        expect(stderr).toMatch(told);
        expect(status).toBe(0);
        expect(readFileSync(output)).toEqual(before);
        expect((await fetchWith("-o", output, "--quiet")).stderr).toBe("");
      }
    },
  );

  test("if the kept keys are damaged, one that the publisher has signed must be given again", async () => {
    await known();
    const file = cached("trusted.json");
    const other = (await signerOf(await generateSigningKey("other.example"))).publicKey;
    for (const bytes of damagedForms(file)) {
      writeFileSync(file, bytes);
      expect(await fetchWith("-o", output)).toMatchObject({
        status: 2,
        stderr: `urlhash: warning: ${file} is damaged: it is ignored\nurlhash: the public key of ${url} is not known: give it again, as in --public-key KEY\n`,
      });
      const refused = await fetchWith("--public-key", other);
      expect(refused.stderr).toMatch(
        /was fetched with another public key before, lists\.example\+/,
      );
      expect((await known()).status).toBe(0);
      expect((await fetchWith("-o", output, "--quiet")).stderr).toBe("");
    }
  });

  test("another list in place of the kept one is noticed", async () => {
    await known();
    writeFileSync(cached("list-malware"), encodePrefixList(prefixList([])));
    const { status, stderr } = await check();
    expect(stderr).toMatch(/is damaged: .*: it is ignored/);
    expect(status).toBe(1);
  });

  test.each([
    "ftp://lists.example/malware",
    "https://lists.example/store/",
    "https://lists.example/Not a name",
    "s3://bucket",
  ])("%s is not the URL of a list", async (text) => {
    const { status, stderr } = await run(["list", "fetch", text, "--public-key", signer.publicKey]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/cannot be the URL of a list: it must end in|expected https/);
  });

  test("a password in a URL is not repeated", async () => {
    const { stderr } = await run(["list", "fetch", "https://me:secret@lists.example/malware"]);
    expect(stderr).toBe(
      "urlhash: the URL of a list must have no user name, password, query or fragment\n",
    );
  });

  test("--json and -o - are refused together; -o - writes the list to stdout", async () => {
    expect((await fetchWith("--json", "-o", "-")).stderr).toMatch(/both write to stdout/);
  });

  test("a list that is not there is an error", async () => {
    const none = `${host.address}/other`;
    const ran = await run(["list", "fetch", none, "--public-key", signer.publicKey]);
    expect(ran).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: there is no list at ${none}\n`,
    });
  });

  test("reads a bucket with the AWS_ variables", { tags: "deep" }, async () => {
    const server = await s3Server();
    try {
      const { s3Storage } = await import("@x/list-store/s3");
      const credentials = { accessKeyId: "AKTEST", secretAccessKey: "test-only" };
      const bucket = s3Storage({
        bucket: BUCKET,
        prefix: "feeds",
        credentials,
        endpoint: server.origin,
      });
      storage = bucket;
      await version("evil.example/");
      const env = {
        AWS_ACCESS_KEY_ID: "AKTEST",
        AWS_SECRET_ACCESS_KEY: "test-only",
        AWS_ENDPOINT_URL: server.origin,
      };
      const args = ["--public-key", signer.publicKey];
      const fetched = await run(
        ["list", "fetch", `s3://${BUCKET}/feeds/malware`, "-o", output, ...args],
        { env },
      );
      expect(fetched.status).toBe(0);
      expect(written()).toEqual([prefixOf("evil.example/")]);
      const refused = await run(["list", "fetch", `s3://${BUCKET}/feeds/malware`, ...args]);
      expect(refused.stderr).toMatch(/needs an access key: set AWS_ACCESS_KEY_ID/);
    } finally {
      await server.close();
    }
  });
});

describe("hostile hosts", () => {
  const unwritten = async (pattern: RegExp, ...args: string[]) => {
    const { status, stderr } = await fetchWith(
      "-o",
      output,
      "--public-key",
      signer.publicKey,
      ...args,
    );
    expect(stderr).toMatch(pattern);
    expect(status).toBe(2);
    expect(() => readFileSync(output)).toThrow();
  };

  test("a web page in place of every file", async () => {
    host.intercept((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Sign in");
      return true;
    });
    await unwritten(/sends a web page instead of the file/);
  });

  test("a manifest without end", async () => {
    host.intercept((path, response) => {
      if (!path.includes("/v/")) return false;
      response.writeHead(200);
      const piece = Buffer.alloc(2 ** 16, "x");
      const more = (): void => {
        if (!response.destroyed) response.write(piece, more);
      };
      more();
      return true;
    });
    await unwritten(/is far too long/);
  });

  test("redirects without end", async () => {
    host.intercept((path, response) => {
      response.writeHead(302, { location: `/store/${path}` }).end();
      return true;
    });
    await unwritten(/redirects its readers more than 5 times/);
  });

  test("a changed object", async () => {
    host.intercept((path, response) => {
      if (!path.startsWith("objects/")) return false;
      response.writeHead(200).end("changed");
      return true;
    });
    await unwritten(/damaged|does not have|hash/);
  });
});

describe("check --list URL", () => {
  test("keeps the list, and does not ask again for a while", { tags: "deep" }, async () => {
    const first = await check("--public-key", signer.publicKey);
    expect(first).toMatchObject({ status: 1, stderr: "" });
    await version("other.example/");
    host.asked.length = 0;
    expect((await check()).status).toBe(1);
    expect(host.asked).toEqual([]);
    expect((await check(...later)).status).toBe(0);
    expect((await run(["explain", "--list", url, "other.example"])).status).toBe(1);
  });

  test("uses the kept list with a warning while the host is away", async () => {
    await known();
    await host.close();
    const { status, stderr } = await check(...later);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /warning: The store at .* cannot be used now: .*: using version 1 of malware, signed 0 minutes ago\n/,
    );
    host = await staticHost(storage);
  });

  test("never says that nothing is listed when the kept list has expired", async () => {
    await publishLongAgo(2);
    await fetchWith("--public-key", signer.publicKey, "--allow-expired");
    await host.close();
    const { status, stdout, stderr } = await check();
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^urlhash: the kept version 1 of malware has expired, and The store at/);
    host = await staticHost(storage);
  });

  test("needs a key, and refuses what a rolled back host has", async () => {
    const unknown = await check();
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/is not known: give it once/);
    await version("evil.example/", "b.example/");
    await known();
    storage = memoryStorage();
    current = storage;
    await version("other.example/");
    expect(await check(...later)).toMatchObject({ status: 2, stdout: "" });
  });

  test("other commands say how to get a file", async () => {
    expect((await run(["list", "info", url])).stderr).toBe(
      `urlhash: ${url} is not a file: urlhash list fetch writes the list at a URL to a file\n`,
    );
  });
});

test("a list that its publisher has withdrawn is empty, even with --quiet", async () => {
  const empty = "urlhash: warning: the list malware is empty: no URL can be on it\n";
  await withdraw({ ...common(), storage, lifetime: DAY });
  const argv = ["list", "fetch", url, "--public-key", signer.publicKey];
  const { status, stderr } = await run(argv);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^urlhash: version 2 .*; its publisher has withdrawn it\n/);
  expect(stderr).toContain(empty);
  expect(await run([...argv, "--quiet"])).toEqual({ status: 0, stdout: "", stderr: empty });
});
