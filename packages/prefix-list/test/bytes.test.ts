import { concatBytes } from "@x/prefix-list/raw-hashes";
import { expect, test } from "vitest";

test("pieces of bytes are joined in memory of their own", () => {
  const piece = Uint8Array.of(1, 2);
  const joined = concatBytes([piece, new Uint8Array(0), Uint8Array.of(3)]);
  piece[0] = 9;
  expect(joined).toEqual(Uint8Array.of(1, 2, 3));
  expect(joined.buffer.byteLength).toBe(3);
  expect(concatBytes([])).toEqual(new Uint8Array(0));
});
