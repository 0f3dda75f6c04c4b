import { fromHex } from "@x/sha256-prefix";
import type { ListFormat } from "./format.ts";
import { HASH_REFUSALS, hashParser } from "./parts/hash-lines.ts";

const HEX = /^(?:[0-9A-Fa-f]{2})*$/;

/** One full hash or hash prefix per line, in hexadecimal. */
export const hex: ListFormat<"hex", "hash-line", "hash-invalid" | "hash-length"> = {
  name: "hex",
  title: "hashes in hexadecimal",
  shape: {
    code: "hash-line",
    found: "a hash",
    pattern: /^(?=[0-9]*[A-Fa-f])(?:[0-9A-Fa-f]{2}){4,32}$/,
  },
  refusals: HASH_REFUSALS,
  parser: (output) => hashParser(output, (text) => (HEX.test(text) ? fromHex(text) : null)),
};
