import type { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { StoreError, StoreErrorCode } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import { isSystemError, systemProblem } from "./system-error.ts";

/** Advice that is appended to the messages of some store errors. */
const HINTS: Partial<Record<StoreErrorCode, string>> = {
  collected: " (see keep.versions)",
  "signed-later": ", or use --trust-clock if it is right",
  "not-create-only": "; use a directory, or a bucket of another server",
  unreachable: "; check its address and the network, and try again later",
  unsupported: ": name the lists (served-lists)",
};

/** Describes an error in one sentence for the user. Returns `null` for an unexpected error, which is a bug. */
export function describeError(error: unknown): string | null {
  if (isSystemError(error)) return printable(systemProblem(error));
  if (hasName<Failure>(error, "Failure")) return printable(error.message);
  if (hasName<StoreError>(error, "StoreError"))
    return printable(error.message + (HINTS[error.code] ?? ""));
  return null;
}
