import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { example } from "../support/example.js";
import { freePort } from "../support/free-port.js";
import { waitFor } from "../support/wait-for.js";

/** The maximum number of requests in progress. */
const CONCURRENCY = 32;

/** The settings around the files of conf.d in Debian's nginx.conf, with the test's own folders. */
const config = (folder) => `
daemon off;
${process.getuid() === 0 ? "user root;" : ""}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/urlhash.conf;
}
`;

/** The application behind nginx, which says which host and path it was asked for. */
async function application() {
  const server = createServer(({ headers, url }, response) =>
    response.end(`${headers.host} ${url}`),
  );
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return server;
}

/**
 * Debian's nginx with the sites of docs/examples/nginx, in front of the server at `origin`. People who are blocked get
 * `blockedPage`.
 */
export async function nginxAuth({ path, origin, blockedPage }) {
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  const app = await application();
  const port = await freePort();
  const sites = example("nginx/urlhash.conf", {
    "listen 80": `listen 127.0.0.1:${port}`,
    "/var/cache/nginx": folder,
    "/etc/nginx/urlhash-blocked.html": join(folder, "blocked.html"),
    "127.0.0.1:8080": new URL(origin).host,
    "127.0.0.1:8000": `127.0.0.1:${app.address().port}`,
  });
  writeFileSync(join(folder, "urlhash.conf"), sites);
  writeFileSync(join(folder, "blocked.html"), blockedPage ?? "");
  const file = join(folder, "nginx.conf");
  writeFileSync(file, config(folder));
  const nginx = spawn(path, ["-p", folder, "-c", file], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
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
    nginx.kill("SIGTERM");
    await ended;
    app.closeAllConnections();
    await new Promise((resolve) => app.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await waitFor("nginx", () => get("site.example", "/leave").catch(() => null));
  } catch (error) {
    await stop();
    throw error;
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
