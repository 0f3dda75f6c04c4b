/**
 * Times reading plain lines, and the same lines with a capital letter in the scheme or host, which have to be parsed.
 * Both must give the same entries, warnings and counts. Run it with `pnpm --filter @x/list-source bench [LINES]`.
 */
import process from "node:process";
import { listSourceReader } from "@x/list-source";
import { isPublicSuffix } from "@x/list-source/public-suffixes";
import { toHex } from "@x/sha256-prefix";
import { createHashBatch } from "@x/sha256-prefix/batch";
import { printMachine, printTable } from "@x/test-support/benchmark";

const LINES = Number(process.argv[2] ?? 200_000);
const ROUNDS = 7;
const CHUNK_BYTES = 2 ** 16;
const SUFFIXES = ["com", "net", "org", "ru", "top", "co.uk", "info", "de", "github.io", "typo"];

/** A fixed seed, so that every run reads the same lines. */
let state = 1;
function below(limit) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % limit;
}
const word = (length) =>
  Array.from({ length }, () => String.fromCharCode(0x61 + below(26))).join("");
const host = () =>
  `${["", "www.", `${word(4)}.`][below(3)]}${word(6 + below(10))}.${SUFFIXES[below(SUFFIXES.length)]}`;
const path = () =>
  ["", `${word(5)}/`, `${word(4)}/${word(8)}.html`, `${word(6)}.php?id=${below(1e5)}`][below(4)];
const upper = (text) => text[0].toUpperCase() + text.slice(1);

const LAYOUTS = {
  urls: { make: () => `http${["", "s"][below(2)]}://${host()}/${path()}`, write: (url) => url },
  domains: { make: host, write: (name) => name },
  hosts: { make: host, write: (name) => `0.0.0.0 ${name}` },
  adblock: { make: host, write: (name) => `||${name}^` },
};

const bytesOf = (lines) => new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));

const hashBatch = createHashBatch({ bytes: 2 ** 13, slices: 2 ** 7 });

function read(format, bytes, events) {
  const { onEntry = () => {}, onWarning } = events;
  const reader = listSourceReader({ format, isPublicSuffix, hashBatch, onEntry, onWarning });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    reader.push(bytes.subarray(at, at + CHUNK_BYTES));
  }
  return reader.end();
}

function eventsOf(format, bytes) {
  const found = [];
  const { entries, refused, warnings } = read(format, bytes, {
    onEntry: ({ line, expression, hash }) => found.push(`${line} ${expression} ${toHex(hash)}`),
    onWarning: ({ line, code, expression }) => found.push(`${line} ${code} ${expression}`),
  });
  return [...found, entries, refused, warnings].join("\n");
}

/** The processor time that a call takes on all threads, in nanoseconds. */
function processorTime(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

const rows = [];
for (const [format, { make, write }] of Object.entries(LAYOUTS)) {
  const entries = Array.from({ length: LINES }, make);
  const plain = bytesOf(entries.map(write));
  const parsed = bytesOf(entries.map((entry) => write(upper(entry))));
  if (eventsOf(format, plain) !== eventsOf(format, parsed)) {
    throw new Error(`${format}: plain lines do not give the same entries and warnings`);
  }
  const fastest = { plain: Number.POSITIVE_INFINITY, parsed: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, bytes] of Object.entries({ plain, parsed })) {
      const time = processorTime(() => read(format, bytes, {}));
      fastest[name] = Math.min(fastest[name], time / LINES);
    }
  }
  const inMicroseconds = (time) => `${(time / 1000).toFixed(2)} µs`;
  const ratio = (fastest.parsed / fastest.plain).toFixed(1);
  rows.push([format, inMicroseconds(fastest.plain), inMicroseconds(fastest.parsed), ratio]);
}

printMachine();
printTable(["a line of", "plain", "parsed", "ratio"], rows);
