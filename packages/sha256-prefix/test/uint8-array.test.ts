import { runInNewContext } from "node:vm";
import { fullHash, hashPrefix, isUint8Array, toHex } from "@x/sha256-prefix";
import { expect, test } from "vitest";

function transferred(): Uint8Array {
  const bytes = Uint8Array.of(1, 2);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

function shrunk(): Uint8Array {
  // The type library does not have resizable buffers yet.
  const resizable = ArrayBuffer as unknown as new (
    length: number,
    options: { maxByteLength: number },
  ) => ArrayBuffer & { resize(length: number): void };
  const buffer = new resizable(8, { maxByteLength: 8 });
  const bytes = new Uint8Array(buffer, 4, 4);
  buffer.resize(2);
  return bytes;
}

test.each([
  ["a plain one", new Uint8Array(1)],
  ["an empty one", new Uint8Array()],
  ["a Buffer", Buffer.of(1)],
  ["one in shared memory", new Uint8Array(new SharedArrayBuffer(1))],
  ["one of another realm", runInNewContext("Uint8Array.of(1)")],
])("%s is a Uint8Array", (_what, value) => {
  expect(isUint8Array(value)).toBe(true);
});

test.each([
  ["an array", [1]],
  ["a string", "1"],
  ["a Uint8ClampedArray", new Uint8ClampedArray(1)],
  ["an Int8Array", new Int8Array(1)],
  ["a Uint32Array", new Uint32Array(1)],
  ["a DataView", new DataView(new ArrayBuffer(1))],
  ["an ArrayBuffer", new ArrayBuffer(1)],
  ["an object that calls itself one", { [Symbol.toStringTag]: "Uint8Array", length: 1, 0: 1 }],
  ["one whose memory was transferred", transferred()],
  ["one whose memory became too small", shrunk()],
  ["null", null],
  ["nothing", undefined],
])("%s is not a Uint8Array", (_what, value) => {
  expect(isUint8Array(value)).toBe(false);
});

test("every function refuses an array whose memory was transferred", () => {
  const bytes = transferred();
  for (const run of [() => fullHash(bytes), () => toHex(bytes), () => hashPrefix(bytes as never)]) {
    expect(run).toThrow(TypeError);
    expect(run).toThrow(/^\w+ must be (a string or )?a Uint8Array/);
  }
});
