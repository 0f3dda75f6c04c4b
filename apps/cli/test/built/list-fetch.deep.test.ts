import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  generateSigningKey,
  memoryStorage,
  publish,
  type Signer,
  type Storage,
  signerOf,
} from "@x/list-store";
import { decodePrefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type StaticHost,
  staticHost,
} from "../../../../packages/list-store/test/support/static-host.ts";
import { URLHASH, urlhash } from "./program.ts";

const DAY = 86_400_000;
const folder = temporaryFolder();
let storage: Storage;
let signer: Signer;
let host: StaticHost;
let url: string;
let entries: Uint8Array[] = [];

beforeAll(async () => {
  storage = memoryStorage();
  signer = await signerOf(await generateSigningKey("lists.example"));
  host = await staticHost(storage);
  url = `${host.address}/malware`;
  await grow(20_000);
});
afterAll(() => host.close());

async function grow(by: number): Promise<number> {
  const from = entries.length;
  entries = [
    ...entries,
    ...Array.from({ length: by }, (_, i) => fullHash(`h${from + i}.example/`)),
  ];
  const common = {
    storage,
    list: "malware",
    signer,
    publicKeys: [signer.publicKey],
    lifetime: DAY,
  };
  return (await publish({ ...common, fullHashes: entries })).manifest.version;
}

const argsFor = (output: string) => [
  ...["list", "fetch", url, "-o", output],
  ...["--public-key", signer.publicKey],
];

test("a fetch that is killed at any time leaves whole files, and the next one goes on", async () => {
  const [caches, output] = [folder.path("killed"), folder.path("killed.list")];
  const args = argsFor(output);
  const env = { XDG_CACHE_HOME: caches };
  const start = performance.now();
  expect(await urlhash(args, { env })).toMatchObject({ status: 0 });
  const usual = performance.now() - start;
  let killed = 0;
  // On a busy machine, the first processes may all end before they are killed.
  for (let i = 0; i < sampleSize(30, 8) || killed === 0; i++) {
    const version = await grow(10);
    const options = { stdio: "ignore", env: { ...process.env, ...env } } as const;
    const child = spawn(process.execPath, [URLHASH, ...args], options);
    const ended = once(child, "exit");
    await setTimeout(Math.random() * 1.2 * usual);
    child.kill("SIGKILL");
    const [, signal] = (await ended) as [number | null, string | null];
    if (signal === "SIGKILL") killed++;
    // The file is a complete list.
    expect(decodePrefixList(readFileSync(output)).size).toBeGreaterThan(0);

    const next = await urlhash([...args, "--json"], { env });
    expect(next).toMatchObject({ status: 0, stderr: expect.not.stringContaining("damaged") });
    expect(JSON.parse(next.stdout)).toMatchObject({ version, prefixes: entries.length });
    expect(decodePrefixList(readFileSync(output)).size).toBe(entries.length);
  }
  const cache = join(caches, "urlhash");
  const names = readdirSync(join(cache, readdirSync(cache)[0]!));
  expect(names.sort()).toEqual([".unfinished", "list-malware", "state", "trusted.json"]);
});

test("several processes at once keep and write whole lists, and none goes back", async () => {
  const env = { XDG_CACHE_HOME: folder.path("shared") };
  const outputs = Array.from({ length: 4 }, (_, i) => folder.path(`shared-${i}.list`));
  for (let i = 0; i < sampleSize(8, 2); i++) {
    const version = await grow(10);
    const ran = await Promise.all(
      outputs.map((output) => urlhash([...argsFor(output), "--json"], { env })),
    );
    for (const { status, stdout, stderr } of ran) {
      expect(stderr).toMatch(/^urlhash: version \d+ of malware was signed [^\n]*\n$/);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ version, prefixes: entries.length });
    }
    for (const output of outputs) {
      expect(decodePrefixList(readFileSync(output)).size).toBe(entries.length);
    }
  }
});

test("other commands do not load what fetching needs", async () => {
  const { stderr } = await urlhash(["--version"], { nodeOptions: ["--trace-deprecation"] });
  expect(stderr).toBe("");
  const dist = new URL("../../dist/", import.meta.url);
  const eager = new Set<string>();
  const visit = (name: string): void => {
    const file = new URL(name, dist);
    if (eager.has(file.href) || !existsSync(file)) return;
    eager.add(file.href);
    const text = readFileSync(file, "utf8");
    for (const [, from] of text.matchAll(/^import [^"']*["']\.\/([^"']+)["']/gm)) visit(from!);
    expect(text, name).not.toContain("urlhash-manifest/");
  };
  for (const name of readdirSync(dist)) {
    if (/^(?:main|index|list|check|explain|shared)\.js$/.test(name)) visit(name);
  }
  expect(eager.size).toBeGreaterThan(5);
});
