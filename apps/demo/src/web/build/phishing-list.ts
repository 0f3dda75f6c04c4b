import { encodePrefixList } from "@x/prefix-list";
import type { Plugin } from "vite";
import {
  phishingHosts,
  phishingHostsFile,
  phishingList,
} from "../../phishing-list/phishing-list.ts";

/** The module that exports the URL of the built-in list. */
const MODULE = "virtual:real-list";
const RESOLVED = `\0${MODULE}`;
const FILE = "eth-phishing-detect.list";

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
