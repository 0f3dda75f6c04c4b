import { reasonOf } from "@x/command-line/node";

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
  if (error.path === undefined) return reasonOf(error);
  return problem === undefined ? `${error.path}: ${reasonOf(error)}` : `${error.path} ${problem}`;
}
