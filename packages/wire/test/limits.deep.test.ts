import { expectLinearGrowth, stopwatch } from "@x/test-support/linear-time";
import {
  decodeJson,
  decodeMessage,
  encodeJson,
  encodeMessage,
  hasMoreJsonValues,
  readRequest,
} from "@x/wire";
import { fetchThreatListUpdates, findThreatMatches, listUpdatesInOrder } from "@x/wire/v4";
import {
  batchGetHashLists,
  getHashList,
  listHashLists,
  searchHashes,
  toHashList,
  V5_METHODS,
} from "@x/wire/v5";
import { searchHashes as webRiskHashes } from "@x/wire/web-risk";
import { describe, expect, test } from "vitest";
import { codeOf } from "./vectors.ts";

const repeat = (bytes: readonly number[], count: number) =>
  Uint8Array.from({ length: bytes.length * count }, (_, i) => bytes[i % bytes.length]!);

/** A length as a varint. */
function lengthOf(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...lengthOf(value >>> 7)];
}

describe("limits", () => {
  test("a message that is longer than allowed", () => {
    const bytes = encodeMessage(listHashLists.request, { pageToken: "abc" });
    expect(decodeMessage(listHashLists.request, bytes, { maxBytes: 5 }).pageToken).toBe("abc");
    const tooShort = { maxBytes: 4 };
    expect(codeOf(() => decodeMessage(listHashLists.request, bytes, tooShort))).toBe(
      "message-too-large",
    );
    expect(codeOf(() => decodeJson(listHashLists.request, "     {}", tooShort))).toBe(
      "message-too-large",
    );
    const wrong = { maxBytes: "9" as never };
    expect(() => decodeMessage(listHashLists.request, bytes, wrong)).toThrow(TypeError);
    for (const maxBytes of [Number.NaN, -1]) {
      expect(() => decodeMessage(listHashLists.request, bytes, { maxBytes })).toThrow(RangeError);
    }
  });

  test("more elements than in any real message: 200 kB would become a hundred thousand objects", () => {
    const lists = repeat([0x0a, 0], 100_001);
    expect(codeOf(() => decodeMessage(batchGetHashLists.response, lists))).toBe(
      "too-many-elements",
    );
    expect(decodeMessage(batchGetHashLists.response, lists.subarray(2)).hashLists).toHaveLength(
      100_000,
    );
    const json = `{"hashLists":[${"{},".repeat(100_000)}{}]}`;
    expect(codeOf(() => decodeJson(batchGetHashLists.response, json))).toBe("too-many-elements");
  });

  test("packed enumerations: a megabyte would become a million names", () => {
    // A `ThreatInfo` in which each threat type is 1.
    const types = (count: number) =>
      Uint8Array.of(
        ...[0x12, ...lengthOf(count + 1 + lengthOf(count).length)],
        ...[0x0a, ...lengthOf(count)],
        ...repeat([1], count),
      );
    const { request } = findThreatMatches;
    expect(decodeMessage(request, types(100_000)).threatInfo?.threatTypes).toHaveLength(100_000);
    const error = { code: "too-many-elements", field: "threatInfo.threatTypes" };
    const json = `{"threatInfo":{"threatTypes":[${"1,".repeat(100_000)}1]}}`;
    expect(() => decodeMessage(request, types(100_001))).toThrow(expect.objectContaining(error));
    expect(() => decodeJson(request, json)).toThrow(expect.objectContaining(error));
  });

  test("fields and elements of a request, known or not, are counted before they cost anything", () => {
    const { request } = findThreatMatches;
    const limits = { maxValues: 1000 };
    const protobuf = (bytes: Uint8Array) => codeOf(() => decodeMessage(request, bytes, limits));
    // Unknown fields, and one known field that is repeated.
    for (const bytes of [
      [0x78, 0],
      [0x0a, 0],
    ]) {
      expect(protobuf(repeat(bytes, 1000))).toBe(null);
      expect(protobuf(repeat(bytes, 1001))).toBe("too-many-values");
    }
    const group = (count: number) => Uint8Array.of(0x7b, ...repeat([0x78, 0], count), 0x7c);
    expect(protobuf(group(999))).toBe(null);
    expect(protobuf(group(1000))).toBe("too-many-values");
    const types = [0x12, 0xec, 0x07, 0x0a, 0xe9, 0x07, ...repeat([1], 1001)];
    expect(protobuf(Uint8Array.from(types))).toBe("too-many-values");
    const indices = [0x12, 0xec, 0x07, 0x0a, 0xe9, 0x07, ...repeat([1], 1001)];
    const update = Uint8Array.of(0x42, 0xec, 0x07, 0x0a, 0xe9, 0x07, ...indices.slice(6));
    expect(decodeMessage(getHashList.response, update)).toBeDefined();
    expect(codeOf(() => decodeMessage(getHashList.response, update, limits))).toBe(
      "too-many-values",
    );

    const json = (text: string) => codeOf(() => decodeJson(request, text, limits));
    for (const unknown of [
      "[".repeat(5000),
      `[${"{},".repeat(1000)}{}]`,
      `[${"0,".repeat(1000)}0]`,
    ]) {
      // The JSON is refused before it is parsed; otherwise, the error would be `json-malformed`.
      expect(json(`{"unknown": ${unknown}`)).toBe("too-many-values");
    }
    const keys = Array.from({ length: 1001 }, (_, i) => `"${i}":0`);
    expect(json(`{${keys.join()}}`)).toBe("too-many-values");
    expect(json(`{${keys.slice(0, 999).join()}}`)).toBe(null);
    // The contents of strings do not count, escaped or not.
    expect(json(`{"unknown": "${'[,{\\"'.repeat(2000)}"}`)).toBe(null);
  });

  test("a limit for values is a number from 0", () => {
    const read = (maxValues: number) => () =>
      decodeMessage(listHashLists.request, new Uint8Array(0), { maxValues });
    expect(read("9" as never)).toThrow(TypeError);
    for (const maxValues of [Number.NaN, -1]) expect(read(maxValues)).toThrow(RangeError);
    expect(read(0)()).toMatchObject({ pageSize: 0 });
  });

  test("no message has more values than the longest list", () => {
    const { response } = fetchThreatListUpdates;
    // One more index than a list may have entries, packed in one piece and in two.
    const count = 2 ** 25 + 1;
    const field = (tag: number, value: Uint8Array) =>
      Buffer.concat([Uint8Array.of(tag, ...lengthOf(value.length)), value]);
    for (const [lengths, limits] of [
      [[count], {}],
      [[count >> 1, (count >> 1) + 1], { maxBytes: Infinity, maxValues: Infinity }],
    ] as const) {
      const indices = lengths.map((length) => field(0x0a, new Uint8Array(length)));
      const bytes = field(0x0a, field(0x32, field(0x1a, Buffer.concat(indices))));
      expect(codeOf(() => decodeMessage(response, bytes, limits))).toBe("too-many-values");
    }
    const json = `{"unknown":[${"1,".repeat(2 ** 25)}1]}`;
    expect(codeOf(() => decodeJson(response, json, { maxBytes: Infinity }))).toBe(
      "too-many-values",
    );
  });

  test("JSON that would become half a million objects and strings is not parsed", () => {
    const { response } = fetchThreatListUpdates;
    const count = 2 ** 19 + 1;
    for (const json of [
      "[".repeat(count),
      `{"unknown":[${"{},".repeat(count)}`,
      `{"unknown":[${'"",'.repeat(count)}`,
      `{${'"":"",'.repeat(count / 2)}`,
    ]) {
      expect(codeOf(() => decodeJson(response, json))).toBe("too-many-values");
    }
  });

  test("ten million hash prefixes and a million indices in JSON are not too many", () => {
    const { response } = fetchThreatListUpdates;
    const hashes = Buffer.alloc(4 * 10_000_000).toString("base64");
    const json = (removals: string, additions: string) =>
      `{"listUpdateResponses":[{"additions":[{"rawHashes":{"rawHashes":"${additions}"}}],"removals":[{"rawIndices":{"indices":[${removals}]}}]}]}`;
    const read = (text: string) => decodeJson(response, text).listUpdateResponses[0]!;
    expect(read(json("1", hashes)).additions[0]!.rawHashes!.rawHashes).toHaveLength(40_000_000);
    const removals = `${"1,".repeat(999_999)}1`;
    expect(read(json(removals, "")).removals[0]!.rawIndices!.indices).toHaveLength(1_000_000);
  });

  test("whether JSON has more values than that", () => {
    for (const [json, count] of [
      ["0", 1],
      ['"[,{"', 1],
      ['{"a": [1, "2,\\",3", {"b": null}]}', 6],
      ['["\\\\", "]"]', 3],
    ] as const) {
      expect(hasMoreJsonValues(json, count), json).toBe(false);
      expect(hasMoreJsonValues(json, count - 1), json).toBe(true);
    }
    expectLinearGrowth(
      (text: string) => hasMoreJsonValues(text, Infinity),
      (length) => '"\\"'.repeat(length),
    );
  });

  test("the elements of all nested messages count together", () => {
    // Each entry set has one more element; 60 000 of both are too many.
    const set = [0x2a, 0];
    const update = [0x0a, 2 * 300, ...repeat(set, 300)];
    update.splice(1, 1, 0xd8, 0x04);
    const bytes = repeat(update, 400);
    expect(codeOf(() => decodeMessage(fetchThreatListUpdates.response, bytes))).toBe(
      "too-many-elements",
    );
  });
});

