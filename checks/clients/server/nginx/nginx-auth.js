import { writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { join } from "node:path";
import { example } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { listen } from "../support/listen.js";
import { newFolder } from "../support/new-folder.js";
import { nginxSite } from "./nginx-site.js";

/** The maximum number of requests in progress. */
const CONCURRENCY = 32;

/**
 * Debian's nginx with the sites of docs/examples/nginx, in front of the server at `origin`. People who are blocked get
 * `blockedPage`.
 */
export async function nginxAuth({ path, origin, blockedPage }) {
  const folder = newFolder("nginx");
  // The application behind nginx says which host and path it was asked for.
  const app = await listen(
    createServer(({ headers, url }, response) => response.end(`${headers.host} ${url}`)),
  );
  const port = await freePort();
  const site = example("nginx/urlhash.conf", {
    "listen 80": `listen 127.0.0.1:${port}`,
    "/var/cache/nginx": folder,
    "/etc/nginx/urlhash-blocked.html": join(folder, "blocked.html"),
    "127.0.0.1:8080": new URL(origin).host,
    "127.0.0.1:8000": `127.0.0.1:${app.port}`,
  });
  writeFileSync(join(folder, "blocked.html"), blockedPage ?? "");
  const nginx = await nginxSite({ path, folder, port, site });
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

  /** Sends a request unchanged, and returns the status, the headers and the text of the answer. */
  function get(host, target, headers = {}, method = "GET") {
    return new Promise((resolve, reject) => {
      request(
        {
          host: "127.0.0.1",
          port,
          method,
          path: target,
          agent,
          headers: { ...headers, Host: host },
        },
        async (response) => {
          const pieces = await response.toArray();
          const text = Buffer.concat(pieces).toString();
          resolve({ status: response.statusCode, headers: response.headers, text });
        },
      )
        .on("error", reject)
        .end();
    });
  }

  async function stop() {
    agent.destroy();
    await nginx.stop();
    await app.close();
  }

  return {
    get,
    /** For each URL, whether nginx refuses a link to it, with 403, or with 500 when the URL cannot be read. */
    async blocks(urls) {
      const answers = urls.map((url) => {
        const link = encodeURIComponent(url.toWellFormed());
        return get("site.example", `/leave?url=${link}`);
      });
      return (await Promise.all(answers)).map(({ status }) => status !== 200);
    },
    stop,
  };
}
