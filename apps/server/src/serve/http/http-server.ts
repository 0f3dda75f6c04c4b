import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { errorReply, type Reply, type ReplyHead, type StreamReply } from "./reply.ts";
import { sendStream } from "./send-stream.ts";

/** Enough for 1000 hash prefixes in a query; Node's own limit is 16 kB. */
const MAX_HEADER_BYTES = 64 * 2 ** 10;
const MAX_BODY_BYTES = 2 ** 20;
const MAX_CONNECTIONS = 10_000;
/** How long a request may take to arrive, in milliseconds; its headers a third of it. */
const REQUEST_TIMEOUT = 30_000;
const KEEP_ALIVE = 60_000;

/** A request without its body. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: {
    get(name: string): string | null;
    /** Each value of a header that may be given more than once. */
    getAll(name: string): readonly string[];
  };
  /** The address that the connection comes from. */
  readonly address: string;
}

/** A request whose body was read. */
export interface PlainRequest extends RequestHead {
  readonly body: Uint8Array;
}

export interface HttpOptions {
  readonly answer: (request: PlainRequest) => Promise<Reply | StreamReply>;
  /** Answers a POST while its body arrives, whatever its length; `null` for one whose body is read first. */
  readonly answerStream?: (
    head: RequestHead,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<Reply | StreamReply> | null;
  /** Called after each reply with the bytes of its body and the milliseconds it took. */
  readonly onReply: (reply: ReplyHead, method: string, bytes: number, milliseconds: number) => void;
  readonly onError: (error: unknown) => void;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** How long a request may take to arrive, and how long a stream may pause, in milliseconds. */
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
  return null;
}

const tooLarge = (): Reply => errorReply("http", 413, "The body is too large.");

/** The body, or why it is not read to its end. */
function readBody(request: IncomingMessage, timeout: number): Promise<Uint8Array | Reply> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) {
    return Promise.resolve(tooLarge());
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    function settle(result: Uint8Array | Reply): void {
      clearTimeout(timer);
      resolve(result);
    }
    function refuseRest(reply: Reply): void {
      request.pause().removeListener("data", onData);
      settle(reply);
    }
    function onData(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) refuseRest(tooLarge());
      else chunks.push(chunk);
    }
    const timer = setTimeout(
      () => refuseRest(errorReply("http", 408, "The body took too long.")),
      timeout,
    );
    request.on("data", onData);
    request.once("end", () => settle(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

async function replyTo(
  request: IncomingMessage,
  options: HttpOptions,
): Promise<Reply | StreamReply> {
  const refused = refuse(request);
  if (refused !== null) return refused;
  const { method = "", url = "", headers } = request;
  const head: RequestHead = {
    method: method === "HEAD" ? "GET" : method,
    target: url,
    headers: {
      get: (name) => (headers[name] as string | undefined) ?? null,
      getAll: (name) => request.headersDistinct[name] ?? [],
    },
    address: request.socket.remoteAddress ?? "",
  };
  if (method !== "POST") return options.answer({ ...head, body: EMPTY });
  const streamed = options.answerStream?.(head, request) ?? null;
  if (streamed !== null) return streamed;
  const body = await readBody(request, options.requestTimeout ?? REQUEST_TIMEOUT);
  return body instanceof Uint8Array ? options.answer({ ...head, body }) : body;
}

/** Sends a reply. Gives the bytes of its body. */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply | StreamReply,
  options: HttpOptions,
): Promise<number> {
  if ("stream" in reply && request.method === "HEAD") {
    response.writeHead(reply.status, reply.headers).end();
    return 0;
  }
  if ("stream" in reply) {
    return sendStream(response, reply, options.requestTimeout ?? REQUEST_TIMEOUT, options.onError);
  }
  const { status, headers, body } = reply;
  const length = status === 304 ? {} : { "Content-Length": body.length };
  // What was not read of a body would be taken for the next request.
  const rest = request.complete ? {} : { Connection: "close" };
  response.writeHead(status, { ...headers, ...length, ...rest });
  response.end(request.method === "HEAD" ? undefined : body);
  return body.length;
}

/** An HTTP server that bounds what one connection may ask for. */
export function createHttpServer(options: HttpOptions): Server {
  const { onReply, onError, tls, requestTimeout = REQUEST_TIMEOUT } = options;
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeout / 3,
    // A stream may take any time; other bodies are timed where they are read.
    requestTimeout: 0,
    connectionsCheckingInterval: requestTimeout / 6,
    keepAliveTimeout: KEEP_ALIVE,
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const start = performance.now();
    let reply: Reply | StreamReply;
    try {
      reply = await replyTo(request, options);
    } catch (error) {
      if (response.destroyed) return;
      onError(error);
      reply = errorReply("http", 500, "The server failed.");
    }
    const bytes = await send(request, response, reply, options);
    onReply(reply, request.method ?? "", bytes, performance.now() - start);
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
