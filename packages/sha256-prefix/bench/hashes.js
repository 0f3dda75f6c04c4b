// Times SHA-256 of the suffix/prefix expressions of URLs: `pnpm run bench [FILE-OF-URLS]`.
//
// Each candidate gets its input in the form that suits it best, made beforehand: a string or bytes for each message or,
// for the batch, bytes and slices. The time of the batch includes copying the bytes and slices into its memory.
import * as crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { sha256 } from "@noble/hashes/sha2.js";
import { fullHash, toHex } from "@x/sha256-prefix";
import { createHashBatch } from "@x/sha256-prefix/batch";
import { compare, printMachine, printTimings } from "@x/test-support/benchmark";
import { createSHA256 } from "hash-wasm";
import { readSlices } from "./corpus.js";

const MESSAGES_A_RUN = 512;
const ROUNDS = 25;

const [file] = process.argv.slice(2);
const corpus = readSlices(file === undefined ? undefined : readFileSync(file, "utf8"));

/** The runs of the corpus, each with bytes, slices of them, and the contents of the slices. */
const runs = [];
for (let from = 0; from < corpus.starts.length; from += MESSAGES_A_RUN) {
  const starts = corpus.starts.slice(from, from + MESSAGES_A_RUN);
  const ends = corpus.ends.slice(from, from + MESSAGES_A_RUN);
  const [first, last] = [Math.min(...starts), Math.max(...ends)];
  const messages = starts.map((start, i) => corpus.bytes.subarray(start, ends[i]));
  runs.push({
    bytes: corpus.bytes.subarray(first, last),
    starts: Uint32Array.from(starts, (start) => start - first),
    ends: Uint32Array.from(ends, (end) => end - first),
    messages,
    texts: messages.map((message) => message.toString("utf8")),
  });
}

/**
 * A candidate that hashes one message after another. `first` returns the sum of the first byte of each hash, so
 * that every hash is computed and used.
 */
function oneByOne(inputs, hash) {
  return {
    hex: (run) => run[inputs].map((input) => toHex(hash(input))),
    first: (run) => {
      let sum = 0;
      for (const input of run[inputs]) sum += hash(input)[0];
      return sum;
    },
  };
}

function batched(engine) {
  const bytes = Math.max(...runs.map((run) => run.bytes.length));
  const batch = createHashBatch({ bytes, slices: MESSAGES_A_RUN, engine });
  const hash = (run) => {
    batch.bytes.set(run.bytes);
    batch.starts.set(run.starts);
    batch.ends.set(run.ends);
    batch.run(run.starts.length);
  };
  return {
    hex: (run) => {
      hash(run);
      return run.messages.map((_, i) => toHex(batch.hashes.subarray(32 * i, 32 * i + 32)));
    },
    first: (run) => {
      hash(run);
      const { prefixes } = batch;
      let sum = 0;
      for (let i = 0; i < run.starts.length; i++) sum += prefixes[i] >>> 24;
      return sum;
    },
  };
}

const hasher = await createSHA256();
const candidates = {
  "createHashBatch, WebAssembly": batched("webassembly"),
  "createHashBatch, JavaScript": batched("javascript"),
  fullHash: oneByOne("texts", fullHash),
  ...(crypto.hash && {
    "crypto.hash": oneByOne("texts", (text) => crypto.hash("sha256", text, "buffer")),
  }),
  createHash: oneByOne("texts", (text) => crypto.createHash("sha256").update(text).digest()),
  "@noble/hashes": oneByOne("messages", sha256),
  "hash-wasm": oneByOne("messages", (bytes) => hasher.init().update(bytes).digest("binary")),
};

for (const run of runs) {
  const hashes = candidates.createHash.hex(run);
  const sum = candidates.createHash.first(run);
  for (const [name, { hex, first }] of Object.entries(candidates)) {
    const wrong = hex(run).findIndex((hash, i) => hash !== hashes[i]);
    if (wrong >= 0) throw new Error(`${name} disagrees with createHash: ${run.texts[wrong]}`);
    if (first(run) !== sum) throw new Error(`${name} disagrees with createHash`);
  }
}

const lengths = corpus.starts.map((start, i) => corpus.ends[i] - start).sort((a, b) => a - b);
const oneBlock = (100 * lengths.filter((length) => length < 56).length) / lengths.length;
printMachine();
console.log(
  `${lengths.length} messages of ${corpus.urls} URLs, median ${lengths[lengths.length >> 1]} bytes, ` +
    `${oneBlock.toFixed(1)}% of one block; fastest of ${ROUNDS} rounds; all candidates agree\n`,
);
// Each run takes well under a millisecond, so its fastest round leaves out most of the garbage collection
// that allocating candidates cause.
const timings = await compare({
  candidates: Object.fromEntries(
    Object.entries(candidates).map(([name, { first }]) => [name, first]),
  ),
  inputs: runs,
  items: lengths.length,
  rounds: ROUNDS,
});
printTimings("SHA-256", "message", timings);
