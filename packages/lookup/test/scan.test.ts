import { CanonError } from "@x/canon";
import { checker, type LineVerdict } from "@x/lookup";
import { lineReader, MAX_LINE_BYTES } from "@x/lookup/lines";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const list = prefixList([fullHash("evil.example/")], { name: "l", created: 0, prefixBytes: 4 });
const encode = (text: string) => new TextEncoder().encode(text);
const place = ({ line, start, end }: LineVerdict) => [line, start, end];

describe.each(["webassembly", "javascript"] as const)("%s", (engine) => {
  const { check, scan } = checker(list, { engine });

  test("blank lines count and are not checked", () => {
    const bytes = encode("\n\r\nx:\n\n \n\t\n \t \r\n\r\r\n\v\nevil.example\n \t");
    const { lines, checked, listed, refused, verdicts } = scan(bytes);
    expect([lines, checked, listed, refused]).toEqual([11, 3, 1, 2]);
    expect(verdicts.map(({ line, error }) => [line, error])).toEqual([
      [2, { code: "authority-missing", index: 2 }],
      [8, { code: "host-invalid", index: null }],
      [9, null],
    ]);
    expect(scan(new Uint8Array())).toEqual({
      lines: 0,
      checked: 0,
      listed: 0,
      refused: 0,
      verdicts: [],
    });
  });

  test("a problem makes the error that check throws", () => {
    const bytes = encode("mailto:x\n");
    const [{ start, end, error }] = scan(bytes).verdicts as [LineVerdict];
    if (error === null || error.code === "line-too-long") throw new Error("not a CanonError");
    const line = bytes.slice(start, end);
    const made = new CanonError(line, error.code, error.index);
    expect(() => check(line)).toThrow(made);
    expect(made.message).toContain("mailto:x");
  });

  test("a byte order mark at the start does not hide the first line; elsewhere it is a blank", () => {
    const places = (text: string) => scan(encode(text)).verdicts.map(place);
    expect(places("\ufeffhttp://evil.example/\nhttp://evil.example/")).toEqual([
      [0, 3, 23],
      [1, 24, 44],
    ]);
    expect(places(`\ufeffevil.example/${"x/".repeat(100_000)}`)).toEqual([[0, 3, 200_016]]);
    expect(scan(encode("\ufeff\n"))).toMatchObject({ lines: 1, checked: 0 });
    expect(scan(Uint8Array.of(0xef, 0xbb))).toMatchObject({ lines: 1, checked: 1 });
    expect(places("x.example\n\ufeffhttp://evil.example/")).toEqual([[1, 10, 33]]);
  });

  test("with all, every line that is not blank is reported", () => {
    const bytes = encode("good.example\n\nevil.example\nx:\r\n \ngood.example/a");
    const { lines, checked, listed, refused, verdicts } = scan(bytes, { all: true });
    expect([lines, checked, listed, refused]).toEqual([6, 4, 1, 1]);
    expect(
      verdicts.map(({ line, start, end, matches, error }) => [
        line,
        new TextDecoder().decode(bytes.subarray(start, end)),
        error?.code ?? matches.length,
      ]),
    ).toEqual([
      [0, "good.example", 0],
      [2, "evil.example", 1],
      [3, "x:", "authority-missing"],
      [5, "good.example/a", 0],
    ]);
  });

  test("a line that is too long is reported and not checked, and its neighbours are checked", () => {
    const start = "evil.example/";
    const longest = start + "b".repeat(MAX_LINE_BYTES - start.length);
    for (const [line, error] of [
      [longest, null],
      [`${longest}b`, { code: "line-too-long", index: null }],
    ] as const) {
      const bytes = encode(`evil.example\n${line}\r\nevil.example\n`);
      const { lines, checked, listed, refused, verdicts } = scan(bytes);
      expect([lines, checked]).toEqual([3, 3]);
      expect([listed, refused]).toEqual(error === null ? [3, 0] : [2, 1]);
      expect(verdicts.map(place)).toEqual([
        [0, 0, 12],
        [1, 13, 13 + line.length],
        [2, 15 + line.length, 27 + line.length],
      ]);
      expect(verdicts.map((finding) => finding.error)).toEqual([null, error, null]);
      expect(verdicts[1]?.matches.length).toBe(error === null ? 1 : 0);
    }
  });

  test("blocks of a reader give what the whole file gives", () => {
    const reached = { listed: 0, bad: 0, clean: 0, cut: 0 };
    const line = fc.constantFrom(
      "http://evil.example/",
      "evil.example/\u00e9",
      "http://good.example/",
      "x:",
      "",
      " \t",
      "\ufeff",
      `http://good.example/${"x".repeat(70_000)}`,
    );
    const file = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 30 });
    fc.assert(
      fc.property(
        file,
        fc.array(fc.nat()),
        fc.boolean(),
        fc.boolean(),
        (parts, cuts, all, open) => {
          const text = parts.flat().join("");
          const bytes = encode(open ? text.replace(/\r?\n$/, "") : text);
          const whole = scan(bytes, { all });
          const reader = lineReader();
          const verdicts: LineVerdict[] = [];
          let [lines, checked] = [0, 0];
          const take = (block: ReturnType<typeof reader.push>) => {
            const result = scan(block, { all });
            expect(result.lines).toBe(block.lines);
            lines += result.lines;
            checked += result.checked;
            for (const { start, end, ...verdict } of result.verdicts) {
              verdicts.push({ start, end, ...verdict });
              const given = whole.verdicts[verdicts.length - 1]!;
              const line = block.bytes.subarray(start, end);
              expect(Buffer.compare(line, bytes.subarray(given.start, given.end))).toBe(0);
            }
          };
          const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)];
          at.forEach((from, i) => {
            const piece = bytes.subarray(from, at[i + 1] ?? bytes.length);
            take(reader.push(piece));
            if (piece.length > 0 && piece.at(-1) !== 0x0a) reached.cut++;
          });
          take(reader.end());
          expect([lines, checked]).toEqual([whole.lines, whole.checked]);
          const withoutPlace = (verdicts: readonly LineVerdict[]) =>
            verdicts.map(({ line, matches, error }) => ({ line, matches, error }));
          expect(withoutPlace(verdicts)).toEqual(withoutPlace(whole.verdicts));
          for (const { matches, error } of verdicts) {
            reached[error ? "bad" : matches.length > 0 ? "listed" : "clean"]++;
          }
        },
      ),
      { seed: 20261122, numRuns: sampleSize(200) },
    );
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(fewest(100));
  });
});

test.each([
  [null],
  [{}],
  [{ bytes: "a.b", firstLine: 0, lines: 1 }],
  [{ bytes: new Uint8Array(1), firstLine: 0.5, lines: 1 }],
  [{ bytes: new Uint8Array(1), lines: 1 }],
])("scan refuses %o", (lines) => {
  const { scan } = checker(list);
  expect(() => scan(lines as never)).toThrow(/^lines must be a Uint8Array or a LineBlock, not /);
});
