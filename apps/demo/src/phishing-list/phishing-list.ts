import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFile } from "@x/command-line/node";
import { exactExpression } from "@x/expressions";
import { encodePrefixList, type PrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import * as v from "valibot";
import { NAME, YEAR } from "./about.ts";

/** The release date of `eth-phishing-detect` 1.2.0. With a fixed date, the list is always the same. */
const CREATED = Date.UTC(YEAR, 0, 1);

const CONFIG = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ blacklist: v.pipe(v.array(v.string()), v.nonEmpty()) }),
);

/** Returns the path of the file in the npm package `eth-phishing-detect` that has the host names. */
export function phishingHostsFile(): string {
  return createRequire(import.meta.url).resolve("eth-phishing-detect/src/config.json");
}

export async function phishingHosts(): Promise<readonly string[]> {
  return v.parse(CONFIG, await readFile(phishingHostsFile(), "utf8")).blacklist;
}

/** With 5 bytes, less than one harmless URL in a million is listed by chance. */
const PREFIX_BYTES = 5;

export function phishingList(hosts: readonly string[]): PrefixList {
  const hashes = hosts.map((host) => fullHash(exactExpression(host)));
  return prefixList(hashes, { name: NAME, created: CREATED, prefixBytes: PREFIX_BYTES });
}

/** A folder that Git ignores, for files that can be regenerated. */
export const CACHE_FOLDER: string = fileURLToPath(
  new URL("../../node_modules/.cache/urlhash/", import.meta.url),
);
const FILE = join(CACHE_FOLDER, `${NAME}.list`);

export interface PhishingListFile {
  readonly hosts: readonly string[];
  readonly list: PrefixList;
  readonly file: string;
}

/** Writes the list of phishing sites to a file that `urlhash` can read. */
export async function writePhishingList(): Promise<PhishingListFile> {
  const hosts = await phishingHosts();
  const list = phishingList(hosts);
  await mkdir(CACHE_FOLDER, { recursive: true });
  // Another process may read the file at the same time.
  await replaceFile(FILE, encodePrefixList(list), null);
  return { hosts, list, file: FILE };
}
