/* Tests mutated messages. Set their number with HOSTILE_MESSAGES=1000000 npx vitest run test/hostile.test.ts */

import { prefixList } from "@x/prefix-list";
import { sampleSize } from "@x/test-support/sample-size";
import {
  applyUpdate,
  decodeJson,
  decodeMessage,
  type ListUpdate,
  type ResponseOf,
  readRequest,
} from "@x/wire";
import { type fetchThreatListUpdates, fromListUpdateResponse } from "@x/wire/v4";
import { type batchGetHashLists, fromHashList, getHashList, type HashList } from "@x/wire/v5";
import { type ComputeThreatListDiffResponse, fromThreatListDiff } from "@x/wire/web-risk";
import { expect, test } from "vitest";
import { METHODS } from "./protobuf-es.ts";
import { fromHex, readVectors } from "./vectors.ts";

const COUNT = Number(process.env["HOSTILE_MESSAGES"] ?? sampleSize(30_000, 3000));
/** A v4 code takes at least 3 bits and becomes 4 bytes. Values besides the codes may take a few more bytes. */
const MOST_GROWTH = 11;
const FREE_BYTES = 256;

/** Whole numbers from 0 to `limit` - 1, the same in every run (splitmix32). */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % limit;
  };
}

type Random = ReturnType<typeof randomNumbers>;

/** Bytes that often break decoders, in hexadecimal. */
const SPLICES = [
  "00",
  "ff",
  "ffffffff0f",
  "ffffffffffffffffff01",
  "80808080808080808001",
  "0b",
  "0c",
  "7f",
];

function mutate(bytes: Uint8Array, others: readonly Uint8Array[], random: Random): Uint8Array {
  let result = Array.from(bytes);
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(result.length + 1);
    const length = random(8);
    const other = others[random(others.length)]!;
    switch (random(7)) {
      case 0:
        if (at < result.length) result[at]! ^= 1 << random(8);
        break;
      case 1:
        result.splice(at, length);
        break;
      case 2:
        result.splice(at, 0, ...fromHex(SPLICES[random(SPLICES.length)]!));
        break;
      case 3:
        result.splice(at, length, ...fromHex(SPLICES[random(SPLICES.length)]!));
        break;
      case 4:
        result.splice(at, 0, ...result.slice(at, at + 4 * length));
        break;
      case 5:
        result = [...result.slice(0, at), ...other.subarray(random(other.length + 1))];
        break;
      default:
        result.length = at;
    }
  }
  return Uint8Array.from(result.slice(0, 4000));
}

interface Seed {
  readonly input: { method: string; side: "request" | "response"; hex?: string; text?: string };
}

const messages = readVectors<Seed["input"], unknown>("messages");
const lists = readVectors<{ api: string; hex: string }, unknown>("lists");
const requests = readVectors<{ method: string; target: string; body: Uint8Array }, unknown>(
  "requests",
);
const old = prefixList(
  Array.from({ length: 40 }, (_, i) => Uint8Array.of(i, 0, 0, i)),
  { name: "old", created: 0 },
);

/** The updates in a record of any message. */
function updatesOf(name: string, side: string, record: unknown): (() => ListUpdate)[] {
  if (side === "request") return [];
  switch (name) {
    case "v5.hashList.get":
      return [() => fromHashList(record as HashList)];
    case "v5.hashLists.batchGet":
      return (record as ResponseOf<typeof batchGetHashLists>).hashLists.map(
        (list) => () => fromHashList(list),
      );
    case "v4.threatListUpdates.fetch": {
      const { listUpdateResponses } = record as ResponseOf<typeof fetchThreatListUpdates>;
      return listUpdateResponses.map((list) => () => fromListUpdateResponse(list));
    }
    case "webRisk.threatLists.computeDiff":
      return [() => fromThreatListDiff(record as ComputeThreatListDiffResponse)];
    default:
      return [];
  }
}

const seen = { read: 0, refused: 0, updates: 0, applied: 0 };

/** Returns the result, or `null` for the package's own error. Any other error fails the test. */
function tried<T>(run: () => T, what: () => string): T | null {
  try {
    return run();
  } catch (error) {
    if ((error as Error).name !== "WireError") throw new Error(what(), { cause: error });
    return null;
  }
}

