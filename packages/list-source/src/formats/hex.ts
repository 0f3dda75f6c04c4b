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
    pattern: /^(?=[0-9]*[A-Fa-f])(?:[0-9A-Fa-f]{2}){4,32}$/,
  },
  parser: (output) => hashParser(output, (text) => (HEX.test(text) ? fromHex(text) : null)),
};
