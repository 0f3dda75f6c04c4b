import type { HashedUriError } from "@x/hashed-uri";
import { printable } from "../../text/printable.ts";
import { Failure } from "../failure.ts";
import { Refused } from "../refused.ts";

function asHashedUriError(error: unknown): HashedUriError {
  if ((error as Error).name !== "HashedUriError") throw error;
  return error as HashedUriError;
}

/** What `body` gives. @throws {Refused} in place of a {@link HashedUriError} */
export function refusing<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    const { code, message, index, section } = asHashedUriError(error);
    throw new Refused(code, message, { facts: { index, section } });
  }
}

/** Tries what is the same for all input. @throws {Failure} in place of a {@link HashedUriError} */
export function tryOptions(body: () => unknown): void {
  try {
    body();
  } catch (error) {
    throw new Failure(printable(asHashedUriError(error).message));
  }
}