function decodeAll(name: string, side: "request" | "response", record: unknown, bytes: Uint8Array) {
  const what = () => `${name} ${side} ${Buffer.from(bytes).toString("hex")}`;
  let produced = 0;
  for (const read of updatesOf(name, side, record)) {
    const update = tried(read, what);
    if (update === null) continue;
    seen.updates++;
    produced += update.removals.byteLength;
    for (const { rawHashes } of update.additions) produced += rawHashes.length;
    if (tried(() => applyUpdate(old, { ...update, full: false }), what) !== null) seen.applied++;
  }
  expect(produced, what()).toBeLessThanOrEqual(bytes.length * MOST_GROWTH + FREE_BYTES);
}

test(`${COUNT} mutated messages give a result or the package's error, and little memory`, () => {
  const random = randomNumbers(COUNT);
  const seeds = messages.map(({ input }) => ({
    ...input,
    bytes: input.hex === undefined ? Buffer.from(input.text!) : fromHex(input.hex),
  }));
  const others = seeds.map(({ bytes }) => new Uint8Array(bytes));
  for (const { input } of lists) others.push(fromHex(input.hex));
  for (const { input } of lists) {
    if (input.api === "v4") continue;
    const method = input.api === "v5" ? "v5.hashList.get" : "webRisk.threatLists.computeDiff";
    seeds.push({ method, side: "response", form: "protobuf", bytes: fromHex(input.hex) } as never);
  }
  for (let i = 0; i < COUNT; i++) {
    const { method: name, side, text, bytes: seed } = seeds[random(seeds.length)]!;
    const type = METHODS.find((each) => each.name === name)![side];
    const bytes = mutate(seed, others, random);
    const what = () => `${name} ${side} ${Buffer.from(bytes).toString("hex")}`;
    const record =
      text === undefined
        ? tried(() => decodeMessage(type, bytes), what)
        : tried(() => decodeJson(type, Buffer.from(bytes).toString("latin1")), what);
    if (record === null) seen.refused++;
    else seen.read++;
    if (record !== null) decodeAll(name, side, record, bytes);
  }
  expect(seen.read).toBeGreaterThan(COUNT / 20);
  expect(seen.refused).toBeGreaterThan(COUNT / 20);
  expect(seen.updates).toBeGreaterThan(COUNT / 200);
  expect(seen.applied).toBeGreaterThan(COUNT / 2000);
});

test("mutated requests give a message or the package's error", () => {
  const random = randomNumbers(7);
  const targets = requests.map(({ input }) => Buffer.from(input.target));
  let read = 0;
  for (let i = 0; i < COUNT / 3; i++) {
    const { input } = requests[random(requests.length)]!;
    const target = Buffer.from(mutate(Buffer.from(input.target), targets, random)).toString(
      "latin1",
    );
    const headers = new Map([["content-type", random(2) === 0 ? "application/x-protobuf" : ""]]);
    const body = mutate(input.body, [input.body], random);
    const request = { method: input.method, target, headers, body };
    if (
      tried(
        () => readRequest(request, METHODS),
        () => target,
      ) !== null
    )
      read++;
  }
  expect(read).toBeGreaterThan(COUNT / 50);
});

test("a message of 30 bytes cannot ask for a gigabyte", () => {
  const huge = [
    "2080808080048080",
    "0a80808080048080",
    "22ffffffff0f",
    "4a0dffffffff0f10ffffff7f18ffffff7f",
  ];
  for (const hex of huge) {
    for (const { request, response } of METHODS) {
      for (const type of [request, response]) {
        tried(
          () => decodeMessage(type, fromHex(hex)),
          () => hex,
        );
      }
    }
  }
  // 2³¹ − 1 entries coded in one byte.
  const hex = `220b100318ffffffff072201003a20${"00".repeat(32)}`;
  const list = decodeMessage(getHashList.response, fromHex(hex));
  expect(list.additionsFourBytes?.entriesCount).toBe(2 ** 31 - 1);
  expect(() => fromHashList(list)).toThrow(expect.objectContaining({ name: "WireError" }));
});
