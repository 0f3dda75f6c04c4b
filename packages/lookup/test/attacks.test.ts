import { checker } from "@x/lookup";
import { lineReader } from "@x/lookup/lines";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { IS_DEEP } from "@x/test-support/sample-size";
import { afterEach, describe, expect, test } from "vitest";

const list = prefixList([fullHash("evil.example/")], { name: "l", created: 0 });
const encode = (text: string) => new TextEncoder().encode(text);

test("each of very many lines that are not URLs is a plain record", { tags: "deep" }, () => {
  const count = IS_DEEP ? 2 ** 20 : 2 ** 16;
  const { lines, checked, verdicts } = checker(list).scan(encode(":\n".repeat(count)));
  expect([lines, checked, verdicts.length]).toEqual([count, count, count]);
  const last = verdicts.at(-1)!;
  expect(last.error).not.toBeInstanceOf(Error);
  const problem = { code: "host-missing", index: 0 };
  expect(last).toEqual({
    line: count - 1,
    start: 2 * count - 2,
    end: 2 * count - 1,
    matches: [],
    safeMatches: [],
    error: problem,
    readings: {
      specification: null,
      browser: null,
      firefox: null,
      opens: null,
      refused: problem,
      problem,
    },
  });
});

test("checkMany takes bytes as they are when they are taken", () => {
  const urls = ["http://evil.example/", "http://good.example/", "http://evil.example/x"];
  const expected = urls.map((url) => (url.includes("evil") ? 1 : 0));
  function* oneBuffer(buffer: Uint8Array) {
    for (const url of urls) {
      const { written } = new TextEncoder().encodeInto(url, buffer);
      yield buffer.subarray(0, written);
    }
  }
  for (const buffer of [new Uint8Array(100), Buffer.alloc(100)]) {
    const verdicts = [...checker(list).checkMany(oneBuffer(buffer))];
    expect(verdicts.map(({ matches }) => matches.length)).toEqual(expected);
  }
});

describe("arrays whose memory was transferred", () => {
  const gone = encode("http://evil.example/");
  structuredClone(gone, { transfer: [gone.buffer] });
  const { check, checkMany, scan } = checker(list);

  test.each([
    ["check", () => check(gone)],
    ["checkMany", () => [...checkMany([gone])]],
    ["scan", () => scan(gone)],
    ["scan of a block", () => scan({ bytes: gone, firstLine: 0, lines: 1 })],
    ["lineReader", () => lineReader().push(gone)],
  ])("%s refuses them in its own words", (_what, run) => {
    expect(run).toThrow(TypeError);
    expect(run).toThrow(/^(url must be a string, |lines must be |piece must be )a Uint8Array/);
  });
});

describe("what others added to every object", () => {
  let added = "";
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, added);
  });

  test.each([
    ["tables", []],
    ["registrableDomain", () => null],
    ["readings", "specification"],
    ["safeLists", list],
    ["engine", "fortran"],
    ["all", true],
    ["code", "host-missing"],
    ["firstLine", 3],
  ])("%s is no option and no list", (name, value) => {
    added = name;
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
    const { check, checkMany, scan } = checker([list]);
    expect(check("http://www.evil.example/")).toHaveLength(1);
    expect(check("http://evil.example\\@good.example/")).toHaveLength(1);
    expect([...checkMany(["http://www.evil.example/"])][0]!.matches).toHaveLength(1);
    expect(scan(encode("good.example\nwww.evil.example")).verdicts).toHaveLength(1);
    expect(() => checker({} as never)).toThrow(TypeError);
    expect(() => checker([{}] as never)).toThrow(TypeError);
  });
});
