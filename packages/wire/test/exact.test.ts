import { equals, fromBinary } from "@bufbuild/protobuf";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { sampleSize } from "@x/test-support/sample-size";
import { decodeJson, decodeMessage, encodeMessage } from "@x/wire";
import { getHashList, searchHashes } from "@x/wire/v5";
import { searchUris } from "@x/wire/web-risk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAIRS, theirMessage } from "./protobuf-es.ts";
import { recordOf } from "./records.ts";
import { codeOf } from "./vectors.ts";

const { response: hashList } = getHashList;

describe("integers of 64 bits in JSON", () => {
  const first = (number: string) => {
    const json = `{"name":"x \\"1234567890123456789\\\\","additionsEightBytes": {"firstValue":${number} , "entriesCount":1}}`;
    const { name, additionsEightBytes } = decodeJson(hashList, json);
    expect(name).toBe('x "1234567890123456789\\');
    return additionsEightBytes!.firstValue;
  };

  test("are exact, quoted or not", () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(number, (each) => {
        expect(first(`${each}`)).toBe(each);
        expect(first(`"${each}"`)).toBe(each);
      }),
      {
        seed: 3,
        numRuns: sampleSize(300),
        examples: [[2n ** 53n - 1n], [2n ** 53n], [2n ** 53n + 1n]],
      },
    );
  });

  test("a negative zero is 0", () => {
    const { additionsFourBytes } = decodeJson(
      hashList,
      '{"additionsFourBytes":{"riceParameter":-0}}',
    );
    expect(additionsFourBytes?.riceParameter).toBe(0);
  });

  test.each(["9007199254740992.0", "1e19", "9.007199254740993e15", "18446744073709551616", "-1"])(
    "%s is refused",
    (number) => expect(codeOf(() => first(number))).toBe("value-invalid"),
  );

  test.each([
    ["1e3", 1000n],
    ["4096.0", 4096n],
    ["9007199254740991", 2n ** 53n - 1n],
    ["9007199254740991.0", 2n ** 53n - 1n],
  ])("%s is read", (number, expected) => expect(first(number)).toBe(expected));

  test("unknown fields may have any numbers", () => {
    expect(decodeJson(hashList, '{"later": 12345678901234567890, "name": "a"}').name).toBe("a");
  });

  test("in linear time", { tags: "deep" }, () => {
    const parts = (count: number) =>
      "-1234567890123456789.5e+7, 12345678901234567890, ".repeat(count);
    expectLinearGrowth(
      (json: string) => codeOf(() => decodeJson(hashList, json)),
      (length) => `{"a": [${parts(length)}0], "additionsEightBytes": {"firstValue": 1e19}}`,
    );
  });
});

describe("dates", () => {
  const expires = (time: string) =>
    decodeJson(searchUris.response, `{"threat": {"expireTime": "${time}"}}`).threat!.expireTime;

  test.each([
    "2023-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-02-31T10:00:00Z",
    "2026-04-31T10:00:00.5Z",
    "2026-11-31T10:00:00+01:00",
    "2026-11-22T24:00:00Z",
    "2026-11-22T23:59:60Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
  ])("%s does not exist", (time) => {
    expect(codeOf(() => expires(time))).toBe("timestamp-invalid");
  });

  test.each(["2024-02-29T23:59:59Z", "2000-02-29T00:00:00+14:00", "2026-12-31T23:59:59-12:00"])(
    "%s exists",
    (time) => expect(expires(time)).toBe(Date.parse(time)),
  );
});

describe("a field that occurs twice", () => {
  test("durations are merged", () => {
    const whole = encodeMessage(searchHashes.response, { cacheDuration: 300_000 });
    const fraction = encodeMessage(searchHashes.response, { cacheDuration: 250 });
    for (const parts of [
      [whole, fraction],
      [fraction, whole],
      [whole, fraction, new Uint8Array(0)],
    ]) {
      const bytes = Buffer.concat(parts);
      expect(decodeMessage(searchHashes.response, bytes).cacheDuration).toBe(300_250);
    }
  });

  test.each(PAIRS)("$name is merged as protobuf-es does it", ({ type, schema }) => {
    let read = 0;
    fc.assert(
      fc.property(recordOf(type), recordOf(type), (first, second) => {
        const bytes = Buffer.concat([encodeMessage(type, first), encodeMessage(type, second)]);
        let record: unknown;
        try {
          record = decodeMessage(type, bytes);
        } catch (error) {
          // Two valid messages may break a rule of the protocol once they are merged.
          expect((error as Error).name).toBe("WireError");
          return;
        }
        read++;
        const theirs = fromBinary(schema, bytes);
        expect(equals(schema, theirMessage(type, schema, record as never), theirs)).toBe(true);
      }),
      { seed: 20, numRuns: sampleSize(200) },
    );
    expect(read).toBeGreaterThan(0);
  });
});
