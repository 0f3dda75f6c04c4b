import { createHash } from "node:crypto";
import {
  decodeDifference,
  decodePrefixList,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  type PrefixListErrorCode,
  prefixList,
} from "@x/prefix-list";
import { fewest, IS_DEEP, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { facts, prefixSet } from "./arbitraries.ts";
import { codeOf } from "./code-of.ts";
import { pack, plain, plainOf, randomWords, unhex } from "./oracle.ts";
import differenceVectors from "./vectors/difference-files.json" with { type: "json" };
import listVectors from "./vectors/list-files.json" with { type: "json" };

const runs = { seed: 20261121, numRuns: sampleSize(300) };

test("an error says what is wrong, where, what was expected, and which section has the rule", () => {
  const file = encodePrefixList(prefixList([]));
  expect(() => decodePrefixList(file.subarray(0, 100))).toThrow(
    expect.objectContaining({
      ...{ code: "truncated", index: 100, expected: "the rest of the file" },
      section: "@x/prefix-list, File format",
      message:
        "The file ends too early at index 100: expected the rest of the file (@x/prefix-list, File format).",
    }),
  );
  expect(() => decodeDifference(file)).toThrow(
    "The file is not a difference at index 9: expected a list for decodePrefixList or a difference for decodeDifference (@x/prefix-list, File format).",
  );
});

describe("the format, byte by byte", () => {
  test.each(listVectors.cases)("$input.what", ({ input, expected }) => {
    const { name, created } = input;
    const list = prefixList(input.prefixes.map(unhex), { name, created });
    expect(list.size).toBe(expected.size);
    expect(list.checksum).toBe(expected.checksum);
    expect(encodePrefixList(list)).toEqual(unhex(expected.file));
    expect(decodePrefixList(unhex(expected.file))).toEqual(list);
  });
  test.each(differenceVectors.cases)("$input.what", ({ input, expected }) => {
    const from = prefixList(input.from.map(unhex), { name: "old", created: 6 });
    const to = prefixList(input.to.map(unhex), { name: "new", created: 7 });
    const difference = diffPrefixLists(from, to);
    expect([...difference.removals]).toEqual(expected.removals);
    const additions = difference.additions.map(({ rawHashes }) =>
      plain([Buffer.from(rawHashes).toString("hex")]),
    );
    expect(additions.flat().join("")).toBe(expected.additions.join(""));
    expect(encodeDifference(difference)).toEqual(unhex(expected.file));
    expect(decodeDifference(unhex(expected.file))).toEqual(difference);
  });
});

test("a file is read back as the list it was written from, and that list gives the same file", () => {
  fc.assert(
    fc.property(prefixSet, facts, (texts, options) => {
      const list = prefixList(texts.map(unhex), options);
      const file = encodePrefixList(list);
      expect(decodePrefixList(file)).toEqual(list);
      expect(encodePrefixList(decodePrefixList(file))).toEqual(file);
      // The file is in the middle of a larger Buffer.
      const inside = Buffer.concat([new Uint8Array(5), file, new Uint8Array(3)]);
      expect(decodePrefixList(inside.subarray(5, 5 + file.length))).toEqual(list);
    }),
    runs,
  );
});

test.each([4, 5, 32])(
  "at 200 000 prefixes of %i bytes a file is within a fiftieth of the entropy",
  { tags: "deep" },
  (size) => {
    const words = randomWords(200_000, size);
    const list = prefixList([{ prefixBytes: size, rawHashes: pack(words, size - 4) }]);
    const file = encodePrefixList(list);
    expect(plainOf(decodePrefixList(file))).toEqual(plainOf(list));
    // By Stirling's formula, log2 of the number of sets of `list.size` 32-bit numbers, divided by `list.size`.
    const share = list.size / 2 ** 32;
    const bits = -Math.log2(share) - ((1 - share) / share) * Math.log2(1 - share) + 8 * (size - 4);
    expect(file.length / list.size).toBeLessThan((bits / 8) * 1.02);
  },
);

const small = encodePrefixList(
  prefixList(["00000001", "ba7816bf", "ba7816c0", "ba7816bf8f", "fe00000000000001"].map(unhex), {
    name: "ü",
    created: 1_234_567_890_123,
  }),
);
const smallDifference = encodeDifference(
  diffPrefixLists(
    prefixList(["00000001", "ba7816bf", "ba7816bf8f"].map(unhex)),
    prefixList(["00000002", "ba7816bf", "ba7816bfff"].map(unhex), { name: "ü", created: 77 }),
  ),
);

describe("damage", () => {
  const read = { list: decodePrefixList, difference: decodeDifference };
  const files = { list: small, difference: smallDifference };
  const kinds = ["list", "difference"] as const;

  test("every byte of a list, changed to another value, is an error", { tags: "deep" }, () => {
    const taken: string[] = [];
    for (let at = 0; at < small.length; at++) {
      const damaged = small.slice();
      for (let change = 1; change < 256; change += IS_DEEP ? 1 : 7) {
        damaged[at] = small[at]! ^ change;
        if (codeOf(() => decodePrefixList(damaged)) === "none") taken.push(`${at} ^ ${change}`);
      }
    }
    expect(taken).toEqual([]);
  });
  test("every bit of a difference, changed, is an error", () => {
    const taken: string[] = [];
    for (let at = 0; at < smallDifference.length; at++) {
      const damaged = smallDifference.slice();
      for (let bit = 1; bit < 256; bit *= 2) {
        damaged[at] = smallDifference[at]! ^ bit;
        if (codeOf(() => decodeDifference(damaged)) === "none") taken.push(`${at} ^ ${bit}`);
      }
    }
    expect(taken).toEqual([]);
  });
  test.each(kinds)("a %s cut off anywhere is an error", (kind) => {
    const file = files[kind];
    for (let length = 0; length < file.length; length++) {
      const code = codeOf(() => read[kind](file.subarray(0, length)));
      expect(code).toBe(length === 0 ? "foreign" : "truncated");
    }
  });
  test.each(kinds)("a %s with bytes after its end is an error", (kind) => {
    const longer = new Uint8Array([...files[kind], 0]);
    expect(codeOf(() => read[kind](longer))).toBe("body-damaged");
  });
  test("up to four bytes changed anywhere are an error", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(small.length - 1), fc.integer({ min: 1, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        (changes) => {
          const damaged = small.slice();
          for (const [at, change] of changes) damaged[at]! ^= change;
          fc.pre(!damaged.every((byte, i) => byte === small[i]));
          expect(codeOf(() => decodePrefixList(damaged))).not.toBe("none");
        },
      ),
      { ...runs, numRuns: sampleSize(3000) },
    );
  });
  test("a transfer as text is detected", () => {
    const crlf = Buffer.from(
      Buffer.from(small).toString("latin1").replaceAll("\r\n", "\n"),
      "latin1",
    );
    expect(codeOf(() => decodePrefixList(crlf))).toBe("foreign");
  });
});

