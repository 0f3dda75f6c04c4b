// Measures decoding and encoding a full update of Safe Browsing v5, against protobuf-es and a plain Rice coder: `pnpm
// --filter @x/wire bench`. Usage: bench.js [prefixes, such as 10000000]

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { prefixList } from "@x/prefix-list";
import { fromHex } from "@x/sha256-prefix";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { decodeMessage, encodeMessage, fullUpdate } from "@x/wire";
import { fromHashList, getHashList, toHashList } from "@x/wire/v5";
import { readSchemas } from "../test/oracle/schemas.js";

const { HashList, RiceDeltaEncoded32Bit } = readSchemas("v5");
const count = Number(process.argv[2] ?? 10_000_000);
const ROUNDS = 5;

/** Evenly spread 32-bit numbers, the same in every run (splitmix32), as prefixes. */
function randomPrefixes() {
  const view = new DataView(new ArrayBuffer(count * 4));
  let state = 1;
  for (let i = 0; i < count; i++) {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    view.setUint32(i * 4, (mixed ^ (mixed >>> 15)) >>> 0);
  }
  return new Uint8Array(view.buffer);
}

/** Decodes Rice codes bit by bit, as the specification describes. */
function plainDecode({ firstValue, riceParameter, entriesCount, encodedData }) {
  let at = 0;
  const readBit = () => {
    const bit = (encodedData[at >>> 3] >>> (at & 7)) & 1;
    at++;
    return bit;
  };
  const rawHashes = new Uint8Array((entriesCount + 1) * 4);
  const view = new DataView(rawHashes.buffer);
  let value = firstValue;
  view.setUint32(0, value);
  for (let i = 1; i <= entriesCount; i++) {
    let quotient = 0;
    while (readBit() === 1) quotient++;
    let rest = 0;
    for (let k = 0; k < riceParameter; k++) rest |= readBit() << k;
    value += quotient * 2 ** riceParameter + rest;
    view.setUint32(i * 4, value);
  }
  return rawHashes;
}

/** Encodes hash prefixes as Rice codes, bit by bit. */
function plainEncode(rawHashes, riceParameter) {
  const view = new DataView(rawHashes.buffer, rawHashes.byteOffset, rawHashes.byteLength);
  const entriesCount = rawHashes.length / 4 - 1;
  const data = new Uint8Array(rawHashes.length);
  let at = 0;
  const writeBit = (bit) => {
    data[at >>> 3] |= bit << (at & 7);
    at++;
  };
  for (let i = 1; i <= entriesCount; i++) {
    const delta = view.getUint32(i * 4) - view.getUint32(i * 4 - 4);
    for (let ones = delta >>> riceParameter; ones > 0; ones--) writeBit(1);
    writeBit(0);
    for (let k = 0; k < riceParameter; k++) writeBit((delta >>> k) & 1);
  }
  const encodedData = data.subarray(0, Math.ceil(at / 8));
  return { firstValue: view.getUint32(0), riceParameter, entriesCount, encodedData };
}

const list = prefixList([{ prefixBytes: 4, rawHashes: randomPrefixes() }], { created: 0 });
const update = fullUpdate(list);
const [{ rawHashes }] = update.additions;
const facts = { name: "mw-4b", version: Uint8Array.of(1), minimumWaitDuration: 1_800_000 };
const bytes = encodeMessage(getHashList.response, toHashList(update, facts));
const { riceParameter } = toHashList(update, facts).additionsFourBytes;

/** A digest, so that two results can be compared without comparing every byte. */
function digest(result) {
  let sum = result.length;
  for (let i = 0; i < result.length; i += 101) sum = (Math.imul(sum, 31) + result[i]) | 0;
  return sum;
}

/** Makes a candidate that times itself, so that the digest of its result is not timed. */
const candidate = (run) => () => {
  const start = process.hrtime.bigint();
  const result = run();
  return { nanoseconds: Number(process.hrtime.bigint() - start), result: digest(result) };
};

const tables = [
  [
    "decode: message to hash prefixes",
    {
      "@x/wire": () =>
        fromHashList(decodeMessage(getHashList.response, bytes)).additions[0].rawHashes,
      "protobuf-es, plain Rice": () => {
        const { compressedAdditions } = fromBinary(HashList, bytes);
        return plainDecode(compressedAdditions.value);
      },
    },
  ],
  [
    "encode: hash prefixes to message",
    {
      "@x/wire": () => encodeMessage(getHashList.response, toHashList(update, facts)),
      "protobuf-es, plain Rice": () => {
        const value = create(RiceDeltaEncoded32Bit, plainEncode(rawHashes, riceParameter));
        const message = create(HashList, {
          name: facts.name,
          version: facts.version,
          minimumWaitDuration: { seconds: BigInt(facts.minimumWaitDuration / 1000) },
          sha256Checksum: fromHex(list.checksum),
          compressedAdditions: { case: "additionsFourBytes", value },
        });
        return toBinary(HashList, message);
      },
    },
  ],
];

printMachine();
console.log(`${count} hash prefixes of 4 bytes, a message of ${bytes.length} bytes\n`);
const whole = { own: 0, plain: 0 };
for (const [what, candidates] of tables) {
  const timings = await compare({
    candidates: Object.fromEntries(
      Object.entries(candidates).map(([name, run]) => [name, candidate(run)]),
    ),
    inputs: [null],
    items: count,
    rounds: ROUNDS,
    warmUp: 1,
  });
  const slowest = timings.at(-1).nanoseconds;
  whole.own += timings[0].nanoseconds;
  whole.plain += slowest;
  printTable(
    [what, "ns per prefix", "million per second", "faster"],
    timings.map(({ name, nanoseconds }) => [
      name,
      nanoseconds.toFixed(2),
      (1000 / nanoseconds).toFixed(1),
      `${(slowest / nanoseconds).toFixed(1)}×`,
    ]),
  );
}
console.log(`Both ways together: ${(whole.plain / whole.own).toFixed(1)}× as fast`);
