import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFile } from "@x/command-line/node";
import { encodePrefixList, type PrefixList } from "@x/prefix-list";
import { phishingHosts, phishingList } from "./phishing-list.ts";

/** A folder that Git ignores, for files that can be regenerated. */
export const CACHE_FOLDER: string = fileURLToPath(
  new URL("../../node_modules/.cache/urlhash/", import.meta.url),
);
const FILE = join(CACHE_FOLDER, "eth-phishing-detect.list");

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
