import { encodePrefixList, prefixList } from "@x/prefix-list";
import type { Plugin } from "vite";
import { entryHash } from "../../cli/list-entries.ts";
import { phishingHosts } from "../../start/phishing-hosts.ts";

/** What the page imports to learn where the built-in list is: its URL. */
const MODULE = "virtual:real-list";
const RESOLVED = `\0${MODULE}`;
const NAME = "eth-phishing-detect";

/** When the contents were settled: the release of the package's version 1.2.0. */
const CREATED = Date.UTC(2023, 0, 1);

/** The host names that the npm package lists as phishing, as a file of 4-octet hash prefixes. */
async function buildList(): Promise<Uint8Array> {
  const hosts = await phishingHosts();
  return encodePrefixList(
    prefixList(hosts.map(entryHash), { name: NAME, created: CREATED, prefixBytes: 4 }),
  );
}

/** Makes the list at build time, so that it is never committed, and hands the page its URL. */
export function realList(): Plugin {
  const devUrl = `/@${NAME}.list`;
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
      const reference = this.emitFile({ type: "asset", name: `${NAME}.list`, source });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
    configureServer(server) {
      server.middlewares.use(devUrl, (_, response, next) => {
        buildList().then((octets) => response.end(octets), next);
      });
    },
  };
}