describe("time grows with the bytes", () => {
  const decode = (bytes: Uint8Array) => codeOf(() => decodeMessage(getHashList.response, bytes));

  test.each([
    ["unknown fields", [0xba, 0x3e, 0]],
    ["parts of one message", [0x42, 2, 0x22, 0]],
    ["a oneof that changes its mind", [0x22, 2, 0x08, 1, 0x4a, 2, 0x08, 1]],
    ["packed numbers in small pieces", [0x42, 4, 0x0a, 2, 1, 2]],
  ])("%s", (_, bytes) => {
    expectLinearGrowth(decode, (length) => repeat(bytes, length));
  });

  test("names with many underscores, deep arrays, long keys of a query", () => {
    const read = (json: string) => codeOf(() => decodeJson(searchHashes.response, json));
    expectLinearGrowth(read, (length) => `{"${"_a".repeat(length)}": 1}`);
    expectLinearGrowth(read, (length) => `{"a": ${"[".repeat(length)}${"]".repeat(length)}}`);
    expectLinearGrowth(read, (length) => `{"cacheDuration": "${"1".repeat(length)}s"}`);
  });

  test.each([
    ["JSON", (name: string) => decodeJson(listHashLists.request, `{"${name}": 1}`)],
    [
      "a query",
      (name: string) => readRequest({ method: "GET", target: `/v5/hashLists?${name}` }, V5_METHODS),
    ],
  ])("a long name of many words costs no more than one of one word, in %s", (_, read) => {
    const timeOf = (word: string) => {
      const name = word.repeat(2 ** 19);
      const times = Array.from({ length: 4 }, () => {
        const elapsed = stopwatch();
        codeOf(() => read(name));
        return elapsed();
      });
      return Math.min(...times);
    };
    expect(timeOf("_a") / Math.max(timeOf("aa"), 0.02)).toBeLessThan(50);
  });

  test("a name that mixes both spellings is unknown", () => {
    for (const name of ["page_Size", "_page_size", "pageSize_", "page__size"]) {
      expect(decodeJson(listHashLists.request, `{"${name}": 1}`).pageSize, name).toBe(0);
    }
  });
});

