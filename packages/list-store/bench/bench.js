// Measures what versions of a list cost: what a publisher writes, what garbage collection leaves, and what readers
// download: `pnpm --filter @x/list-store bench`. Usage: bench.js [numbers of entries, such as 100000,1000000]

import {
  collectGarbage,
  findFullHashes,
  generateSigningKey,
  loadList,
  memoryStorage,
  publish,
  signerOf,
} from "@x/list-store";
import { readHostNamesIndex } from "@x/list-store/host-names";
import { printMachine, printTable } from "@x/test-support/benchmark";

const SIZES = (process.argv[2] ?? "100000").split(",").map(Number);
const SHARES = [0.01, 0.001, 0.0001];
const VERSIONS = 200;
const BEHIND = [1, 10, 100, 199];
/** How many versions stay complete. */
const KEEP = 10;
const HASH_BYTES = 32;
const LIST = "bench";

/** Evenly spread 32-bit numbers, the same in every run (splitmix32). */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

/** A storage that counts what is read and what is written for the first time. */
function counted(storage) {
  const counts = { requests: 0, read: 0, objects: 0, written: 0 };
  return {
    counts,
    storage: {
      ...storage,
      async get(key, most) {
        const bytes = await storage.get(key, most);
        counts.requests++;
        counts.read += bytes?.length ?? 0;
        return bytes;
      },
      async create(key, bytes) {
        const isNew = await storage.create(key, bytes);
        if (isNew && !key.startsWith("tmp/")) {
          counts.objects++;
          counts.written += bytes.length;
        }
        return isNew;
      },
    },
  };
}

/** How many bytes all objects of a storage take. */
async function storedBytes(storage) {
  let bytes = 0;
  for (const { name: folder } of await storage.list("objects/sha256/")) {
    for (const { name } of await storage.list(`objects/sha256/${folder}`)) {
      bytes += (await storage.get(`objects/sha256/${folder}${name}`)).length;
    }
  }
  return bytes;
}

function check(isRight, what) {
  if (!isRight) throw new Error(`${what} differs`);
}

const kB = (bytes) => (bytes / 1000).toFixed(1);
const percent = (share) => `${share * 100} %`;

const signer = await signerOf(await generateSigningKey("bench"));
const publicKeys = [signer.publicKey];

async function measure(size, share) {
  const next = numbers(size);
  const hashes = new Uint32Array((size * HASH_BYTES) / 4).map(next);
  const fullHashes = [new Uint8Array(hashes.buffer)];
  const { storage, counts } = counted(memoryStorage());
  const stored = { storage, list: LIST, publicKeys };
  const publication = { ...stored, fullHashes, signer, lifetime: 86_400_000 };
  await publish(publication);
  Object.assign(counts, { objects: 0, written: 0 });
  const readers = new Map();
  let reader = await loadList(stored);
  for (let version = 1; version < VERSIONS; version++) {
    if (BEHIND.includes(VERSIONS - version)) readers.set(VERSIONS - version, reader);
    for (let i = 0; i < size * share; i++) {
      const at = (next() % size) * (HASH_BYTES / 4);
      for (let j = 0; j < HASH_BYTES / 4; j++) hashes[at + j] = next();
    }
    await publish(publication);
    reader = await loadList(stored, reader);
  }
  const versions = VERSIONS - 1;
  const [objects, written] = [counts.objects / versions, counts.written / versions];

  async function download(before) {
    Object.assign(counts, { requests: 0, read: 0 });
    const loaded = await loadList(stored, before);
    check(loaded.prefixes.checksum === reader.prefixes.checksum, "the list of a reader");
    return { ...counts };
  }
  const downloads = [];
  for (const behind of BEHIND) downloads.push(await download(readers.get(behind)));
  downloads.push(await download(null));
  // Every thousandth hash is found, and nothing else with its prefix.
  for (let i = 0; i < size; i += 1000) {
    const hash = fullHashes[0].subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES);
    const found = await findFullHashes(storage, reader, hash);
    check(found.length === 1, "a search");
  }

  await collectGarbage({ storage, publicKeys, keep: KEEP, keepChanges: KEEP, grace: 0 });
  const left = await storedBytes(storage);
  // The newest version alone, in one piece, and what the others had that it has not.
  const alone = memoryStorage();
  await publish({ ...publication, storage: alone });
  const needed = (await storedBytes(alone)) + KEEP * size * share * HASH_BYTES;
  return { size, share, objects, written, downloads, left: left / needed };
}

