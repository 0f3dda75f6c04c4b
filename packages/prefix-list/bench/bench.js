// Compares the lookups, memory and files of @x/prefix-list with its alternatives: `pnpm --filter @x/prefix-list
// bench`. Usage: bench.js [sizes, such as 1000000,10000000]

import {
  applyDifference,
  decodeDifference,
  decodePrefixList,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  prefixList,
} from "@x/prefix-list";
import {
  longestMatch,
  maybeListed,
  mayMatch,
  prefixBloomFilterInSteps,
} from "@x/prefix-list/search";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { RoaringBitmap32, roaringLibraryInitialize } from "roaring-wasm";

/** The Bloom filter of a list, made in one go. */
function prefixBloomFilter(list) {
  const steps = prefixBloomFilterInSteps([list], Number.POSITIVE_INFINITY);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const QUERIES = 2 ** 20;
const SLICES = 8;
const ROUNDS = 7;
const HASH_BYTES = 32;

/** Evenly spread 32-bit numbers, the same in every run (splitmix32). */
function randomWords(count, seed) {
  let state = seed >>> 0;
  const words = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    words[i] = mixed ^ (mixed >>> 15);
  }
  return words;
}

function packed(words, stride) {
  const bytes = new Uint8Array(words.length * stride);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < words.length; i++) view.setUint32(i * stride, words[i]);
  return bytes;
}

function listOf(words) {
  return prefixList([{ prefixBytes: 4, rawHashes: packed(words, 4) }], {
    name: "bench",
    created: 0,
  });
}

const keyOf = (word) => String.fromCharCode(word >>> 16, word & 0xffff);

/** The heap memory that a built value takes. Typed arrays are not on the heap, but report their own length. */
function measured(build) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const built = build();
  globalThis.gc();
  return { built, bytes: process.memoryUsage().heapUsed - before };
}

