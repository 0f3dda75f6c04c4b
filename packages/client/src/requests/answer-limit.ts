import type { Purpose } from "./request.ts";

const MIB = 2 ** 20;

/** The default maximum length of an answer to an update request, in bytes. */
export const USUAL_UPDATE_BYTES: number = 128 * MIB;

/** The maximum length of an answer to a search, in bytes. */
export const SEARCH_BYTES: number = 4 * MIB;

/** The maximum length of an answer, in bytes. `maxResponseBytes` is the option of this name. */
export function answerLimit(purpose: Purpose, maxResponseBytes: number): number {
  return purpose === "update" ? maxResponseBytes : Math.min(SEARCH_BYTES, maxResponseBytes);
}
