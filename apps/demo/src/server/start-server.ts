import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { PageSettings } from "../page-settings.ts";
import { createApp, readStaticFiles, SECURITY_HEADERS } from "./app.ts";

export interface ServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The address to listen on; the loopback interface by default. */
  readonly host?: string;
  /** The folder of the built page; the one in this package by default. */
  readonly folder?: string;
  /** The settings of the page, which take the place of the file in the folder. */
  readonly settings?: PageSettings | undefined;
}

export interface RunningServer {
  /** The URL of the page, with a slash at its end. */
  readonly url: string;
  /** Stops the server when all open requests have been answered, or after `graceMs` milliseconds at the latest. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

const PAGE = fileURLToPath(new URL("../web/", import.meta.url));
const GRACE_MS = 5000;

async function stop(server: Server, graceMs: number): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  server.close();
  // Browsers keep connections open without using them.
  server.closeIdleConnections();
  await once(server, "close");
  clearTimeout(force);
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, host = "127.0.0.1", folder = PAGE, settings } = options;
  const answer = getRequestListener(createApp(await readStaticFiles(folder), settings).fetch);
  const server = createServer((request, response) => {
    response.setHeaders(new Headers(SECURITY_HEADERS));
    return answer(request, response);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: actual } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${actual}/`,
    stop: (graceMs = GRACE_MS) => stop(server, graceMs),
  };
}
