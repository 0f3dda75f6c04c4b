import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { forbidWebAssembly } from "./forbid-webassembly.ts";
import { readStaticFiles } from "./static-files.ts";

export interface ServerOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** The address to listen on; the loopback interface when left out. */
  readonly host?: string;
  /** Whether the page may use WebAssembly; it may when left out. */
  readonly allowsWebAssembly?: boolean;
  /** The folder of the built page; its place in this package when left out. */
  readonly folder?: string;
}

export interface RunningServer {
  /** Where the page is, with a slash at its end. */
  readonly url: string;
  /** Answers what was asked already, and then stops; after `graceMs` it stops in any case. */
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
    // Browsers keep connections open on which they ask nothing.
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
