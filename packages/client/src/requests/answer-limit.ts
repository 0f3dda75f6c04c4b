import type { Purpose } from "./request.ts";

const MIB = 2 ** 20;

/** The maximum length of an answer, in bytes after decompression. */
export const MAX_ANSWER_BYTES: Readonly<Record<Purpose, number>> = {
  update: 128 * MIB,
  search: 4 * MIB,
};
