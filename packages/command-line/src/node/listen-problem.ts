import { reasonOf } from "./reason.ts";

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
  if (syscall !== "listen") return null;
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
