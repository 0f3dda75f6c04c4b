import { isHexHash } from "@x/canon/other-text";
import { fromHex } from "@x/sha256-prefix";
import type { ListFormat } from "./format.ts";
import { hashParser } from "./parts/hash-lines.ts";

const HEX = /^(?:[0-9A-Fa-f]{2})*$/;

/** One full hash or hash prefix per line, in hexadecimal. */
export const hex: ListFormat = {
  name: "hex",
  title: "hashes in hexadecimal",
  shape: {
    code: "hash-line",
    found: "a hash",
    pattern: { test: isHexHash },
  },
  parser: (output) => hashParser(output, (text) => (HEX.test(text) ? fromHex(text) : null)),
};
