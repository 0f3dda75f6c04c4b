// A store with a long list, its history, a short list, and a private list with names. The store is kept between runs.

import { spawnSync } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { publish, readNewest, signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";

export const COMMAND = fileURLToPath(new URL("../../bin/urlhash-server.js", import.meta.url));

const YEAR = 365 * 24 * 60 * 60 * 1000;
/** Increase this number when the contents of the store change. */
const FORMAT = 3;
const LONG_LIST = "malware";
/** Versions of the long list before the newest one. Each replaces one entry in a hundred. */
const OLD_VERSIONS = 30;
const HASH_BYTES = 32;

/** The hosts of the short list. */
export const LISTED_HOSTS = Array.from({ length: 20_000 }, (_, i) => `listed-${i}.example`);
/** The hosts of the private list. */
const PRIVATE_HOSTS = Array.from({ length: 50_000 }, (_, i) => `private-${i}.example`);

/** The key that opens the private list. */
export const KEY = "a-key-for-the-benchmark";

function run(...args) {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

function randomWords(count) {
  const words = new Uint32Array(count);
  for (let at = 0; at < count; at += 2 ** 20) randomFillSync(words.subarray(at, at + 2 ** 20));
  return words;
}

/** Returns the words without duplicates, in ascending order. */
function sorted(words) {
  words.sort();
  let used = 0;
  for (const word of words) if (used === 0 || word !== words[used - 1]) words[used++] = word;
  return words.slice(0, used);
}

/** The same words, with one in a hundred replaced. */
function replaceSome(words) {
  const changed = words.slice();
  const fresh = randomWords(Math.ceil(words.length / 100));
  for (let i = 0; i < fresh.length; i++) {
    changed[(i * 100 + (fresh[i] % 100)) % words.length] = fresh[i];
  }
  return sorted(changed);
}

/** A full hash for each word, always the same one. */
function hashesOf(words) {
  const hashes = new Uint8Array(words.length * HASH_BYTES).fill(7);
  const view = new DataView(hashes.buffer);
  for (let i = 0; i < words.length; i++) view.setUint32(i * HASH_BYTES, words[i]);
  return hashes;
}

/** Publishes all versions of the long list. Returns some of its words and the tokens of the versions, oldest first. */
async function publishLong(storage, signer, size) {
  let words = sorted(randomWords(size));
  const tokens = [];
  for (let i = 0; i <= OLD_VERSIONS; i++) {
    if (i > 0) words = replaceSome(words);
    const { manifest } = await publish({
      storage,
      list: LONG_LIST,
      fullHashes: [hashesOf(words)],
      signer,
      publicKeys: [signer.publicKey],
      lifetime: YEAR,
    });
    const { since, checksum } = manifest.contents;
    tokens.push(`${LONG_LIST}.${since}.${checksum.slice(0, 16)}`);
  }
  // Some prefixes of each part of the list, so that searches need many shards.
  const some = Array.from(
    { length: 20_000 },
    (_, i) => words[Math.floor((i * words.length) / 20_000)],
  );
  return { tokens, some };
}

/** Makes the store, and returns the facts that requests need. */
async function make(folder, size) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const store = join(folder, "lists");
  run("init", "--store", store);
  const signer = await signerOf(readFileSync(`${store}.key`, "utf8").trim());
  const storage = directoryStorage(store);
  const long = await publishLong(storage, signer, size);
  for (const [list, hosts, ...more] of [
    ["social-engineering", LISTED_HOSTS],
    ["intranet", PRIVATE_HOSTS, "--keep-names", "intranet"],
  ]) {
    const file = join(folder, `${list}.txt`);
    writeFileSync(file, hosts.map((host) => `http://${host}/\n`).join(""));
    run("publish", "--store", store, `${list}=${file}`, "--lifetime", "365d", ...more);
  }
  const short = await readNewest({
    storage,
    list: "social-engineering",
    publicKeys: [signer.publicKey],
  });
  const { since, checksum } = short.manifest.contents;
  const keysFile = join(folder, "keys");
  const hash = createHash("sha256").update(KEY).digest("hex");
  writeFileSync(keysFile, `${hash}  intranet\n`);
  return {
    store,
    keysFile,
    size,
    /** Tokens of all versions of the long list, oldest first. */
    tokens: long.tokens,
    /** Hash prefixes on the long list, as ascending numbers. */
    words: long.some,
    shortToken: `social-engineering.${since}.${checksum.slice(0, 16)}`,
  };
}

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/dearest/", import.meta.url));

/** Returns the facts about the store with a long list of this size, and makes the store if it is missing. */
export async function storeOf(size) {
  const folder = join(CACHE, `${FORMAT}-${size}`);
  const factsFile = join(folder, "facts.json");
  if (!existsSync(factsFile)) {
    const facts = await make(folder, size);
    writeFileSync(factsFile, JSON.stringify(facts));
  }
  const ohttpFile = join(folder, "ohttp");
  if (!existsSync(ohttpFile)) run("ohttp-key", ohttpFile);
  return { ...JSON.parse(readFileSync(factsFile, "utf8")), ohttpFile };
}
