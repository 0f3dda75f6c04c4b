import { fullHash } from "@x/sha256-prefix";
import { afterEach, expect, test, vi } from "vitest";
import { platformHash } from "../src/lists/stored-form.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([{}, undefined])(
  "hashes are the same where the platform has none: crypto = %o",
  async (crypto) => {
    for (const length of [0, 1, 63, 64, 1000]) {
      const bytes = new Uint8Array(length + 3).fill(length).subarray(3);
      const native = await platformHash(bytes);
      expect(native).toEqual(fullHash(bytes));
      vi.stubGlobal("crypto", crypto);
      expect(await platformHash(bytes)).toEqual(native);
      vi.unstubAllGlobals();
    }
  },
);
