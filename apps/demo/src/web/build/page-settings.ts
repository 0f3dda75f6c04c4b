import type { Plugin } from "vite";

/** The file that the operator of the page may replace. The default file sets nothing. */
const FILE = "settings.json";
const NOTHING = "{}\n";

/** Puts the default settings file beside the page. */
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
