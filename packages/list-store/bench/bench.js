// Measures the cost of a list's versions: the publisher's writes, the bytes that garbage collection leaves, and the
// readers' downloads. Run it with `pnpm --filter @x/list-store bench`.
// Usage: bench.js [numbers of entries, such as 100000,1000000]

import {
  collectGarbage,
  findFullHashes,
  generateSigningKey,
  loadList,
  memoryStorage,
  publish,
  signerOf,
} from "@x/list-store";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { kB, numbers, percent, SHARES, SIZES, VERSIONS } from "./versions.js";

const BEHIND = [1, 10, 100, 199];
/** The number of versions that stay complete. */
const KEEP = 10;
const HASH_BYTES = 32;
const LIST = "bench";

/** A storage that counts requests, bytes read, and new files. */
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

/** The total length of all objects of a storage, in bytes. */
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
  // A search for every thousandth hash must find only that hash.
  for (let i = 0; i < size; i += 1000) {
    const hash = fullHashes[0].subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES);
    const found = await findFullHashes(storage, reader, hash);
    check(found.length === 1, "a search");
  }

  await collectGarbage({ storage, publicKeys, keep: KEEP, keepChanges: KEEP, grace: 0 });
  const left = await storedBytes(storage);
  // The bytes of the newest version alone, plus those of the entries that only other versions have.
  const alone = memoryStorage();
  await publish({ ...publication, storage: alone });
  const needed = (await storedBytes(alone)) + KEEP * size * share * HASH_BYTES;
  return { size, share, objects, written, downloads, left: left / needed };
}

const results = [];
for (const size of SIZES) {
  for (const share of SHARES) results.push(await measure(size, share));
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