describe("foreign bytes", () => {
  test("any bytes are an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, begin) => {
        const file = begin ? new Uint8Array([...small.subarray(0, 9), ...bytes]) : bytes;
        expect(codeOf(() => decodePrefixList(file))).not.toBe("none");
        expect(codeOf(() => decodeDifference(file))).not.toBe("none");
      }),
      runs,
    );
  });
  test("anything but a Uint8Array is a TypeError", () => {
    expect(() => decodePrefixList("list" as unknown as Uint8Array)).toThrow(TypeError);
  });
  test("one kind is not read as the other", () => {
    expect(codeOf(() => decodePrefixList(smallDifference))).toBe("kind-wrong");
    expect(codeOf(() => decodeDifference(small))).toBe("kind-wrong");
  });
});

describe("hostile files whose header has the right hash", () => {
  const NAME = 88;
  const TABLE = NAME + 2;
  const SECTION = 16;
  const HASH = TABLE + 3 * SECTION;
  const BODY = HASH + 32;

  /** The file of the small list after a change, with the hash of its header corrected. */
  function forged(change: (file: Uint8Array<ArrayBuffer>, view: DataView) => void): Uint8Array {
    const file = small.slice();
    change(file, new DataView(file.buffer));
    file.set(createHash("sha256").update(file.subarray(0, HASH)).digest(), HASH);
    return file;
  }
  const at = (section: number, field: number) => TABLE + section * SECTION + field;

  test("unchanged, it is read", () => {
    expect(forged(() => {})).toEqual(small);
  });
  test.each<[string, PrefixListErrorCode, (file: Uint8Array<ArrayBuffer>, view: DataView) => void]>(
    [
      ["another version", "version-unknown", (file) => file.fill(2, 8, 9)],
      ["another kind", "kind-wrong", (file) => file.fill(2, 9, 10)],
      ["an unknown kind", "header-invalid", (file) => file.fill(3, 9, 10)],
      ["the reserved byte of the header", "header-invalid", (file) => file.fill(1, 15, 16)],
      [
        "a reserved byte of a section",
        "header-invalid",
        (file) => file.fill(1, at(1, 2), at(1, 3)),
      ],
      ["another first value", "checksum-wrong", (_, view) => view.setUint32(at(1, 12), 0xba7816be)],
      ["a first value too large", "body-damaged", (_, view) => view.setUint32(at(0, 12), 2 ** 31)],
      [
        "a time after all Dates",
        "header-invalid",
        (_, view) => view.setBigUint64(16, 8640000000000001n),
      ],
      ["the largest time", "header-invalid", (_, view) => view.setBigUint64(16, 2n ** 64n - 1n)],
      ["an old checksum in a list", "header-invalid", (file) => file.fill(1, 60, 61)],
      ["a name that is not UTF-8", "header-invalid", (file) => file.fill(0xc3, NAME + 1, NAME + 2)],
      ["removals in a list", "header-invalid", (_, view) => view.setUint8(at(0, 0), 0)],
      ["prefixes of 3 bytes", "header-invalid", (_, view) => view.setUint8(at(0, 0), 3)],
      ["prefixes of 33 bytes", "header-invalid", (_, view) => view.setUint8(at(2, 0), 33)],
      ["a length twice", "header-invalid", (_, view) => view.setUint8(at(1, 0), 4)],
      ["a parameter of 31", "header-invalid", (_, view) => view.setUint8(at(0, 1), 31)],
      ["a parameter of 2", "header-invalid", (_, view) => view.setUint8(at(0, 1), 2)],
      ["another parameter without codes", "body-damaged", (_, view) => view.setUint8(at(1, 1), 4)],
      ["another parameter", "body-damaged", (_, view) => view.setUint8(at(0, 1), 3)],
      ["no prefixes", "header-invalid", (_, view) => view.setUint32(at(0, 4), 0)],
      ["a huge count", "header-invalid", (_, view) => view.setUint32(at(0, 4), 0xffffffff)],
      ["a count too high by one", "header-invalid", (_, view) => view.setUint32(at(2, 4), 2)],
      ["huge codes", "truncated", (_, view) => view.setUint32(at(0, 8), 0xffffffff)],
      [
        "a huge count and huge codes",
        "header-invalid",
        (_, view) => {
          view.setUint32(at(2, 4), 0x0fffffff);
          view.setUint32(at(2, 8), 0xffffffff);
        },
      ],
      ["a count too low by one", "body-damaged", (_, view) => view.setUint32(at(0, 4), 2)],
      ["another checksum", "checksum-wrong", (file) => file.fill(1, 24, 56)],
      ["codes of zeros", "body-damaged", (file) => file.fill(0, BODY, BODY + 8)],
      ["codes of ones", "body-damaged", (file) => file.fill(0xff, BODY, BODY + 8)],
    ],
  )("%s", (_, code, change) => {
    expect(codeOf(() => decodePrefixList(forged(change)))).toBe(code);
  });

  test("any change of a header with the right hash, and of the body, is an error or another list", () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 8, max: small.length - 1 }), fc.nat(255)), {
          maxLength: 3,
        }),
        (changes) => {
          const file = forged((changed) => {
            for (const [index, value] of changes) changed[index] = value;
          });
          const code = codeOf(() => {
            const list = decodePrefixList(file);
            expect(plainOf(list)).toEqual(plainOf(decodePrefixList(small)));
            expect(encodePrefixList(list)).toEqual(file);
          });
          if (code === "none") accepted++;
          else refused++;
        },
      ),
      { ...runs, numRuns: sampleSize(5000) },
    );
    expect(accepted).toBeGreaterThan(fewest(100));
    expect(refused).toBeGreaterThan(fewest(1000));
  });

  test("no memory is allocated for more prefixes than a list may have, even if the file is long enough", () => {
    const count = 2 ** 29;
    const file = new Uint8Array(BODY - 2 * SECTION + count / 2);
    file.set(small.subarray(0, TABLE));
    const view = new DataView(file.buffer);
    view.setUint8(12, 1);
    view.setUint8(TABLE, 4);
    view.setUint8(TABLE + 1, 3);
    view.setUint32(TABLE + 4, count);
    view.setUint32(TABLE + 8, count / 2);
    const end = TABLE + SECTION;
    file.set(createHash("sha256").update(file.subarray(0, end)).digest(), end);
    expect(codeOf(() => decodePrefixList(file, { maxEntries: count }))).toBe("header-invalid");
    expect(codeOf(() => decodePrefixList(file))).toBe("header-invalid");
  });

  test("longer prefixes out of order", () => {
    const list = prefixList(["aaaaaaaa00", "aaaaaaaa01"].map(unhex), { name: "", created: 0 });
    const file = encodePrefixList(list);
    file.set([1, 0], file.length - 2);
    expect(codeOf(() => decodePrefixList(file))).toBe("body-damaged");
    file.set([1, 1], file.length - 2);
    expect(codeOf(() => decodePrefixList(file))).toBe("body-damaged");
  });
});

