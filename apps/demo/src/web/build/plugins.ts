import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { encodePrefixList } from "@x/prefix-list";
import type { Plugin } from "vite";
import { NAME } from "../../phishing-list/about.ts";
import {
  phishingHosts,
  phishingHostsFile,
  phishingList,
} from "../../phishing-list/phishing-list.ts";

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

const MODULE = "virtual:real-list";
const RESOLVED = `\0${MODULE}`;
const FILE = `${NAME}.list`;

async function buildList(): Promise<Uint8Array> {
  return encodePrefixList(phishingList(await phishingHosts()));
}

/** Makes the list at build time, so that it need not be committed, and gives the page the URL of the list. */
export function phishingListFile(): Plugin {
  const devUrl = `/@${FILE}`;
  let isBuild = true;
  return {
    name: "urlhash:real-list",
    configResolved(config) {
      isBuild = config.command === "build";
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null;
      if (!isBuild) return `export default ${JSON.stringify(devUrl)};`;
      const source = await buildList();
      const originalFileName = phishingHostsFile();
      const reference = this.emitFile({ type: "asset", name: FILE, source, originalFileName });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
    configureServer(server) {
      server.middlewares.use(devUrl, (_, response, next) => {
        buildList().then((bytes) => response.end(bytes), next);
      });
    },
  };
}

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
