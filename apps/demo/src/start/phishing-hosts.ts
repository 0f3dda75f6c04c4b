import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** The host names on the block list inside the npm package `eth-phishing-detect`: real phishing sites. */
export async function phishingHosts(): Promise<readonly string[]> {
  const file = createRequire(import.meta.url).resolve("eth-phishing-detect/src/config.json");
  const config = JSON.parse(await readFile(file, "utf8")) as { blacklist: string[] };
  return config.blacklist;
}