/** A host name of 8 to 29 characters. */
function hostName(next) {
  const letters = (most) =>
    next()
      .toString(36)
      .slice(0, 1 + (next() % most));
  const ending = [".com", ".example", ".net", ".co.uk"][next() % 4];
  return `${next().toString(36)}${letters(7)}${next() % 2 ? `.${letters(6)}` : ""}${ending}`;
}

const lengthOf = (host) => host.length + 2;

/** What names of hosts cost besides, in a list whose full hashes stay the same. */
async function measureNames(size, share) {
  const next = numbers(size);
  const storage = memoryStorage();
  const hosts = Array.from({ length: size }, () => ({ host: hostName(next), isBelow: true }));
  const unnamed = { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0 };
  const known = new Set();
  let [objects, written, changed] = [0, 0, 0];
  for (let version = 0; version < VERSIONS; version++) {
    for (let i = 0; version > 0 && i < size * share; i++) {
      const named = hosts[next() % size];
      changed += lengthOf(named.host);
      named.host = hostName(next);
      changed += lengthOf(named.host);
    }
    const { manifest } = await publish({
      ...{ storage, list: LIST, publicKeys, signer, lifetime: 86_400_000 },
      fullHashes: [new Uint8Array(HASH_BYTES)],
      names: () => ({ hosts, publicSuffixes: 0, unnamed }),
    });
    const { names } = manifest.contents;
    const { base, layers } = await readHostNamesIndex(storage, names);
    for (const hash of [names, ...[base, ...layers].flatMap(({ parts }) => parts)]) {
      if (known.has(hash)) continue;
      known.add(hash);
      if (version === 0) continue;
      objects++;
      written += (await storage.get(`objects/sha256/${hash.slice(0, 2)}/${hash}`)).length;
    }
  }
  const all = hosts.reduce((sum, { host }) => sum + lengthOf(host), 0);
  const versions = VERSIONS - 1;
  return {
    all,
    objects: objects / versions,
    written: written / versions,
    changed: changed / versions,
  };
}

const results = [];
for (const size of SIZES) {
  for (const share of SHARES) {
    results.push({ ...(await measure(size, share)), names: await measureNames(size, share) });
  }
}

printMachine();
console.log(`## What a version costs, on average of ${VERSIONS - 1} versions\n`);
printTable(
  ["entries, replaced", "objects", "kB", "bytes for each change beyond 20 kB", "kept / needed"],
  results.map(({ size, share, objects, written, left }) => [
    `${size}, ${percent(share)}`,
    objects.toFixed(1),
    kB(written),
    // Each replacement removes an entry and adds one.
    (Math.max(0, written - 20_000) / (2 * size * share)).toFixed(1),
    left.toFixed(2),
  ]),
);
console.log(`## What a reader downloads: requests, kB\n`);
printTable(
  ["entries, replaced", ...BEHIND.map((behind) => `${behind} behind`), "new reader"],
  results.map(({ size, share, downloads }) => [
    `${size}, ${percent(share)}`,
    ...downloads.map(({ requests, read }) => `${requests}, ${kB(read)}`),
  ]),
);
console.log("## What names of hosts cost besides, on average\n");
printTable(
  ["entries, replaced", "objects", "kB", "kB of the names that changed", "kB of all names"],
  results.map(({ size, share, names: { objects, written, changed, all } }) => [
    `${size}, ${percent(share)}`,
    objects.toFixed(1),
    ...[written, changed, all].map(kB),
  ]),
);
