import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { StoreError, StoreErrorCode } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";

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

interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
}

/** Whether an error comes from the operating system. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is below a file that is not a directory",
  EISDIR: "is a directory",
  EACCES: "may not be opened or changed by this user",
  EPERM: "may not be changed by this user",
  EROFS: "is on a read-only file system",
  ENOSPC: "cannot be written, because the disk is full",
  EDQUOT: "cannot be written, because this user's disk quota is used up",
};

/** Describes a system error in a sentence that names the file, if the error has a path. */
export function systemProblem(error: SystemError): string {
  const problem = FILE_PROBLEMS[error.code];
  const { path } = error;
  if (path === undefined) return reasonOf(error);
  if (problem === undefined) return `${path}: ${reasonOf(error)}`;
  const folder = dirname(path);
  // A file that was to be made cannot be what is missing.
  const cause =
    error.code === "ENOENT" && !existsSync(folder) ? `: there is no folder ${folder}` : "";
  return `${path} ${problem}${cause}`;
}
