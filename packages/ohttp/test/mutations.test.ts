import { createHash } from "node:crypto";
import {
  createGateway,
  decodeKeyConfigs,
  encapsulateRequest,
  encodeKeyConfigs,
  generateGatewayKey,
  OhttpError,
} from "@x/ohttp";
import { decodeRequest, decodeResponse, encodeRequest, encodeResponse } from "@x/ohttp/binary-http";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

/*
 * A message that was changed at random is either refused or read. Once read, it stays the same when it is written and
 * read again. MUTATIONS=160000 SEED=7 tries a million other changes.
 */
const RUNS = Number(process.env["MUTATIONS"] ?? sampleSize(4000));
const SEED = Number(process.env["SEED"] ?? 20_261_127);

/** A million changes take three minutes of processor time, and much longer on a busy machine. */
const TIMEOUT = Math.max(300_000, RUNS * 60);

/** The same bytes in every run. */
const content = (length: number) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
      createHash("sha256").update(String(i)).digest(),
    ),
  ).subarray(0, length);

const fields = [
  ["accept", "application/x-protobuf"],
  ["x", ""],
  ["x-bytes", "\xff\x80 a"],
] as const;
const get = {
  method: "GET",
  scheme: "https",
  authority: "lists.example:8443",
  path: "/v5/hashes:search?hashPrefixes=AAAAAA%3D%3D",
};
const post = { ...get, method: "POST", headers: fields, content: content(300) };
const answer = { status: 200, headers: fields, content: content(200), trailers: fields };
const early = { ...answer, informational: [{ status: 103, headers: fields }] };
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const lengthAnd = (text: string) => `${String.fromCharCode(text.length)}${text}`;
/** A request of indeterminate length (RFC 9292 §3.2). */
const pieces = bytesOf(
  `\x02${["POST", "https", "a.example", "/"].map(lengthAnd).join("")}${lengthAnd("a")}${lengthAnd("b")}\0${lengthAnd("some")}${lengthAnd("more")}\0\0\0\0`,
);

const key = await generateGatewayKey(7);
const gateway = await createGateway([key]);
const sent = await encapsulateRequest(key.config, encodeRequest(get));
const sealed = await (await gateway.openRequest(sent.message)).sealResponse(encodeResponse(answer));

interface Subject {
  readonly message: Uint8Array;
  /**
   * The contents of a message, in a form that can be compared, and the contents after writing and reading them again.
   */
  readonly read: (message: Uint8Array) => unknown;
  readonly again: (read: never) => unknown;
}

const request = (message: Uint8Array): Subject => ({
  message,
  read: (bytes) => decodeRequest(bytes),
  again: (read: Parameters<typeof encodeRequest>[0]) => decodeRequest(encodeRequest(read)),
});
const response = (message: Uint8Array): Subject => ({
  message,
  read: (bytes) => decodeResponse(bytes),
  again: (read: Parameters<typeof encodeResponse>[0]) => decodeResponse(encodeResponse(read)),
});

const PLAIN: Readonly<Record<string, Subject>> = {
  "a request": request(encodeRequest(post)),
  "a request with padding": request(encodeRequest(get, { padTo: 256 })),
  "a request in pieces": request(pieces),
  "a response": response(encodeResponse(answer)),
  "a response after others": response(encodeResponse(early, { padTo: 64 })),
  keys: {
    message: encodeKeyConfigs([key.config, { ...key.config, keyId: 8 }]),
    read: (bytes) => decodeKeyConfigs(bytes),
    again: (read: Parameters<typeof encodeKeyConfigs>[0]) =>
      decodeKeyConfigs(encodeKeyConfigs(read)),
  },
};

type Change = (bytes: Uint8Array) => Uint8Array;
const place = fc.nat({ max: 2 ** 16 });
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
/** Encoded lengths at which the form of a number changes, and lengths that no message has. */
const LENGTHS = [
  ...[[0], [0x3f], [0x40, 0x3f], [0x40, 0x40], [0x7f, 0xff], [0x80, 0, 0, 1]],
  ...[[0xbf, 0xff, 0xff, 0xff], [0xc0, 0, 0, 0, 0, 0, 0, 1], new Array(8).fill(0xff)],
].map((bytes) => Uint8Array.from(bytes));

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, fc.nat({ max: 7 })).map(
    ([at, bit]): Change =>
      (bytes) => {
        const changed = bytes.slice();
        if (changed.length > 0) changed[at % changed.length]! ^= 1 << bit;
        return changed;
      },
  ),
  fc.tuple(place, fc.nat({ max: 20 })).map(
    ([at, length]): Change =>
      (bytes) =>
        joined(
          bytes.subarray(0, at % (bytes.length + 1)),
          bytes.subarray((at % (bytes.length + 1)) + length),
        ),
  ),
  fc.tuple(place, fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(...LENGTHS))).map(
    ([at, more]): Change =>
      (bytes) => {
        const start = at % (bytes.length + 1);
        return joined(bytes.subarray(0, start), more, bytes.subarray(start));
      },
  ),
  fc.tuple(place, place, fc.nat({ max: 40 })).map(
    ([from, to, length]): Change =>
      (bytes) => {
        const [start, end] = [from % (bytes.length + 1), to % (bytes.length + 1)];
        const copied = bytes.subarray(start, start + length);
        return joined(bytes.subarray(0, end), copied, bytes.subarray(end + length));
      },
  ),
  place.map(
    (at): Change =>
      (bytes) =>
        bytes.slice(0, at % (bytes.length + 1)),
  ),
  fc.nat({ max: 64 }).map(
    (count): Change =>
      (bytes) =>
        joined(bytes, new Uint8Array(count)),
  ),
);
const changes = fc.array(change, { minLength: 1, maxLength: 4 }).map(
  (all): Change =>
    (bytes) =>
      all.reduce((changed, one) => one(changed), bytes),
);

const codeOf = (error: unknown): string => {
  if (error instanceof OhttpError) return error.code;
  throw error;
};

test.each(Object.entries(PLAIN))(
  "%s is refused, or read as what it says",
  (_, subject) => {
    const codes = new Map<string, number>();
    const count = (code: string) => codes.set(code, (codes.get(code) ?? 0) + 1);
    fc.assert(
      fc.property(changes, (mutate) => {
        let read: unknown;
        try {
          read = subject.read(mutate(subject.message));
        } catch (error) {
          count(codeOf(error));
          return;
        }
        count("read");
        expect(subject.again(read as never)).toEqual(read);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(codes.get("read")).toBeGreaterThan(0);
    expect(codes.size).toBeGreaterThan(2);
  },
  TIMEOUT,
);

test.each([
  ["a request", sent.message, async (bytes) => (await gateway.openRequest(bytes)).request],
  ["a response", sealed, sent.openResponse],
] as readonly [string, Uint8Array, (bytes: Uint8Array) => Promise<Uint8Array>][])(
  "%s that is encrypted is refused unless nothing has changed",
  async (_, message, open) => {
    const plain = await open(message);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(changes, async (mutate) => {
        const changed = mutate(message);
        const isSame = Buffer.from(changed).equals(message);
        const code = await open(changed).then((bytes) => {
          expect(bytes).toEqual(plain);
          return null;
        }, codeOf);
        expect(code === null).toBe(isSame);
        if (code !== null) refused++;
      }),
      // Every input needs slow cryptography.
      { numRuns: Math.ceil(RUNS / 5), seed: SEED },
    );
    expect(refused).toBeGreaterThan(RUNS / 10);
  },
  TIMEOUT,
);