describe("arguments that are not messages", () => {
  test("types", () => {
    const type = listHashLists.request;
    expect(() => decodeMessage(type, "0814" as never)).toThrow("bytes must be a Uint8Array");
    expect(() => decodeJson(type, { pageSize: 20 } as never)).toThrow("text must be a string");
    const encode = (message: unknown) => () => encodeMessage(type, message as never);
    expect(encode(null)).toThrow(TypeError);
    expect(encode(7)).toThrow("message must be a record, not a number");
    expect(encode({ pageSize: "20" })).toThrow('pageSize must be a number, not "20"');
    expect(encode({ pageToken: 7 })).toThrow(TypeError);
    expect(encode({ pageSize: 2 ** 31 })).toThrow(RangeError);
    expect(encode({ pageSize: 0.5 })).toThrow(RangeError);
    expect(codeOf(encode({ pageToken: "\ud800" }))).toBe("text-malformed");
    expect(encodeMessage(type, {})).toHaveLength(0);
    expect(encodeMessage(type, { pageSize: undefined })).toHaveLength(0);
  });

  test("types of nested values", () => {
    const encode = (message: unknown) => () =>
      encodeMessage(getHashList.response, message as never);
    expect(encode({ name: null })).toThrow(TypeError);
    expect(encode({ partialUpdate: 1 })).toThrow(TypeError);
    expect(encode({ version: [1] })).toThrow(TypeError);
    expect(encode({ metadata: [] })).not.toThrow();
    expect(encode({ metadata: "x" })).toThrow("metadata must be a record");
    expect(encode({ metadata: { threatTypes: "MALWARE" } })).toThrow("must be an array");
    expect(encode({ metadata: { threatTypes: [1] } })).toThrow(TypeError);
    expect(codeOf(encode({ metadata: { threatTypes: ["LATER"] } }))).toBe("value-invalid");
    expect(codeOf(encode({ metadata: { threatTypes: ["constructor"] } }))).toBe("value-invalid");
    expect(encode({ additionsEightBytes: { firstValue: 7 } })).toThrow("must be a bigint");
    expect(encode({ additionsEightBytes: { firstValue: -1n } })).toThrow(RangeError);
    expect(encode({ additionsEightBytes: { firstValue: 2n ** 64n } })).toThrow(RangeError);
    expect(encode({ additionsFourBytes: { firstValue: -1 } })).toThrow(RangeError);
    expect(encode({ minimumWaitDuration: "300s" })).toThrow("must be a number of milliseconds");
    expect(codeOf(encode({ minimumWaitDuration: 0.5 }))).toBe("duration-invalid");
    expect(codeOf(encode({ minimumWaitDuration: -1 }))).toBe("duration-invalid");
    expect(codeOf(encode({ minimumWaitDuration: Number.NaN }))).toBe("duration-invalid");
    const both = { additionsFourBytes: {}, additionsEightBytes: {} };
    expect(codeOf(encode(both))).toBe("fields-conflict");
  });

  test("an error names its field", () => {
    const request = {
      threatInfo: { threatEntries: [{ url: "http://a/" }, { hash: new Uint8Array(3) }] },
    };
    expect(() => encodeMessage(findThreatMatches.request, request)).toThrow(
      expect.objectContaining({
        name: "WireError",
        code: "hash-length-wrong",
        field: "threatInfo.threatEntries.hash",
      }),
    );
    expect(() => encodeJson(batchGetHashLists.request, {})).toThrow(
      "names: expected the name of a list (Safe Browsing v5, hashLists.batchGet).",
    );
  });

  test("an error that several protocols have names the section of none of them", () => {
    const section = "@x/wire, Errors";
    const asked = { client: null, listUpdateRequests: [] };
    const list = { threatType: 1, platformType: 2, threatEntryType: 1 } as const;
    const found = { listUpdateResponses: [{ ...list }], minimumWaitDuration: null };
    expect(() => listUpdatesInOrder(asked, found as never)).toThrow(
      expect.objectContaining({ code: "lists-mismatched", section }),
    );
    expect(() => encodeMessage(webRiskHashes.request, { hashPrefix: new Uint8Array(3) })).toThrow(
      "hashPrefix: expected a hash prefix or full hash of an allowed length (@x/wire, Errors).",
    );
    const removal = { full: true, removals: Uint32Array.of(0), additions: [], checksum: null };
    const facts = { name: "mw-4b", version: new Uint8Array(0), minimumWaitDuration: 0 };
    expect(() => toHashList(removal, facts)).toThrow(
      expect.objectContaining({ code: "full-update-removes", section }),
    );
  });
});

