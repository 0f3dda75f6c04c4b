import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { forbidWebAssembly } from "./security-headers.ts";
import { readStaticFiles } from "./static-files.ts";

export interface ServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The address to listen on; the loopback interface by default. */
  readonly host?: string;
  /** Whether the page may use WebAssembly; `true` by default. */
  readonly allowsWebAssembly?: boolean;
  /** The folder of the built page; the one in this package by default. */
  readonly folder?: string;
}

export interface RunningServer {
  /** The URL of the page, with a slash at its end. */
  readonly url: string;
  /** Answers the requests that were made already, and then stops; after `graceMs` it stops in any case. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

const PAGE = fileURLToPath(new URL("../web/", import.meta.url));
const GRACE_MS = 5000;

/** Listens, or rejects with the system's error (`EADDRINUSE`). */
function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    // Browsers keep connections open without using them.
    server.closeIdleConnections();
  });
}

/** Serves the page. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, host = "127.0.0.1", allowsWebAssembly = true, folder = PAGE } = options;
  const files = await readStaticFiles(folder, allowsWebAssembly ? {} : { edit: forbidWebAssembly });
  const app = createApp({ files, allowsWebAssembly });
  const server = createServer(getRequestListener(app.fetch));
  await listen(server, port, host);
  const { port: actual } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${actual}/`,
    stop: (graceMs = GRACE_MS) => stop(server, graceMs),
  };
}
