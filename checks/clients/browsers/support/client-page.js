import { createServer, request } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "../../../../node_modules/vite/dist/node/index.js";

const FOLDER = fileURLToPath(new URL("in-browser", import.meta.url));
const ENTRIES = ["page", "worker", "service-worker"];

/** Bundles the scripts that run in browsers, from the built packages. */
async function bundles() {
  const client = (path) =>
    fileURLToPath(new URL(`../../../../packages/client/dist/${path}`, import.meta.url));
  const built = ENTRIES.map(async (name) => {
    const { output } = await build({
      root: FOLDER,
      configFile: false,
      logLevel: "error",
      resolve: {
        alias: {
          "@x/client/browser": client("browser/index.js"),
          "@x/client": client("index.js"),
          vitest: `${FOLDER}/expect.js`,
        },
      },
      build: {
        write: false,
        target: "es2022",
        rollupOptions: { input: `${FOLDER}/${name}.js` },
      },
    });
    return [`/${name}.js`, output.find(({ type }) => type === "chunk").code];
  });
  return new Map(await Promise.all(built));
}

/** A web server with the page that tests the client. All other requests go to the list server at `listServerPort`. */
export async function clientPage(listServerPort) {
  const scripts = await bundles();
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    if (url === "/") {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end('<!doctype html><script type="module" src="page.js"></script>');
      return;
    }
    if (scripts.has(url)) {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(scripts.get(url));
      return;
    }
    const target = { host: "127.0.0.1", port: listServerPort, method, path: url, headers };
    const forwarded = request(target, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
