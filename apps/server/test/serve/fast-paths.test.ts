import { tmpdir } from "node:os";
import { memoryStorage } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { writeResponse } from "@x/wire";
import { searchHashes } from "@x/wire/v5";
import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { localHashes } from "../../src/serve/lists/local-hashes.ts";
import { createLog } from "../../src/serve/log.ts";
import { testServer } from "../support/serving.ts";

/* The fast paths must give the same results as the plain way. */

const RUNS = { seed: 15, numRuns: sampleSize(300) };

test("a search finds the same whether its shards are in memory or in files", async () => {
  const entries = Array.from({ length: 70_000 }, (_, i) => `${i}.example/`);
  const signer = await newSigner();
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", entries);
  await publish("social-engineering", entries.slice(0, 300));
  const warm = testServer(storage, [signer.publicKey]);
  await warm.refresh();
  const files = localHashes({ memory: 0, folder: tmpdir() });
  const cold = testServer(storage, [signer.publicKey], { hashes: files });
  await cold.refresh();
  const target = (numbers: readonly number[]) =>
    `/v5/hashes:search?alt=json&${numbers
      .map((i) => Buffer.from(fullHash(`${i}.example/`).subarray(0, 4)).toString("base64url"))
      .map((prefix) => `hashPrefixes=${prefix}`)
      .join("&")}`;
  const answerOf = (server: typeof warm, numbers: readonly number[]) =>
    server.api.answer({
      method: "GET",
      target: target(numbers),
      headers: { get: () => null },
      client: () => "",
      network: () => "",
    });
  await answerOf(warm, [...Array(300).keys()]);
  await fc.assert(
    fc.asyncProperty(
      // An eighth of these numbers are on no list.
      fc.array(fc.nat(80_000), { minLength: 1, maxLength: 8 }),
      fc.nat(299),
      async (numbers, listedTwice) => {
        const asked = [...numbers, listedTwice];
        expect(await answerOf(cold, asked)).toEqual(await answerOf(warm, asked));
      },
    ),
    { ...RUNS, numRuns: 20 },
  );
  await files.close();
});

test("a search that is repeated gets the same answer each time", async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"]);
  const server = testServer(storage, [signer.publicKey]);
  await server.refresh();
  const prefix = Buffer.from(fullHash("a.example/").subarray(0, 4)).toString("base64url");
  const target = `/v5/hashes:search?alt=json&hashPrefixes=${prefix}`;
  const [first, second, third] = [
    await server.get(target),
    await server.get(target),
    await server.get(target),
  ];
  expect(second).toEqual(first);
  // The second answer is cached.
  expect(third.body).toBe(second.body);
  await publish("malware", []);
  await server.refresh();
  expect(JSON.parse(Buffer.from((await server.get(target)).body).toString()).fullHashes).toBe(
    undefined,
  );
});

test("searches that find nothing share one body, which is the one that is written", async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["a.example/"]);
  const server = testServer(storage, [signer.publicKey]);
  await server.refresh();
  const bodies = new Map<string, Set<Uint8Array>>();
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.constantFrom("proto", "json", "json;enum-encoding=int"),
      async (prefix, alt) => {
        const encoded = encodeURIComponent(Buffer.from(prefix).toString("base64"));
        const { body, headers } = await server.get(
          `/v5/hashes:search?hashPrefixes=${encoded}&$alt=${alt}`,
        );
        const asked = {
          format: alt === "proto" ? "protobuf" : "json",
          enums: alt === "json;enum-encoding=int" ? "numbers" : "names",
        } as const;
        const plain = writeResponse(searchHashes, { cacheDuration: 300_000 }, asked);
        expect(headers["Content-Type"]).toBe(plain.contentType);
        expect(Buffer.from(body)).toEqual(Buffer.from(plain.body));
        bodies.set(alt, (bodies.get(alt) ?? new Set()).add(body));
      },
    ),
    RUNS,
  );
  expect(bodies.get("proto")!.size).toBe(1);
  expect(bodies.get("json")!.size).toBeGreaterThan(fewest(10));
  // The answer to a search that finds a hash has its own body.
  const listed = fullHash("a.example/").subarray(0, 4);
  const { body } = await server.get(
    `/v5/hashes:search?hashPrefixes=${encodeURIComponent(Buffer.from(listed).toString("base64"))}`,
  );
  expect(bodies.get("proto")!.has(body)).toBe(false);
});

describe("the log", () => {
  test("of requests is what pino writes", () => {
    const now = () => 1_000_000_000_000;
    let [ours, theirs] = ["", ""];
    const log = createLog(
      {
        write: (text) => {
          ours += text;
        },
      },
      { now },
    );
    const plain = pino(
      { base: null, timestamp: () => `,"time":"${new Date(now()).toISOString()}"` },
      {
        write: (text) => {
          theirs += text;
        },
      },
    );
    const facts = fc.option(
      fc.record(
        { updates: fc.array(fc.string({ unit: anyCharacter })), asked: fc.nat(), found: fc.nat() },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    );
    let withoutFacts = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.string(),
        fc.integer({ min: 100, max: 599 }),
        fc.nat(),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        facts,
        (route, method, status, bytes, milliseconds, known) => {
          [ours, theirs] = ["", ""];
          if (known === undefined) withoutFacts++;
          const head = { status, route, headers: {}, ...(known && { facts: known }) };
          log.request(head, method, bytes, milliseconds);
          const ms = Math.round(milliseconds * 100) / 100;
          plain.info({ method: method.slice(0, 8), route, status, bytes, ms, ...known }, "request");
          expect(ours).toBe(theirs);
        },
      ),
      RUNS,
    );
    expect(withoutFacts).toBeGreaterThan(fewest(10));
  });
});

describe("the log", () => {
  test.each(["info", "warn", "error"] as const)("of level %s is what pino writes", (level) => {
    const now = () => 1_000_000_000_000;
    let [ours, theirs] = ["", ""];
    const log = createLog({ write: (text) => (ours += text) }, { now });
    const timestamp = () => `,"time":"${new Date(now()).toISOString()}"`;
    const plain = pino({ base: null, timestamp }, { write: (text) => (theirs += text) });
    const facts = fc.record(
      {
        list: fc.string({ unit: anyCharacter }),
        version: fc.nat(),
        err: fc.record({ stack: fc.string() }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.option(facts), (message, known) => {
        [ours, theirs] = ["", ""];
        if (known === null) log[level](message);
        else log[level](message, known);
        if (known === null) plain[level](message);
        else plain[level](known, message);
        expect(ours).toBe(theirs);
      }),
      RUNS,
    );
  });
});
