import { runInNewContext } from "node:vm";
import { isOctets } from "@x/sha256-prefix";
import { expect, test } from "vitest";

test.each([
  ["a Uint8Array", new Uint8Array(1)],
  ["an empty one", new Uint8Array()],
  ["a Buffer", Buffer.of(1)],
  ["one in shared memory", new Uint8Array(new SharedArrayBuffer(1))],
  ["one of another realm", runInNewContext("Uint8Array.of(1)")],
])("%s is octets", (_what, value) => {
  expect(isOctets(value)).toBe(true);
});

test.each([
  ["an array", [1]],
  ["a text", "1"],
  ["a Uint8ClampedArray", new Uint8ClampedArray(1)],
  ["an Int8Array", new Int8Array(1)],
  ["a Uint32Array", new Uint32Array(1)],
  ["a DataView", new DataView(new ArrayBuffer(1))],
  ["an ArrayBuffer", new ArrayBuffer(1)],
  ["an object that calls itself one", { [Symbol.toStringTag]: "Uint8Array", length: 1, 0: 1 }],
  ["null", null],
  ["nothing", undefined],
])("%s is no octets", (_what, value) => {
  expect(isOctets(value)).toBe(false);
});
