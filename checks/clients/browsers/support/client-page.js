import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "../../../../node_modules/vite/dist/node/index.js";
import { listen } from "../../server/support/listen.js";

const FOLDER = fileURLToPath(new URL("in-browser", import.meta.url));
const ENTRIES = ["page", "worker", "service-worker"];

/** Bundles the scripts that run in browsers, from the built packages. They use the list server at `origin`. */
async function bundles(origin) {
  const client = (path) =>
    fileURLToPath(new URL(`../../../../packages/client/dist/${path}`, import.meta.url));
  const built = ENTRIES.map(async (name) => {
    const { output } = await build({
      root: FOLDER,
      configFile: false,
      logLevel: "error",
      define: { LIST_SERVER: JSON.stringify(origin) },
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

/**
 * A web server with the page that tests the client. The list server at `origin` has a different origin from the page.
 */
export async function clientPage(origin) {
  const scripts = await bundles(origin);
  const server = createServer(({ url }, response) => {
    if (url === "/") {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end('<!doctype html><script type="module" src="page.js"></script>');
      return;
    }
    if (scripts.has(url)) {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(scripts.get(url));
      return;
    }
    response.writeHead(404).end();
  });
  return listen(server);
}
