import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";

/** How large a message may be. */
export interface MessageLimits {
  /** The maximum length of the message in bytes; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
}

const MAX_BYTES = 64 * 2 ** 20;

/** Throws when a message is longer than the caller allows; `length` is in bytes, or in characters of ASCII. */
export function checkLength(length: number, { maxBytes = MAX_BYTES }: MessageLimits): void {
  if (typeof maxBytes !== "number") throw typeError("maxBytes", "a number", maxBytes);
  if (!(maxBytes >= 0)) throw new RangeError(`maxBytes must be a number from 0, not ${maxBytes}`);
  if (length > maxBytes) throw new WireError("message-too-large");
}
