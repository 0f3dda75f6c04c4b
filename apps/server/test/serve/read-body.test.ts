import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { readBody } from "../../src/serve/http/answer-request.ts";

/** A request whose body arrives when `emit` is called. */
const request = () =>
  Object.assign(new EventEmitter(), { headers: {} }) as EventEmitter & IncomingMessage;

test.each([1, 7, 1000])(
  "a body in pieces of %d bytes is read without keeping the pieces",
  async (length) => {
    const received = request();
    let held = 0;
    const body = readBody(received, 60_000, (bytes) => {
      held += bytes;
      return true;
    });
    const piece = Buffer.alloc(length);
    const expected: number[] = [];
    for (let i = 0; i < 3000; i++) {
      // The next piece reuses the memory, so a piece that was kept without copying would change.
      piece.fill(i % 251);
      for (let k = 0; k < length; k++) expected.push(i % 251);
      received.emit("data", piece);
      if (expected.length > 2 ** 19) break;
    }
    received.emit("end");
    expect(Buffer.from((await body) as Uint8Array).equals(Buffer.from(expected))).toBe(true);
    expect(held).toBe(expected.length);
  },
);

test("a request without a body has an empty one", async () => {
  const received = request();
  const body = readBody(received, 60_000, () => true);
  received.emit("end");
  expect(await body).toHaveLength(0);
});
