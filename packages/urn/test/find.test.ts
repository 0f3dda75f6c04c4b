import { type FindUrnsOptions, findUrns, findUrnsInStream, formatUrn, iterateUrns } from "@x/urn";
import { describe, expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

const vectors = loadVectors<string, string[]>("find");

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

test.each(titled(vectors))("%s", (_, { input, options, expected }) => {
  const found = findUrns(input, options);
  expect(found.map(({ start, end }) => input.slice(start, end))).toEqual(expected);
  expect(found.map(({ urn }) => formatUrn(urn, { syntax: syntaxOf(options) }))).toEqual(expected);
});

const syntaxOf = (options: FindUrnsOptions | undefined) => options?.syntax;

describe("findUrnsInStream", () => {
  test.each(titled(vectors))("cut anywhere: %s", async (_, { input, options }) => {
    const found = findUrns(input, options);
    for (let cut = 0; cut <= input.length; cut++) {
      const pieces = [input.slice(0, cut), input.slice(cut)];
      expect(await collect(findUrnsInStream(pieces, options))).toEqual(found);
    }
    expect(await collect(findUrnsInStream(input.split(""), options))).toEqual(found);
  });

  test("reads a stream, and counts places from its start", async () => {
    const texts = Array.from({ length: 1000 }, (_, i) => `line ${i}: urn:a:${i}\n`);
    const octets = new TextEncoder().encode(texts.join(""));
    const stream = new Blob([octets]).stream().pipeThrough(new TextDecoderStream());
    const pieces = stream as unknown as AsyncIterable<string>;
    expect(await collect(findUrnsInStream(pieces))).toEqual(findUrns(texts.join("")));
  });

  test("gives what it has before it asks for more", async () => {
    let asked = 0;
    function* pieces() {
      asked = 1;
      yield "urn:a:1 ";
      asked = 2;
      yield "urn:a:2 ";
    }
    const found = findUrnsInStream(pieces());
    await found.next();
    expect(asked).toBe(1);
    await found.return();
  });

  test("a piece that is no text is a mistake", async () => {
    const pieces = [new Uint8Array(1)] as unknown as string[];
    await expect(collect(findUrnsInStream(pieces))).rejects.toThrow(TypeError);
  });
});

test("iterateUrns is lazy, and refuses other things than text at once", () => {
  const [first] = iterateUrns(`urn:a:1 ${"urn:a:2 ".repeat(1000)}`);
  expect(first).toMatchObject({ start: 0, end: 7 });
  for (const value of [null, undefined, 1, ["urn:a:b"]]) {
    expect(() => iterateUrns(value as unknown as string)).toThrow(TypeError);
    expect(() => findUrns(value as unknown as string)).toThrow(TypeError);
  }
});
