// How long the SHA-256 of a URL's suffix/prefix expressions takes: `pnpm run bench [FILE-OF-URLS]`.
//
// Every candidate gets what it takes most readily, made before: the batch its octets and slices, which it
// copies into its own memory on the clock, the others a string or octets for each message.
import * as crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { sha256 } from "@noble/hashes/sha2.js";
import { createHashBatch, fullHash, toHex } from "@x/sha256-prefix";
import { createSHA256 } from "hash-wasm";
import { readSlices } from "./corpus.js";

const SLICES_A_RUN = 4096;
const ROUNDS = 15;

const [file] = process.argv.slice(2);
const corpus = readSlices(file === undefined ? undefined : readFileSync(file, "utf8"));
const texts = corpus.starts.map((start, i) =>
  corpus.octets.toString("latin1", start, corpus.ends[i]),
);
const messages = corpus.starts.map((start, i) => corpus.octets.subarray(start, corpus.ends[i]));

/** The corpus in runs: octets, and slices that are counted from the first of them. */
const runs = [];
for (let from = 0; from < texts.length; from += SLICES_A_RUN) {
  const starts = corpus.starts.slice(from, from + SLICES_A_RUN);
  const ends = corpus.ends.slice(from, from + SLICES_A_RUN);
  const [first, last] = [Math.min(...starts), Math.max(...ends)];
  runs.push({
    octets: corpus.octets.subarray(first, last),
    starts: Uint32Array.from(starts, (start) => start - first),
    ends: Uint32Array.from(ends, (end) => end - first),
  });
}

/** A candidate that hashes one message after the other: what gives a hash of octets. */
function oneByOne(inputs, hash) {
  return {
    hex: () => inputs.map((input) => toHex(hash(input))),
    run: () => {
      let sum = 0;
      for (const input of inputs) sum = (sum + hash(input)[0]) | 0;
      return sum;
    },
  };
}

function batched(engine) {
  const octets = Math.max(...runs.map((run) => run.octets.length));
  const batch = createHashBatch({ octets, slices: SLICES_A_RUN, engine });
  const hash = (run) => {
    batch.octets.set(run.octets);
    batch.starts.set(run.starts);
    batch.ends.set(run.ends);
    batch.run(run.starts.length);
  };
  return {
    hex: () =>
      runs.flatMap((run) => {
        hash(run);
        return Array.from(run.starts, (_, i) => toHex(batch.hashes.subarray(32 * i, 32 * i + 32)));
      }),
    run: () => {
      let sum = 0;
      const { prefixes } = batch;
      for (const run of runs) {
        hash(run);
        for (let i = 0; i < run.starts.length; i++) sum = (sum + (prefixes[i] >>> 24)) | 0;
      }
      return sum;
    },
  };
}

const hasher = await createSHA256();
const candidates = {
  "createHashBatch, WebAssembly": batched("webassembly"),
  "createHashBatch, JavaScript": batched("javascript"),
  fullHash: oneByOne(texts, fullHash),
  ...(crypto.hash && {
    "crypto.hash": oneByOne(texts, (text) => crypto.hash("sha256", text, "buffer")),
  }),
  createHash: oneByOne(texts, (text) => crypto.createHash("sha256").update(text).digest()),
  "@noble/hashes": oneByOne(messages, sha256),
  "hash-wasm": oneByOne(messages, (octets) => hasher.init().update(octets).digest("binary")),
};

const expected = candidates.createHash.hex();
for (const [name, { hex, run }] of Object.entries(candidates)) {
  const hashes = hex();
  const wrong = hashes.findIndex((hash, i) => hash !== expected[i]);
  if (wrong >= 0 || hashes.length !== expected.length || run() !== candidates.createHash.run()) {
    throw new Error(`${name} disagrees with createHash about ${JSON.stringify(texts[wrong])}`);
  }
}

// In turns, so that whatever else the machine does falls on all of them.
const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, { run }] of Object.entries(candidates)) {
    const start = process.hrtime.bigint();
    run();
    times[name].push(Number(process.hrtime.bigint() - start) / texts.length);
  }
}
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const lengths = messages.map(({ length }) => length);
const [fastest] = Object.values(times).map(median);

console.log(`Node ${process.version}, ${cpus()[0]?.model}; one core`);
console.log(
  `${texts.length} messages of ${corpus.urls} URLs, median ${median(lengths)} octets, ` +
    `${((100 * lengths.filter((length) => length < 56).length) / lengths.length).toFixed(1)} % of one block; ` +
    `medians of ${ROUNDS} rounds; all candidates agree\n`,
);
console.log("| SHA-256 | ns a message | times the first |\n| --- | ---: | ---: |");
for (const [name, each] of Object.entries(times)) {
  const ns = median(each);
  console.log(`| ${name} | ${ns.toFixed(1)} | ${(ns / fastest).toFixed(2)} |`);
}
