import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const README = new URL("../../../../../README.md", import.meta.url);
/** The file that the operator of the page may replace. The default file sets nothing. */
const SETTINGS = "settings.json";
const NOTHING = "{}\n";

/** Puts the default settings and the README of the project, which every browser can show as text, beside the page. */
export function filesBeside(): Plugin {
  return {
    name: "urlhash:files-beside",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: SETTINGS, source: NOTHING });
      this.emitFile({ type: "asset", fileName: "readme.txt", source: await readFile(README) });
    },
    configureServer(server) {
      server.middlewares.use(`/${SETTINGS}`, (_, response) => response.end(NOTHING));
    },
  };
}
