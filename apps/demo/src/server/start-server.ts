import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { forbidWebAssembly, securityHeaders } from "./security-headers.ts";
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

/** Returns a class whose responses all have these headers, even responses that `node:http` sends by itself. */
function responsesWith(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(request: Request) {
      super(request);
      this.setHeaders(new Headers(headers));
    }
  };
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Answers requests that are not valid HTTP. For these requests, there is no response object, only a socket. */
function refuseMalformed(server: Server, headers: Readonly<Record<string, string>>): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const lines = [
      `HTTP/1.1 ${STATUS_LINES[error.code ?? ""] ?? "400 Bad Request"}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "Content-Length: 0",
      "Connection: close",
    ];
    socket.end(`${lines.join("\r\n")}\r\n\r\n`);
  });
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, host = "127.0.0.1", allowsWebAssembly = true, folder = PAGE } = options;
  const files = await readStaticFiles(folder, allowsWebAssembly ? undefined : forbidWebAssembly);
  const app = createApp(files);
  const headers = securityHeaders(allowsWebAssembly);
  const server = createServer(
    { ServerResponse: responsesWith(headers) },
    getRequestListener(app.fetch),
  );
  refuseMalformed(server, headers);
  server.listen(port, host);
  await once(server, "listening");
  const { port: actual } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${actual}/`,
    stop: (graceMs = GRACE_MS) => stop(server, graceMs),
  };
}
