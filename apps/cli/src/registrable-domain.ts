import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * The registrable domain of a host, which in v5 is the shortest host suffix. The Public Suffix List is loaded when it is
 * first needed, because most checks need none and finish before it is loaded.
 */
export function registrableDomain(host: string): string | null {
  const { getDomain } = require("tldts") as typeof import("tldts");
  return getDomain(host, { allowPrivateDomains: true, extractHostname: false });
}
