import { createServer } from "node:http";
import { listen } from "./listen.js";

/** A web server that shows the same page for every URL and host name, except that `/redirect?to=` redirects. */
export async function webServer() {
  const { port, close } = await listen(
    createServer((request, response) => {
      const [, target] = /^\/redirect\?to=(.*)$/.exec(request.url) ?? [];
      if (target !== undefined) {
        response.writeHead(302, { Location: decodeURIComponent(target) }).end();
        return;
      }
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      response.end("<!doctype html><title>page</title><p>This page loaded.</p>");
    }),
  );
  return {
    /** The address of a page on this server, under any host name. */
    url: (hostAndPath) => `http://${hostAndPath.replace("/", `:${port}/`)}`,
    close,
  };
}
