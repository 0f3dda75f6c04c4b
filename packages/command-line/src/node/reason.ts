import { getSystemErrorMap } from "node:util";
import { Failure } from "../failure.ts";

/** Reasons that are clearer than those of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  EISDIR: "it is a directory",
  ENOTDIR: "part of its path is not a directory",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "this user's disk quota is used up",
};

/** Describes an error in one clause, without the name of a system call. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code } = error as NodeJS.ErrnoException;
  // Other libraries, such as zlib, have their own error numbers.
  const [name, reason] = getSystemErrorMap().get(errno ?? 0) ?? [];
  return name !== undefined && name === code ? (REASONS[name] ?? reason!) : error.message;
}

/**
 * Returns a handler for `catch`, which throws a {@link Failure} with a message such as `cannot read urls.txt: no such
 * file or directory`.
 */
export function failTo(what: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot ${what}: ${reasonOf(error)}`, { cause: error });
  };
}
