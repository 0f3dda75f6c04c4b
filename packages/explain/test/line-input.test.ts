import { inputRecord, inputText, refusalOf, tooLongLine } from "@x/explain";
import { MAX_LINE_BYTES } from "@x/lookup/lines";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

test("text and UTF-8 are the text; other bytes are refused", () => {
  expect(inputText("\ud800")).toBe("\ud800");
  expect(inputText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
  expect(inputText(Uint8Array.of(0x61, 0xff))).toEqual({
    error: {
      code: "not-utf8",
      message: '"a\\xff" is not UTF-8',
      expected: "UTF-8",
      index: null,
      section: null,
    },
  });
});

test("a line of the greatest length is read, a longer one is refused", () => {
  const longest = new Uint8Array(MAX_LINE_BYTES).fill(0x61);
  expect(tooLongLine(longest)).toBeNull();
  expect(inputText(longest)).toHaveLength(MAX_LINE_BYTES);
  const longer = new Uint8Array(MAX_LINE_BYTES + 1).fill(0x61);
  expect(inputText(longer)).toEqual(tooLongLine(longer));
  expect(inputRecord(longer, "uri")).toEqual({ uri: "a".repeat(256) });
});

test("a record of bytes has their text, and all bytes when they are not UTF-8", () => {
  const seen = { utf8: 0, other: 0 };
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.string({ unit: anyCharacter, maxLength: 6 }).map((text) => new TextEncoder().encode(text)),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      const record = inputRecord(input, "url");
      const buffer = Buffer.from(input);
      const isUtf8 = Buffer.from(buffer.toString("utf8")).equals(buffer);
      expect(record).toEqual({
        url: buffer.toString("utf8"),
        ...(isUtf8 ? {} : { bytes: buffer.toString("hex") }),
      });
      seen[isUtf8 ? "utf8" : "other"]++;
    }),
    { seed: 21, numRuns: sampleSize(1000) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(fewest(100));
});

test("only the errors of input are refusals", () => {
  const error = new RangeError("prefixBytes");
  expect(() => refusalOf(error)).toThrow(error);
  const foreign = Object.assign(new Error("x"), { name: "UrnError", code: "c", expected: "e" });
  expect(refusalOf(foreign).error.code).toBe("c");
});

test("a line that is too long is refused in one sentence", () => {
  expect(tooLongLine(new TextEncoder().encode("x".repeat(MAX_LINE_BYTES)))).toBeNull();
  expect(tooLongLine(new TextEncoder().encode("x".repeat(MAX_LINE_BYTES + 1)))).toEqual({
    error: {
      code: "line-too-long",
      message: expect.stringMatching(/^"x{256}…" is longer than 2097152 bytes$/),
      expected: "at most 2097152 bytes",
      index: null,
      section: null,
    },
  });
});
