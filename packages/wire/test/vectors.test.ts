import {
  decodeJson,
  decodeMessage,
  encodeJson,
  encodeMessage,
  type HttpRequest,
  readRequest,
} from "@x/wire";
import { fetchThreatListUpdates, fromListUpdateResponse } from "@x/wire/v4";
import { fromHashList, getHashList } from "@x/wire/v5";
import { computeThreatListDiff, fromThreatListDiff } from "@x/wire/web-risk";
import { describe, expect, test } from "vitest";
import { type CodedBytes, codesOf, hashListOf, valuesOf } from "./hash-lists.ts";
import { fromBytes, toBytes } from "./plain-rice.ts";
import { METHODS } from "./protobuf-es.ts";
import { codeOf, fromHex, readVectors } from "./vectors.ts";

interface MessageInput {
  readonly method: string;
  readonly side: "request" | "response";
  readonly form: "protobuf" | "json";
  readonly hex?: string;
  readonly text?: string;
}

describe("messages", () => {
  const cases = readVectors<MessageInput, unknown>("messages");
  test.each(cases)("$section: $input.form", ({ input, expected, error, readOnly }) => {
    const { method, side, form } = input;
    const type = METHODS.find(({ name }) => name === method)![side];
    const decode = () =>
      form === "protobuf"
        ? decodeMessage(type, fromHex(input.hex!))
        : decodeJson(type, input.text!);
    if (error !== undefined) {
      expect(codeOf(decode)).toBe(error);
      return;
    }
    expect(decode()).toEqual(expected);
    if (readOnly) return;
    if (form === "protobuf") {
      expect(Buffer.from(encodeMessage(type, expected as object)).toString("hex")).toBe(input.hex);
    } else {
      expect(JSON.parse(encodeJson(type, expected as object))).toEqual(JSON.parse(input.text!));
    }
  });
});

interface RiceInput {
  readonly what: string;
  readonly prefixBytes: CodedBytes;
  readonly first: Uint8Array;
  readonly riceParameter: number;
  readonly entriesCount: number;
  readonly encodedData: Uint8Array;
}

describe("Rice codes", () => {
  const cases = readVectors<RiceInput, readonly string[]>("rice");
  test.each(cases)("$section: $input.what", ({ input, expected, error, readOnly }) => {
    const { prefixBytes, riceParameter: parameter, entriesCount: count, encodedData: data } = input;
    const coded = { first: fromBytes(input.first), parameter, count, data };
    if (error !== undefined) {
      expect(codeOf(() => fromHashList(hashListOf(prefixBytes, coded)))).toBe(error);
      return;
    }
    const values = expected!.map((hex) => fromBytes(fromHex(hex)));
    expect(valuesOf(prefixBytes, coded)).toEqual(values);
    if (!readOnly) expect(codesOf(prefixBytes, values)).toEqual(coded);
    expect(toBytes(values[0]!, prefixBytes)).toEqual(input.first);
  });
});

interface ListInput {
  readonly what: string;
  readonly api: "v5" | "v4" | "webRisk";
  readonly hex: string;
  readonly maxEntries?: number;
}

function readUpdate({ api, hex, maxEntries }: ListInput) {
  const bytes = fromHex(hex);
  const limit = { maxEntries };
  switch (api) {
    case "v5":
      return fromHashList(decodeMessage(getHashList.response, bytes), limit);
    case "webRisk":
      return fromThreatListDiff(decodeMessage(computeThreatListDiff.response, bytes), limit);
    default: {
      // Each vector contains one update of an answer.
      const header = Buffer.concat([Buffer.from([0x0a]), varint(bytes.length), bytes]);
      const { listUpdateResponses } = decodeMessage(fetchThreatListUpdates.response, header);
      return fromListUpdateResponse(listUpdateResponses[0]!, limit);
    }
  }
}

function varint(value: number): Uint8Array {
  return value < 128 ? Uint8Array.of(value) : Uint8Array.of((value & 127) | 128, value >> 7);
}

describe("updates of lists", () => {
  const cases = readVectors<ListInput, { readonly removals: readonly number[] }>("lists");
  test.each(cases)("$input.api: $input.what", ({ input, expected, error }) => {
    if (error !== undefined) {
      expect(codeOf(() => readUpdate(input))).toBe(error);
      return;
    }
    const { removals, ...rest } = readUpdate(input);
    expect({ ...rest, removals: [...removals] }).toEqual(expected);
  });
});

interface RequestInput extends Omit<HttpRequest, "headers"> {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe("requests", () => {
  const cases = readVectors<RequestInput, object>("requests");
  test.each(cases)("$input.what: $input.target", ({ input, expected, error }) => {
    const request = { ...input, headers: new Map(Object.entries(input.headers)) };
    if (error !== undefined) {
      expect(codeOf(() => readRequest(request, METHODS))).toBe(error);
      return;
    }
    const { name, message, answer, key } = readRequest(request, METHODS);
    expect({ name, message, answer, key }).toEqual(expected);
  });
});
