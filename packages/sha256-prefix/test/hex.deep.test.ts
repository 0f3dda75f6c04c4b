import { toHex } from "@x/sha256-prefix";
import { expect, test } from "vitest";

test("toHex writes 128 MiB, and refuses more", () => {
  const bytes = new Uint8Array(2 ** 27 + 1);
  bytes[2 ** 26] = 0xba;
  bytes[2 ** 27 - 1] = 0x78;
  expect(() => toHex(bytes)).toThrow(RangeError);
  const hex = toHex(bytes.subarray(0, 2 ** 27));
  expect(hex.length).toBe(2 ** 28);
  expect(hex.slice(-4)).toBe("0078");
  expect(hex.slice(2 ** 27, 2 ** 27 + 2)).toBe("ba");
  expect(hex.search(/[^0]/)).toBe(2 ** 27);
});