test("any change of a difference whose hashes are right is an error or another difference", () => {
  const headerEnd = 88 + 2 + 4 * 40 + 3 * 16;
  const body = headerEnd + 32;
  const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  function forge(file: Uint8Array): void {
    file.set(hashOf(file.subarray(0, headerEnd)), headerEnd);
    file.set(hashOf(file.subarray(body, file.length - 32)), file.length - 32);
  }
  const unchanged = smallDifference.slice();
  forge(unchanged);
  expect(unchanged).toEqual(smallDifference);
  let accepted = 0;
  const codes = new Set<string>();
  // Most bytes of the header are checksums, so changes are also made around the counts and in the body.
  const index = fc.oneof(
    fc.integer({ min: 8, max: smallDifference.length - 33 }),
    fc.integer({ min: headerEnd - 3 * 16, max: headerEnd - 1 }),
    fc.integer({ min: body, max: smallDifference.length - 33 }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(index, fc.nat(255)), { maxLength: 3 }), (changes) => {
      const file = smallDifference.slice();
      for (const [at, value] of changes) file[at] = value;
      forge(file);
      const code = codeOf(() => {
        expect(encodeDifference(decodeDifference(file))).toEqual(file);
      });
      codes.add(code);
      if (code === "none") accepted++;
    }),
    { ...runs, numRuns: sampleSize(5000) },
  );
  expect(accepted).toBeGreaterThan(fewest(200));
  expect([...codes].sort()).toEqual([
    "body-damaged",
    "difference-invalid",
    "header-damaged",
    "header-invalid",
    "none",
    "truncated",
    "version-unknown",
  ]);
});

test("a list with an impossible name, time or checksum is not encoded", () => {
  const list = prefixList([], { name: "", created: 0 });
  expect(() => encodePrefixList({ ...list, name: "x".repeat(65_536) })).toThrow(RangeError);
  expect(() => encodePrefixList({ ...list, created: -1 })).toThrow(RangeError);
  expect(() => encodePrefixList({ ...list, checksum: "00" })).toThrow(TypeError);
});

test("the platform's SHA-256 may check the prefixes, and is believed", () => {
  const list = prefixList(["01020304", "05060708"].map(unhex), { created: 0 });
  const file = encodePrefixList(list);
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  expect(decodePrefixList(file, { sha256 })).toEqual(list);
  const wrong = () => new Uint8Array(32);
  expect(codeOf(() => decodePrefixList(file, { sha256: wrong }))).toBe("checksum-wrong");
  expect(() => decodePrefixList(file, { sha256: "sha256" as never })).toThrow(TypeError);
});
