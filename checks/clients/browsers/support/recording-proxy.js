import { createServer } from "node:http";
import { listen } from "../../server/support/listen.js";

/** A proxy that answers every request itself, and records the requested hosts, except that of the first page. */
export async function recordingProxy() {
  const hosts = [];
  const server = createServer((request, response) => {
    const [, host, path] = /^http:\/\/([^/?#]*?)(?::[0-9]+)?(\/.*)$/.exec(request.url) ?? [];
    if (host !== undefined && host !== "start.test" && path !== "/favicon.ico") hosts.push(host);
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end("<!doctype html><title>page</title><body>");
  });
  server.on("connect", (_request, socket) => socket.destroy());
  return { hosts, ...(await listen(server)) };
}
