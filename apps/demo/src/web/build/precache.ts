import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** The placeholder for the files to keep, in the source of the service worker. */
const PLACE = "__PRECACHE__";
const SERVICE_WORKER = "sw.js";
/** Files that are not kept for offline use. The picture is only for programs that preview links. */
const OMITTED = /^sw\.js$|\.png$/;

/** Gives the service worker the list of files and a version that changes when one of the files changes. */
export function precache(): Plugin {
  return {
    name: "urlhash:precache",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => !OMITTED.test(fileName));
        const hash = createHash("sha256");
        for (const file of files.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
          hash.update(file.fileName);
          hash.update(file.type === "chunk" ? file.code : file.source);
        }
        const worker = bundle[SERVICE_WORKER];
        if (worker?.type !== "chunk" || !worker.code.includes(PLACE)) {
          this.error(`${SERVICE_WORKER} has no placeholder for the files to keep`);
        }
        const manifest = {
          version: hash.digest("hex").slice(0, 16),
          // Browsers request the page by the name of its folder.
          files: files.map(({ fileName }) => (fileName === "index.html" ? "./" : fileName)).sort(),
        };
        worker.code = worker.code.replaceAll(PLACE, JSON.stringify(manifest));
      },
    },
  };
}
