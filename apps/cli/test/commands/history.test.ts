import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  collectGarbage,
  generateSigningKey,
  publish,
  type Signer,
  type Storage,
  signerOf,
} from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type StaticHost,
  staticHost,
} from "../../../../packages/list-store/test/support/static-host.ts";
import { run as runHere } from "../run.ts";

const DAY = 86_400_000;
const folder = temporaryFolder();
let count = 0;
let store: string;
let storage: Storage;
let signer: Signer;
let host: StaticHost;

beforeEach(async () => {
  store = folder.path(`store-${++count}`);
  storage = directoryStorage(store);
  signer = await signerOf(await generateSigningKey("lists.example"));
  host = await staticHost(storage);
  await version("evil.example/", "other.example/");
  await version("other.example/", "evil.example/login");
  await version("other.example/", "evil.example/");
});
afterEach(() => host.close());

async function version(...texts: string[]): Promise<void> {
  const fullHashes = texts.map((text) => fullHash(text));
  const about = { reason: "phishing", contact: "abuse@lists.example" };
  const publicKeys = [signer.publicKey];
  await publish({ storage, list: "bad", signer, publicKeys, fullHashes, lifetime: DAY, about });
}

const run = async (...argv: string[]) => {
  const ran = await runHere(["history", ...argv], {
    env: { XDG_CACHE_HOME: folder.path(`cache-${count}`) },
  });
  return { ...ran, stdout: ran.stdout.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME") };
};
const known = () => ["--public-key", signer.publicKey];

describe("history", () => {
  const EXPECTED = `bad: phishing; abuse@lists.example
bad: evil.example/login is not on the list
  added in version 2 of TIME
  removed in version 3 of TIME
bad: evil.example/ is on the list
  added in version 1 of TIME
  removed in version 2 of TIME
  added in version 3 of TIME
`;

  test("reads the store in a folder", async () => {
    expect(await run("evil.example/login", "--list", `${store}/bad`, ...known())).toEqual({
      status: 0,
      stdout: EXPECTED,
      stderr: "",
    });
  });

  test("reads the store at a URL, with the key that list fetch keeps", async () => {
    const url = `${host.address}/bad`;
    const refused = await run("evil.example", "--list", url);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toMatch(/the public key of .* is not known/);
    const env = { XDG_CACHE_HOME: folder.path(`cache-${count}`) };
    await runHere(["list", "fetch", url, ...known()], { env });
    expect(await run("evil.example/login", "--list", url)).toEqual({
      status: 0,
      stdout: EXPECTED,
      stderr: "",
    });
  });

  test("says what four bytes cannot tell apart", async () => {
    await collectGarbage({
      ...{ storage, publicKeys: [signer.publicKey], keep: 1, keepChanges: 1, grace: 0 },
      now: () => Date.now() + DAY,
    });
    const { stdout } = await run("evil.example/login", "--list", `${store}/bad`, ...known());
    expect(stdout).toContain(`bad: evil.example/login is not on the list
  probably added in version 2 of TIME
  probably removed in version 3 of TIME
`);
    expect(stdout).toMatch(/^ {2}added in version 3 of TIME$/m);
    expect(stdout).toContain(
      'bad: "probably" means that only the first four bytes of the hash are known, which another entry may have; by chance, about 1 expression in 2,147,483,648 does\n',
    );
  });

  test("--json writes each expression, and a URL that was never listed has status 0", async () => {
    const list = ["--list", `${store}/bad`, ...known()];
    const { status, stdout } = await run("http://good.example/", "--json", ...list);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        list: "bad",
        about: { reason: "phishing", contact: "abuse@lists.example" },
        expression: "good.example/",
        listed: false,
        changes: [],
        begins: { version: 1, issued: "TIME" },
        version: 3,
        chance: 2 / 2 ** 32,
      },
    ]);
    expect((await run("good.example", ...list)).stdout).toMatch(
      /^bad: good\.example was never on the list, in 3 versions since TIME$/m,
    );
  });

  test("check says the reason and the contact, too", async () => {
    const env = { XDG_CACHE_HOME: folder.path(`cache-${count}`) };
    const check = (...argv: string[]) =>
      runHere(["check", "--list", `${host.address}/bad`, ...known(), ...argv], { env });
    const { stdout } = await check("evil.example/login", "good.example");
    expect(stdout.match(/^ +bad: .*$/gm)).toEqual([
      "            bad: phishing; abuse@lists.example",
    ]);
    const urls = ["http://evil.example/", "http://good.example/"];
    const json = JSON.parse((await check("--json", ...urls)).stdout);
    expect(json[0].matches[0].about).toEqual({
      reason: "phishing",
      contact: "abuse@lists.example",
    });
    expect(json[1].matches).toEqual([]);
    // The list is now in the cache.
    await host.close();
    expect((await check("evil.example")).stdout).toContain("bad: phishing; abuse");
  });

  test("refuses other places, keys and inputs", async () => {
    const other = await signerOf(await generateSigningKey("other.example"));
    const place = `${store}/bad`;
    const loop = folder.path(`loop-${count}`);
    mkdirSync(loop);
    symlinkSync("lists", join(loop, "lists"));
    for (const [argv, error] of [
      [["evil.example"], /missing option '--list <place>'/],
      [["evil.example", "--list", place], /the public key of .* is not known/],
      [["evil.example", "--list", `${store}/none`, ...known()], /there is no list at .*none/],
      [["evil.example", "--list", `${store}-/bad`, ...known()], /cannot read .*no such file/],
      [["evil.example", "--list", `${store}/b d`, ...known()], /FOLDER\/NAME/],
      [["evil.example", "--list", place, "--public-key", other.publicKey], /not signed by/],
      [["evil.example", "--list", `${loop}/bad`, ...known()], /^urlhash: cannot read .*loop-/],
      [["http://", "--list", place, ...known()], /^urlhash: /],
    ] as const) {
      const ran = await run(...argv);
      expect(ran).toMatchObject({ status: 2, stdout: "" });
      expect(ran.stderr).toMatch(error);
    }
  });

  test("warns of a version that has expired", async () => {
    const old = folder.path(`old-${count}`);
    const then = () => Date.now() - 3 * DAY;
    const kept = directoryStorage(old);
    await publish({
      storage: {
        ...kept,
        list: async (path) =>
          (await kept.list(path)).map((each) => ({ ...each, modified: each.modified && then() })),
      },
      ...{ list: "bad", signer, publicKeys: [signer.publicKey], lifetime: DAY, now: then },
      fullHashes: [fullHash("evil.example/")],
    });
    const { status, stderr } = await run("evil.example", "--list", `${old}/bad`, ...known());
    expect(status).toBe(0);
    expect(stderr).toMatch(/^urlhash: warning: Version 1 of bad expired at /);
  });
});