describe("values without a name", () => {
  const list = { threatType: 99, platformType: 2 ** 31 - 1, threatEntryType: -1 };
  const asked = { listUpdateRequests: [list] };

  test("values that an answer repeats stay numbers", () => {
    const bytes = encodeMessage(fetchThreatListUpdates.request, asked);
    const json = encodeJson(fetchThreatListUpdates.request, asked);
    for (const message of [
      decodeMessage(fetchThreatListUpdates.request, bytes),
      decodeJson(fetchThreatListUpdates.request, json),
    ]) {
      expect(message.listUpdateRequests[0]).toMatchObject(list);
    }
    const wrong = { listUpdateRequests: [{ threatType: 0.5 }] };
    expect(() => encodeMessage(fetchThreatListUpdates.request, wrong)).toThrow(RangeError);
  });

  test("a number that has a name is read as the name", () => {
    const bytes = encodeMessage(fetchThreatListUpdates.request, {
      listUpdateRequests: [{ threatType: 1 }],
    });
    const [first] = decodeMessage(fetchThreatListUpdates.request, bytes).listUpdateRequests;
    expect(first!.threatType).toBe("MALWARE");
  });
});

test("a detail of a full hash that clients would skip is not written", () => {
  const fullHash = new Uint8Array(32);
  const answer = {
    fullHashes: [{ fullHash, fullHashDetails: [{ attributes: ["CANARY"] }] }],
  } as const;
  expect(codeOf(() => encodeMessage(searchHashes.response, answer))).toBe("value-invalid");
});

test("bytes in a record are plain Uint8Arrays that share the memory of the message", () => {
  const bytes = Buffer.from(
    encodeMessage(searchHashes.request, { hashPrefixes: [new Uint8Array(4)] }),
  );
  const [prefix] = decodeMessage(searchHashes.request, bytes).hashPrefixes;
  expect(Object.getPrototypeOf(prefix)).toBe(Uint8Array.prototype);
  bytes[2] = 9;
  expect(prefix![0]).toBe(9);
});
