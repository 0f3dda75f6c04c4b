import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { errorReply, type Reply } from "./reply.ts";

/** Enough for 1000 hash prefixes in a query; Node's own limit is 16 kB. */
const MAX_HEADER_BYTES = 64 * 2 ** 10;
const MAX_BODY_BYTES = 2 ** 20;
const MAX_CONNECTIONS = 10_000;
/** How long a request may take to arrive, in milliseconds; its headers a third of it. */
const REQUEST_TIMEOUT = 30_000;
const KEEP_ALIVE = 60_000;

/** A request whose body was read. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: { get(name: string): string | null };
  readonly body: Uint8Array;
  /** The address that the connection comes from. */
  readonly address: string;
}

export interface HttpOptions {
  readonly answer: (request: PlainRequest) => Promise<Reply>;
  /** Called after each reply with the milliseconds it took. */
  readonly onReply: (reply: Reply, method: string, milliseconds: number) => void;
  readonly onError: (error: unknown) => void;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** How long a request may take to arrive, in milliseconds. */
  readonly requestTimeout?: number;
}

const EMPTY = new Uint8Array(0);
const METHODS = new Set(["GET", "HEAD", "POST"]);

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}

/** Why a request is not read any further; `null` when it is. */
function refuse(request: IncomingMessage): Reply | null {
  const { method = "", url = "" } = request;
  if (!METHODS.has(method)) {
    return errorReply("http", 405, "Use GET, HEAD or POST.", { Allow: "GET, HEAD, POST" });
  }
  if (countHosts(request) !== 1) return errorReply("http", 400, "Expected one Host header.");
  if (!url.startsWith("/")) return errorReply("http", 400, "Expected a path.");
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > MAX_BODY_BYTES) return errorReply("http", 413, "The body is too large.");
  return null;
}

/** The body, or `null` when it is too large. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function replyTo(request: IncomingMessage, options: HttpOptions): Promise<Reply> {
  const refused = refuse(request);
  if (refused !== null) return refused;
  const { method = "", url = "", headers } = request;
  const body = method === "POST" ? await readBody(request) : EMPTY;
  if (body === null) return errorReply("http", 413, "The body is too large.");
  return options.answer({
    method: method === "HEAD" ? "GET" : method,
    target: url,
    headers: { get: (name) => (headers[name] as string | undefined) ?? null },
    body,
    address: request.socket.remoteAddress ?? "",
  });
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { status, headers, body } = reply;
  const length = status === 304 ? {} : { "Content-Length": body.length };
  // What was not read of a body would be taken for the next request.
  const rest = request.complete ? {} : { Connection: "close" };
  response.writeHead(status, { ...headers, ...length, ...rest });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** An HTTP server that bounds what one connection may ask for. */
export function createHttpServer(options: HttpOptions): Server {
  const { onReply, onError, tls, requestTimeout = REQUEST_TIMEOUT } = options;
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeout / 3,
    requestTimeout,
    connectionsCheckingInterval: requestTimeout / 6,
    keepAliveTimeout: KEEP_ALIVE,
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const start = performance.now();
    let reply: Reply;
    try {
      reply = await replyTo(request, options);
    } catch (error) {
      if (response.destroyed) return;
      onError(error);
      reply = errorReply("http", 500, "The server failed.");
    }
    send(request, response, reply);
    onReply(reply, request.method ?? "", performance.now() - start);
  };
  const server =
    tls === null
      ? createServer(limits, listener)
      : createTlsServer({ ...limits, ...tls }, listener);
  server.maxConnections = MAX_CONNECTIONS;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
    const status =
      error.code === "HPE_HEADER_OVERFLOW"
        ? "431 Request Header Fields Too Large"
        : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
          ? "408 Request Timeout"
          : "400 Bad Request";
    return socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  return server;
}

/** Takes no new connections, and waits for the answers that are under way, at most so many milliseconds. */
export function drain(server: Server, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
