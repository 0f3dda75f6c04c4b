import { equals, fromBinary, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import { sampleSize } from "@x/test-support/sample-size";
import { decodeJson, decodeMessage, encodeJson, encodeMessage } from "@x/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAIRS, theirMessage } from "./protobuf-es.ts";
import { recordOf } from "./records.ts";

const RUNS = { seed: 14, numRuns: sampleSize(300) };

describe.each(PAIRS)("$name", ({ type, schema }) => {
  test("protobuf: writes the same bytes as protobuf-es, and reads the same records", () => {
    fc.assert(
      fc.property(recordOf(type), (record) => {
        const theirs = theirMessage(type, schema, record);
        const bytes = toBinary(schema, theirs);
        expect(encodeMessage(type, record)).toEqual(bytes);
        expect(decodeMessage(type, bytes)).toEqual(record);
        expect(equals(schema, fromBinary(schema, encodeMessage(type, record)), theirs)).toBe(true);
      }),
      RUNS,
    );
  });

  test("JSON: protobuf-es reads ours, and the reverse, with names and with numbers", () => {
    fc.assert(
      fc.property(recordOf(type), (record) => {
        const theirs = theirMessage(type, schema, record);
        for (const enums of ["names", "numbers"] as const) {
          const json = encodeJson(type, record, { enums });
          expect(decodeJson(type, json)).toEqual(record);
          expect(JSON.parse(json)).toEqual(canonical(json, schema, enums));
          const other = toJsonString(schema, theirs, { enumAsInteger: enums === "numbers" });
          expect(decodeJson(type, other)).toEqual(record);
        }
      }),
      RUNS,
    );
  });

  test("JSON: names as in the .proto file are read", () => {
    fc.assert(
      fc.property(recordOf(type), (record) => {
        const theirs = theirMessage(type, schema, record);
        const json = toJsonString(schema, theirs, { useProtoFieldName: true });
        expect(decodeJson(type, json)).toEqual(record);
      }),
      RUNS,
    );
  });
});

/** Reads a message from JSON and writes it again with protobuf-es. */
function canonical(json: string, schema: (typeof PAIRS)[number]["schema"], enums: string): unknown {
  const message = fromJsonString(schema, json);
  return JSON.parse(toJsonString(schema, message, { enumAsInteger: enums === "numbers" }));
}
