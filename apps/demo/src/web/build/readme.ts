import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const README = new URL("../../../../../README.md", import.meta.url);

/** Puts the README of the project beside the page, as a text file, which every browser can show. */
export function readme(): Plugin {
  return {
    name: "urlhash:readme",
    apply: "build",
    async buildStart() {
      this.emitFile({ type: "asset", fileName: "readme.txt", source: await readFile(README) });
    },
  };
}
