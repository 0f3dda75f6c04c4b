interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly port?: number;
}

/** Whether an error comes from the operating system. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is below a file that is not a directory",
  EISDIR: "is a directory",
  EACCES: "may not be opened by this user",
  EPERM: "may not be changed by this user",
  EROFS: "is on a read-only file system",
  ENOSPC: "cannot be written, because the disk is full",
  EDQUOT: "cannot be written, because this user's disk quota is used up",
};

/** What went wrong, as a sentence that names the file. */
export function systemProblem(error: SystemError): string {
  const problem = FILE_PROBLEMS[error.code];
  if (error.path === undefined || problem === undefined) return error.message;
  return `${error.path} ${problem}`;
}

/** Why a server cannot listen, as a sentence that names the address. */
export function listenProblem({ code, message, port = 0 }: SystemError, host: string): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use by another program`;
    case "EACCES":
      return `Port ${port} of ${host} may not be used by this user`;
    case "EADDRNOTAVAIL":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${JSON.stringify(host)} is not an address of this machine`;
    default:
      return `The server cannot listen on port ${port} of ${host}: ${message}`;
  }
}
