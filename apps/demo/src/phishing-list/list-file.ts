import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFile } from "@x/command-line/node";
import { encodePrefixList, type PrefixList } from "@x/prefix-list";
import { phishingHosts, phishingList } from "./phishing-list.ts";

/** The list file. It is in a folder that Git ignores, for files that can be made again. */
const FILE = fileURLToPath(
  new URL("../../node_modules/.cache/urlhash/eth-phishing-detect.list", import.meta.url),
);

export interface PhishingListFile {
  readonly hosts: readonly string[];
  readonly list: PrefixList;
  readonly file: string;
}

/** Writes the list of phishing sites to a file that `urlhash` can read. */
export async function writePhishingList(): Promise<PhishingListFile> {
  const hosts = await phishingHosts();
  const list = phishingList(hosts);
  await mkdir(dirname(FILE), { recursive: true });
  // Another process may read the file at the same time.
  await replaceFile(FILE, encodePrefixList(list), null);
  return { hosts, list, file: FILE };
}
