import { runInNewContext } from "node:vm";
import { isUint8Array } from "@x/sha256-prefix";
import { expect, test } from "vitest";

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
  ["a text", "1"],
  ["a Uint8ClampedArray", new Uint8ClampedArray(1)],
  ["an Int8Array", new Int8Array(1)],
  ["a Uint32Array", new Uint32Array(1)],
  ["a DataView", new DataView(new ArrayBuffer(1))],
  ["an ArrayBuffer", new ArrayBuffer(1)],
  ["an object that calls itself one", { [Symbol.toStringTag]: "Uint8Array", length: 1, 0: 1 }],
  ["null", null],
  ["nothing", undefined],
])("%s is not a Uint8Array", (_what, value) => {
  expect(isUint8Array(value)).toBe(false);
});
