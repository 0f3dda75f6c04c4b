import type { ClientVerdict } from "@x/client";
import { sampleSize } from "@x/test-support/sample-size";
import { array, assert, asyncProperty, constantFrom, nat, oneof, string } from "fast-check";
import { expect, test } from "vitest";
import { setUp } from "./support/set-up.ts";

const URLS = [
  "http://good.example/",
  "http://evil.example/",
  "http://bad.example/path?x",
  "http://bad.example/",
  "http://phish.example/%61",
  "HTTP://Good.Example:80/a/../b",
  "http://evil.example\\@good.example/",
  "mailto:x",
  "",
  "http://ev\u0378il.example/",
  new TextEncoder().encode("http://evil.example/"),
  new TextEncoder().encode("http://good.example/\xff"),
];

const urls = array(oneof({ weight: 3, arbitrary: constantFrom(...URLS) }, string()), {
  maxLength: 40,
});

async function collect(verdicts: AsyncIterable<ClientVerdict>): Promise<ClientVerdict[]> {
  const all: ClientVerdict[] = [];
  for await (const verdict of verdicts) all.push(verdict);
  return all;
}

test("checkMany gives the verdicts of check, in order, however the lists are", {
  tags: "deep",
}, async () => {
  const { client, clock } = setUp();
  const words = new Set<string>();
  const agree = async (given: readonly (string | Uint8Array)[], repeats: number) => {
    const many = Array.from({ length: repeats }, () => given).flat();
    const single = await Promise.all(given.map((url) => client.check(url)));
    const expected = Array.from({ length: repeats }, () => single).flat();
    for (const { verdict, reason } of expected) words.add(reason ?? verdict);
    expect(await collect(client.checkMany(many))).toEqual(expected);
    async function* slowly() {
      yield* many;
    }
    expect(await collect(client.checkMany(slowly()))).toEqual(expected);
  };
  // More than one window of URLs.
  const property = asyncProperty(urls, nat({ max: 20 }), agree);
  await assert(property, { numRuns: sampleSize(60) });
  await client.update();
  await assert(property, { numRuns: sampleSize(300) });
  await agree(URLS, 60);
  clock.time += 100 * 3_600_000;
  await assert(property, { numRuns: sampleSize(60) });
  expect([...words].sort()).toEqual(
    ["not-loaded", "outdated", "safe", "unsafe", "url-invalid", "url-undecided"].sort(),
  );
});

test("calls of next that do not wait for each other are answered in order", async () => {
  const { client } = setUp();
  await client.update();
  const many = Array.from({ length: 600 }, (_, i) => `http://${i}.example/`);
  const verdicts = client.checkMany(many);
  const results = await Promise.all(Array.from({ length: 602 }, () => verdicts.next()));
  expect(results.map(({ done }) => done).indexOf(true)).toBe(600);
  expect(results.slice(0, 600).map(({ value }) => value!.url)).toEqual(many);
  expect(results[601]).toEqual({ done: true, value: undefined });
});

test("leaving the loop closes the source, and nothing comes afterwards", async () => {
  const { client } = setUp();
  await client.update();
  let isClosed = false;
  function* source() {
    try {
      for (let i = 0; ; i++) yield `http://${i}.example/`;
    } finally {
      isClosed = true;
    }
  }
  const verdicts = client.checkMany(source());
  for await (const { url } of verdicts) if (url === "http://300.example/") break;
  expect(isClosed).toBe(true);
  expect(await verdicts.next()).toEqual({ done: true, value: undefined });
  expect(await client.checkMany([]).return()).toEqual({ done: true, value: undefined });
  const thrown = client.checkMany(["http://good.example/", "http://good.example/"]);
  await thrown.next();
  await expect(thrown.throw(new Error("enough"))).rejects.toThrow("enough");
  expect(await thrown.next()).toEqual({ done: true, value: undefined });
});

test("an error of the source ends the verdicts", async () => {
  const { client } = setUp();
  await client.update();
  async function* failing() {
    yield "http://good.example/";
    throw new Error("the pipe broke");
  }
  const verdicts = client.checkMany(failing());
  await expect(collect(verdicts)).rejects.toThrow("the pipe broke");
  expect(await verdicts.next()).toEqual({ done: true, value: undefined });
});

test.each([[5], [null], [{ href: "http://good.example/" }]])(
  "%j is no URL for any check",
  async (wrong) => {
    const { client } = setUp();
    await client.update();
    const url = wrong as never;
    expect(() => client.checkLocally(url)).toThrow(TypeError);
    await expect(client.check(url)).rejects.toThrow(TypeError);
    await expect(collect(client.checkMany(["http://a.b/", url]))).rejects.toThrow(TypeError);
  },
);
