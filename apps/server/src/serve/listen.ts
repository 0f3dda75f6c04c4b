import cluster from "node:cluster";
import { lstat, unlink } from "node:fs/promises";
import { type AddressInfo, connect, isIPv6, type Server } from "node:net";

/** An address that a server can listen on. */
export type Address =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string }
  /** A socket that the parent process opened, as systemd does for a socket unit. */
  | { readonly kind: "inherited"; readonly descriptor: number };

/** Whether a path is a Unix socket that a server left behind when it ended. */
async function isLeftOver(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => null);
  if (!facts?.isSocket()) return false;
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => settle(false));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => settle(code === "ECONNREFUSED"));
  });
}

/** Removes a Unix socket that a killed server left behind. */
export async function removeLeftOver(address: Address): Promise<void> {
  if (address.kind === "unix" && (await isLeftOver(address.path))) await unlink(address.path);
}

function begin(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const done = () => {
      server.off("error", reject);
      resolve();
    };
    switch (address.kind) {
      case "tcp":
        return server.listen(address.port, address.host, done);
      case "unix":
        return server.listen(address.path, done);
      case "inherited":
        return server.listen({ fd: address.descriptor }, done);
    }
  });
}

/** The origin of a listening server, such as `http://127.0.0.1:8080` or `unix:/run/lists.sock`. */
function originOf(server: Server, address: Address, isTls: boolean): string {
  const bound = server.address() as AddressInfo | string | null;
  if (bound === null || typeof bound === "string") return `unix:${bound ?? ""}`;
  const host = address.kind === "tcp" ? address.host : bound.address;
  return `${isTls ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`;
}

/** Starts to listen, and returns the origin. Replaces a Unix socket that a killed server left behind. */
export async function listen(server: Server, address: Address, isTls: boolean): Promise<string> {
  // The socket that the main process of several has opened would look as if it were left over, too.
  if (cluster.isPrimary) await removeLeftOver(address);
  await begin(server, address);
  return originOf(server, address, isTls);
}
