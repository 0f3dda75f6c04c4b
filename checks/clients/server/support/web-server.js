import { createServer } from "node:http";

/** A web server that shows the same page for every URL and host name, except that `/redirect?to=` redirects. */
export async function webServer() {
  const server = createServer((request, response) => {
    const [, target] = /^\/redirect\?to=(.*)$/.exec(request.url) ?? [];
    if (target !== undefined) {
      response.writeHead(302, { Location: decodeURIComponent(target) }).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end("<!doctype html><title>page</title><p>This page loaded.</p>");
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  return {
    /** The address of a page on this server, under any host name. */
    url: (hostAndPath) => `http://${hostAndPath.replace("/", `:${port}/`)}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
