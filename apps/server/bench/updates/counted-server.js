import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createProxy } from "node:net";
import { promisify } from "node:util";
import { gzip as gzipWithCallback } from "node:zlib";

const HOST = "127.0.0.1";
const gzip = promisify(gzipWithCallback);
/** The level that most web servers use when they compress answers on the fly. */
const GZIP_LEVEL = 6;
/** Shorter files are not compressed, as with nginx. */
const MIN_GZIP_BYTES = 20;

async function listen(server) {
  server.listen(0, HOST);
  await once(server, "listening");
  return server.address().port;
}

/** A proxy that counts every byte that a server sends, headers included. TLS would add a few percent to each count. */
export async function countedServer(port) {
  const counts = { bytes: 0 };
  const sockets = new Set();
  const proxy = createProxy((client) => {
    const server = connect(port, HOST);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    client.on("close", () => server.destroy());
    server.on("data", (chunk) => {
      counts.bytes += chunk.length;
    });
    client.pipe(server).pipe(client);
  });
  const origin = `http://${HOST}:${await listen(proxy)}`;
  return {
    origin,
    /** Runs a reader, and returns its result and the number of bytes that it downloaded. */
    async count(read) {
      const before = counts.bytes;
      const result = await read();
      return { result, bytes: counts.bytes - before };
    },
    close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * A static host, which answers with the headers that nginx sends. `read` returns the bytes of a file or `null`, and
 * `isCompressed` says whether files are sent with gzip.
 */
export async function staticHost(read, { isCompressed }) {
  const files = new Map();
  /** Returns a file as it is sent. The last file is cached, because readers request the same file one after another. */
  async function sent(path) {
    const bytes = await read(path);
    if (bytes === null) return null;
    const known = files.get(path);
    if (known?.bytes === bytes) return known;
    const isSmaller = isCompressed && bytes.length >= MIN_GZIP_BYTES;
    const body = isSmaller ? await gzip(bytes, { level: GZIP_LEVEL }) : bytes;
    const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}"`;
    const file = { bytes, body, etag, encoding: isSmaller ? "gzip" : null };
    files.clear();
    files.set(path, file);
    return file;
  }
  const counts = { requests: 0 };
  const server = createServer(async (request, response) => {
    counts.requests++;
    const file = await sent(decodeURI(request.url.slice(1)));
    response.setHeader("Server", "nginx");
    if (file === null) {
      const body = "<html><head><title>404 Not Found</title></head></html>\r\n";
      response.writeHead(404, { "Content-Type": "text/html", "Content-Length": body.length });
      response.end(body);
      return;
    }
    const { body, etag, encoding } = file;
    const facts = { "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", ETag: etag };
    if (request.headers["if-none-match"] === etag) {
      response.writeHead(304, facts).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": isCompressed ? "text/plain" : "application/octet-stream",
      "Content-Length": body.length,
      ...facts,
      ...(encoding !== null && { "Content-Encoding": encoding, Vary: "Accept-Encoding" }),
      "Accept-Ranges": "bytes",
    });
    response.end(body);
  });
  const counted = await countedServer(await listen(server));
  return {
    ...counted,
    async count(read) {
      const before = counts.requests;
      return { ...(await counted.count(read)), requests: counts.requests - before };
    },
    close() {
      counted.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