function tableBytes(list) {
  return list.tables
    .flatMap(({ buckets, halves, words, rests }) => [buckets, halves, words, rests])
    .reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Adds numbers in small portions: if it gets too many at once, roaring-wasm writes to memory that it has outgrown. */
function bitmapOf(sorted) {
  const bitmap = new RoaringBitmap32();
  for (let i = 0; i < sorted.length; i += 1000) bitmap.addMany(sorted.subarray(i, i + 1000));
  bitmap.runOptimize();
  return bitmap;
}

function binarySearch(sorted, word) {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle];
    if (found === word) return true;
    if (found < word) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/**
 * Each candidate counts the queries that it finds, in a loop of its own, so that no other candidate's types slow it.
 */
function candidates(members) {
  const list = listOf(members);
  const filter = prefixBloomFilter(list);
  const numbers = measured(() => new Set(members));
  const strings = measured(() => {
    const set = new Set();
    for (const word of members) set.add(keyOf(word));
    return set;
  });
  const sorted = members.slice().sort();
  const bitmap = bitmapOf(sorted);
  return [
    {
      name: "mayMatch",
      bytes: tableBytes(list),
      count({ words }) {
        let found = 0;
        for (let i = 0; i < words.length; i++) if (mayMatch(list, words[i])) found++;
        return found;
      },
    },
    {
      name: "maybeListed, then mayMatch",
      bytes: tableBytes(list) + filter.lines.byteLength,
      count({ words, selected }) {
        let found = 0;
        const maybe = maybeListed(filter, words, words.length, selected);
        for (let i = 0; i < maybe; i++) if (mayMatch(list, words[selected[i]])) found++;
        return found;
      },
    },
    {
      name: "longestMatch",
      bytes: tableBytes(list),
      count({ hashes }) {
        let found = 0;
        for (let at = 0; at < hashes.length; at += HASH_BYTES) {
          if (longestMatch(list, hashes, at) === 4) found++;
        }
        return found;
      },
    },
    {
      name: "`Set<number>`",
      bytes: numbers.bytes,
      count({ words }) {
        let found = 0;
        for (let i = 0; i < words.length; i++) if (numbers.built.has(words[i])) found++;
        return found;
      },
    },
    {
      name: "`Set<string>`",
      bytes: strings.bytes,
      count({ keys }) {
        let found = 0;
        for (let i = 0; i < keys.length; i++) if (strings.built.has(keys[i])) found++;
        return found;
      },
    },
    {
      name: "sorted Uint32Array",
      bytes: sorted.byteLength,
      count({ words }) {
        let found = 0;
        for (let i = 0; i < words.length; i++) if (binarySearch(sorted, words[i])) found++;
        return found;
      },
    },
    {
      name: "roaring-wasm",
      bytes: bitmap.getSerializationSizeInBytes("portable"),
      count({ words }) {
        let found = 0;
        for (let i = 0; i < words.length; i++) if (bitmap.has(words[i])) found++;
        return found;
      },
    },
  ];
}

function queriesOf(words) {
  return {
    words,
    selected: new Uint32Array(words.length),
    hashes: packed(words, HASH_BYTES),
    keys: Array.from(words, keyOf),
  };
}

function slicesOf(words) {
  return Array.from({ length: SLICES }, (_, i) => {
    const size = words.length / SLICES;
    return queriesOf(words.subarray(i * size, (i + 1) * size));
  });
}

/** The nanoseconds per query of each candidate. All of them must find `share` of the queries. */
async function times(rows, slices, share) {
  const timings = await compare({
    candidates: Object.fromEntries(rows.map(({ name, count }) => [name, count])),
    inputs: slices,
    items: QUERIES,
    rounds: ROUNDS,
  });
  const found = timings[0].results.reduce((sum, each) => sum + each, 0);
  if (found !== QUERIES * share) throw new Error(`${found} found, not ${QUERIES * share}`);
  return timings.map(({ nanoseconds }) => nanoseconds);
}

async function lookUps(members) {
  const rows = candidates(members);
  const isMember = new Set(members);
  const missing = randomWords(QUERIES + QUERIES / 8, 2).filter((word) => !isMember.has(word));
  const misses = slicesOf(missing.slice(0, QUERIES));
  const step = Math.max(1, Math.floor(members.length / QUERIES));
  const hits = slicesOf(
    randomWords(QUERIES, 3).map((word) => members[((word % QUERIES) * step) % members.length]),
  );
  const missTimes = await times(rows, misses, 0);
  const hitTimes = await times(rows, hits, 1);
  const peer = rows.findIndex(({ name }) => name === "`Set<number>`");
  printTable(
    [
      "",
      "ns per miss",
      "`Set<number>` / it",
      "ns per hit",
      "`Set<number>` / it",
      "bytes per entry",
    ],
    rows.map(({ name, bytes }, i) => [
      name,
      missTimes[i].toFixed(1),
      `${(missTimes[peer] / missTimes[i]).toFixed(1)}×`,
      hitTimes[i].toFixed(1),
      `${(hitTimes[peer] / hitTimes[i]).toFixed(1)}×`,
      (bytes / members.length).toFixed(2),
    ]),
  );
}

function entropyBytes(count) {
  // By Stirling's formula, log2 of the number of sets of `count` 32-bit numbers, divided by `count`.
  const share = count / 2 ** 32;
  const bits = -Math.log2(share) - ((1 - share) / share) * Math.log2(1 - share);
  return bits / 8;
}

/** The part of a list, a difference or a file that is compared. */
function resultOf(made) {
  return made.checksum ?? made.length;
}

async function files(members) {
  const rawHashes = packed(members, 4);
  const options = { name: "bench", created: 0 };
  const list = prefixList([{ prefixBytes: 4, rawHashes }], options);
  const file = encodePrefixList(list);
  const changed = listOf(members.map((word, i) => (i % 100 === 0 ? word ^ 0x5a5a5a5a : word)));
  const diffFile = encodeDifference(diffPrefixLists(list, changed));
  if (decodePrefixList(file).checksum !== list.checksum) throw new Error("another list was read");
  const steps = {
    "build from packed bytes, unsorted": () => prefixList([{ prefixBytes: 4, rawHashes }], options),
    "encode a file": () => encodePrefixList(list),
    "decode and check it": () => decodePrefixList(file),
    "difference of 1 %": () => diffPrefixLists(list, changed),
    "apply it": () => applyDifference(list, decodeDifference(diffFile)),
  };
  const timings = await compare({
    candidates: Object.fromEntries(
      Object.entries(steps).map(([name, run]) => [name, () => resultOf(run())]),
    ),
    inputs: [null],
    items: 1e6,
    rounds: 3,
    warmUp: 0,
    mustAgree: false,
  });
  const perEntry = file.length / list.size;
  const entropy = entropyBytes(list.size);
  printTable(
    ["files", ""],
    [
      ...timings.map(({ name, nanoseconds }) => [name, `${nanoseconds.toFixed(0)} ms`]),
      ["bytes per entry in the file", perEntry.toFixed(3)],
      ["entropy, bytes per entry", entropy.toFixed(3)],
      ["file / entropy", (perEntry / entropy).toFixed(4)],
    ],
  );
}

await roaringLibraryInitialize();
printMachine();
const sizes = (process.argv[2] ?? "1000000,10000000").split(",").map(Number);
for (const size of sizes) {
  const members = Uint32Array.from(new Set(randomWords(size, 1)));
  console.log(`## ${members.length} 4-byte prefixes\n`);
  await lookUps(members);
  await files(members);
}
