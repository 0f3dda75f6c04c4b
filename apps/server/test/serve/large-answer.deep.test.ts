import type { BodyPart } from "@x/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bodyOf,
  COPIED_BYTES,
  largeBodyOf,
  MAX_PIECE_BYTES,
  MAX_WHOLE_BYTES,
  pieces,
  readPieces,
  sendingOf,
  wholeBody,
} from "../../src/serve/http/large-answer.ts";
import { turnCounter } from "../support/turns.ts";

const RUNS = { seed: 24, numRuns: 100 };

function plain(parts: readonly BodyPart[]): Buffer {
  return Buffer.concat(
    parts.map((part) =>
      "base64" in part ? Buffer.from(Buffer.from(part.base64).toString("base64")) : part,
    ),
  );
}

/** Bytes of any length, with few lengths longer than a piece. */
const bytes = fc
  .oneof(fc.nat(200), fc.integer({ min: 60_000, max: 300_000 }))
  .map((length) => Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255));
const part: fc.Arbitrary<BodyPart> = fc.oneof(
  bytes,
  bytes.map((base64) => ({ base64 })),
);

test("a body is the same bytes in one piece and in many", () => {
  let [whole, large] = [0, 0];
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const expected = plain(parts);
      const body = bodyOf(parts);
      if (body instanceof Uint8Array) {
        whole++;
        expect(Buffer.from(body).equals(expected)).toBe(true);
        expect(body.length).toBeLessThanOrEqual(MAX_WHOLE_BYTES);
        return;
      }
      large++;
      expect(body.length).toBe(expected.length);
      expect(Buffer.from(wholeBody(body)).equals(expected)).toBe(true);
      for (const isEncrypted of [false, true]) {
        const { step } = sendingOf(body, isEncrypted);
        expect(Buffer.concat([...pieces(parts, step)]).equals(expected)).toBe(true);
      }
      for (const piece of pieces(parts, COPIED_BYTES)) {
        expect(piece.length).toBeLessThanOrEqual(MAX_PIECE_BYTES);
      }
    }),
    RUNS,
  );
  expect(Math.min(whole, large)).toBeGreaterThan(20);
});

test("what is in shared memory is not copied and does not count as an answer's own", () => {
  const list = new Uint8Array(new SharedArrayBuffer(1_000_000));
  const own = new Uint8Array(70_000);
  const body = largeBodyOf([own, list, { base64: list }]);
  expect(body.ownBytes).toBe(70_000);
  const { step, held } = sendingOf(largeBodyOf([list]), false);
  expect(held).toBeLessThan(20_000);
  expect([...pieces([list], step)].map(({ buffer }) => buffer)).toEqual([list.buffer]);
});

test("between two pieces, everything else that happens has its turn", async () => {
  const counter = turnCounter();
  let [read, progress] = [0, 0];
  const body = largeBodyOf([new Uint8Array(5_000_000)]);
  for await (const _ of readPieces(body, COPIED_BYTES, () => progress++)) read++;
  counter.stop();
  expect([read, progress]).toEqual([51, 51]);
  expect(counter.turns()).toBeGreaterThanOrEqual(read);
});
