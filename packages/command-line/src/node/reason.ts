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

/**
 * The reason why a server cannot listen, as a sentence that names the host; `null` for an error of another
 * kind.
 *
 * @param host the host as it was given, which may be a name that does not resolve.
 */
export function listenProblem(error: unknown, host: string): string | null {
  const { code, syscall, port = 0 } = error as NodeJS.ErrnoException & { readonly port?: number };
  const shown = JSON.stringify(host);
  if (syscall === "getaddrinfo") return `The host ${shown} does not resolve to an address`;
  // A process of node:cluster, and a socket for UDP, fail to bind.
  if (syscall !== "listen" && syscall !== "bind") return null;
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use by another program`;
    case "EACCES":
      return `Port ${port} of ${host} may not be used by this user`;
    case "EADDRNOTAVAIL":
    case "EINVAL":
      return `${shown} is not an address of this machine`;
    default:
      return `The server cannot listen on port ${port} of ${host}: ${reasonOf(error)}`;
  }
}
