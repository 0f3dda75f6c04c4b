import type { Plugin } from "vite";

/** The operator of the page may replace this file. As it is, it sets nothing. */
const FILE = "settings.json";
const NOTHING = "{}\n";

/** Puts a file for the settings of the operator beside the page. */
export function pageSettings(): Plugin {
  return {
    name: "urlhash:page-settings",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: NOTHING });
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_, response) => response.end(NOTHING));
    },
  };
}
