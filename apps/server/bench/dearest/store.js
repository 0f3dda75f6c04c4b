// A store with a long list, its history, a short list, and a private list with names. It is kept between runs.

import { spawnSync } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { publish, readNewest, signerOf } from "@x/list-store";
import { encodePrefixList } from "@x/prefix-list";
import {
  encodeShardIndex,
  shardsOf,
  sortHashes,
} from "../../../../packages/list-store/dist/contents/full-hashes.js";
import { changeBetween } from "../../../../packages/list-store/dist/contents/prefix-change.js";
import { listOfWords } from "../../../../packages/list-store/dist/contents/prefix-words.js";
import { commit, writeHint } from "../../../../packages/list-store/dist/log/commit-log.js";
import { formatManifest } from "../../../../packages/list-store/dist/log/manifest.js";
import { signNote } from "../../../../packages/list-store/dist/log/signed-note.js";
import { hashOf, putObject } from "../../../../packages/list-store/dist/objects.js";
import { directoryStorage } from "../../dist/storage/directory-storage.js";

export const COMMAND = fileURLToPath(new URL("../../bin/urlhash-server.js", import.meta.url));

const YEAR = 365 * 24 * 60 * 60 * 1000;
/** Changes when the contents of the store do. */
const FORMAT = 2;
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

/** Distinct words in ascending order. */
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

/** Stores the full hashes, and returns the names of their shards. */
async function putShards(storage, words) {
  const shards = [];
  for await (const shard of shardsOf(sortHashes([hashesOf(words)]))) {
    shards.push(await putObject(storage, shard));
  }
  return shards;
}

/**
 * Writes one manifest of the long list without the objects that nobody needs. The last one has all of its objects,
 * because the newest version is published after it, and its full hashes are counted.
 */
async function commitOld({ storage, signer, entry, words, before, isLast }) {
  const version = (entry?.manifest.version ?? 0) + 1;
  const now = Date.now();
  const prefixes = listOfWords(words, LONG_LIST, now);
  const { removed, added } = changeBetween(before, words);
  const put = (of) => putObject(storage, encodePrefixList(listOfWords(of, LONG_LIST, now)));
  const none = await putObject(storage, new Uint8Array(0));
  const names = isLast ? await putShards(storage, words) : [none];
  const shards = await putObject(storage, encodeShardIndex({ shards: names }));
  const manifest = {
    list: LONG_LIST,
    version,
    previous: entry?.hash ?? null,
    issued: now,
    expires: now + YEAR,
    contents: {
      since: version,
      prefixes: words.length,
      fullHashes: words.length,
      checksum: prefixes.checksum,
      snapshot: isLast ? await putObject(storage, encodePrefixList(prefixes)) : none,
      shards,
    },
    // Nobody asks for the change that made the first version.
    change:
      entry === null
        ? { added: none, removed: none, addedEntries: 0, removedEntries: 0 }
        : {
            added: await put(added),
            removed: await put(removed),
            addedEntries: added.length,
            removedEntries: removed.length,
          },
    withdrawn: false,
    nextSigners: [signer.publicKey],
  };
  const note = await signNote(formatManifest(manifest), signer);
  await commit(storage, LONG_LIST, version, note);
  return { manifest, hash: await hashOf(note), note };
}

/** Publishes the long list, and returns its words and the tokens of its versions, oldest first. */
async function publishLong(storage, signer, size) {
  let words = sorted(randomWords(size));
  let before = new Uint32Array(0);
  let entry = null;
  const tokens = [];
  const tokenOf = ({ since, checksum }) => `${LONG_LIST}.${since}.${checksum.slice(0, 16)}`;
  for (let i = 1; i <= OLD_VERSIONS; i++) {
    const isLast = i === OLD_VERSIONS;
    entry = await commitOld({ storage, signer, entry, words, before, isLast });
    tokens.push(tokenOf(entry.manifest.contents));
    before = words;
    words = replaceSome(words);
  }
  await writeHint(storage, LONG_LIST, OLD_VERSIONS);
  const { publicKey } = signer;
  const { manifest } = await publish({
    storage,
    list: LONG_LIST,
    fullHashes: [hashesOf(words)],
    signer,
    publicKeys: [publicKey],
    lifetime: YEAR,
  });
  tokens.push(tokenOf(manifest.contents));
  // Some prefixes of each part of the list, so that searches need many shards.
  const some = Array.from(
    { length: 20_000 },
    (_, i) => words[Math.floor((i * words.length) / 20_000)],
  );
  return { tokens, some };
}

/** What requests have to know about the store. */
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

/** The store for a long list of this size. */
export async function storeOf(size) {
  const folder = join(tmpdir(), `urlhash-dearest-${FORMAT}-${size}`);
  const factsFile = join(folder, "facts.json");
  if (!existsSync(factsFile)) {
    const facts = await make(folder, size);
    writeFileSync(factsFile, JSON.stringify(facts));
  }
  return JSON.parse(readFileSync(factsFile, "utf8"));
}
