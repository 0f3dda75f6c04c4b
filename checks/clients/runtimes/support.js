import { writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { background } from "../server/support/background.js";
import { freePort } from "../server/support/free-port.js";
import { listen } from "../server/support/listen.js";
import { newFolder } from "../server/support/new-folder.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const { build } = await import(
  createRequire(join(ROOT, "package.json"))
    .resolve("vite")
    .replace(/\.cjs$/, ".js")
);

/** Bundles a file and everything that it imports into one module or script. */
export async function bundle(file, format = "es") {
  const output = await build({
    root: join(ROOT, "checks"),
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "workspace",
        // Examples are outside the workspace, and install the packages from npm.
        resolveId(id, importer) {
          if (!id.startsWith("@x/") || importer?.includes("/packages/")) return null;
          return this.resolve(id, join(ROOT, "checks/package.json"));
        },
      },
    ],
    build: {
      write: false,
      target: "es2022",
      lib: { entry: fileURLToPath(new URL(file, import.meta.url)), formats: [format], name: "it" },
      rollupOptions: { output: { codeSplitting: false } },
    },
  });
  return output[0].output[0].code;
}

/** A KV namespace as `workerd` asks for it over HTTP. */
export async function kvNamespace() {
  const values = new Map();
  const { port, close } = await listen(
    createServer(async (request, response) => {
      const key = decodeURIComponent(new URL(request.url, "http://kv").pathname.slice(1));
      if (request.method === "PUT") values.set(key, await buffer(request));
      if (request.method === "DELETE") values.delete(key);
      const value = request.method === "GET" ? values.get(key) : Buffer.alloc(0);
      response.writeHead(value === undefined ? 404 : 200).end(value);
    }),
  );
  return { address: `127.0.0.1:${port}`, values, close };
}

function canConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => {
        socket.end();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
}

/** Runs a Worker in workerd, with a variable SERVER and a KV namespace. */
export async function startWorker(code, { server, kv, binding }) {
  const port = await freePort();
  const folder = newFolder("worker");
  writeFileSync(join(folder, "worker.js"), code);
  const config = join(folder, "worker.capnp");
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "kv", external = (address = "${kv.address}", http = ())),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "SERVER", text = "${server}"),
    (name = "${binding}", kvNamespace = "kv"),
  ],
);
`,
  );
  const { default: path } = createRequire(import.meta.url)("workerd");
  const { stop, until } = background(path, ["serve", config], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  await until("workerd to listen", () => canConnect(port));
  return { origin: `http://127.0.0.1:${port}`, stop };
}

/** Serves a page with a strict policy, and passes requests for the API on to a server. */
export function pageServer(script, api) {
  const server = createServer((request, response) => {
    if (request.url === "/page.js") {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
    } else if (request.url.startsWith("/v5/")) {
      const { port } = new URL(api);
      const { method, url, headers } = request;
      const passed = httpRequest(
        { host: "127.0.0.1", port, method, path: url, headers },
        (reply) => {
          response.writeHead(reply.statusCode, reply.headers);
          reply.pipe(response);
        },
      );
      request.pipe(passed);
    } else {
      response
        .writeHead(200, {
          "Content-Type": "text/html",
          "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; connect-src 'self' http://127.0.0.1:9",
        })
        .end('<!doctype html><body><script type="module" src="/page.js"></script>');
    }
  });
  return listen(server);
}
