import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freePort } from "../server/support/free-port.js";
import { waitFor } from "../server/support/wait-for.js";

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

/** Makes a temporary folder. `write` writes a file there, and returns its path. */
export function workFolder() {
  const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
  return {
    write(name, text) {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A KV namespace as `workerd` asks for it over HTTP. */
export async function kvNamespace() {
  const values = new Map();
  const server = createServer(async (request, response) => {
    const key = decodeURIComponent(new URL(request.url, "http://kv").pathname.slice(1));
    if (request.method === "PUT") values.set(key, await buffer(request));
    if (request.method === "DELETE") values.delete(key);
    const value = request.method === "GET" ? values.get(key) : Buffer.alloc(0);
    response.writeHead(value === undefined ? 404 : 200).end(value);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${server.address().port}`,
    values,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
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
export async function startWorker(folder, code, { server, kv, binding }) {
  const port = await freePort();
  folder.write("worker.js", code);
  const config = folder.write(
    "worker.capnp",
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
  const child = spawn(path, ["serve", config], { stdio: ["ignore", "inherit", "inherit"] });
  const origin = `http://127.0.0.1:${port}`;
  await waitFor("workerd to listen", () => {
    if (child.exitCode !== null) throw new Error(`workerd ended with status ${child.exitCode}`);
    return canConnect(port);
  });
  return {
    origin,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** Serves a page with a strict policy, and passes requests for the API on to a server. */
export async function pageServer(script, api) {
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
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
