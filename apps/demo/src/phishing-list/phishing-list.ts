import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type PrefixList, prefixList } from "@x/prefix-list";
import { entryHash } from "./read-entry.ts";

const NAME = "eth-phishing-detect";

/** When the contents were settled: the release of the package's version 1.2.0. */
const CREATED = Date.UTC(2023, 0, 1);

/** The host names on the block list inside the npm package `eth-phishing-detect`: real phishing sites. */
export async function phishingHosts(): Promise<readonly string[]> {
  const file = createRequire(import.meta.url).resolve(`${NAME}/src/config.json`);
  const config = JSON.parse(await readFile(file, "utf8")) as { blacklist: string[] };
  return config.blacklist;
}

/** Their 4-octet hash prefixes; the same list whenever it is made. */
export function phishingList(hosts: readonly string[]): PrefixList {
  return prefixList(hosts.map(entryHash), { name: NAME, created: CREATED, prefixBytes: 4 });
}
