import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { encodePrefixList, type PrefixList } from "@x/prefix-list";
import { writeFileAtomically } from "../cli/write-file-atomically.ts";
import { phishingHosts, phishingList } from "../list/phishing-list.ts";

/** Where tools keep what can be made again; not in the repository. */
const FILE = fileURLToPath(
  new URL("../../node_modules/.cache/urlhash/eth-phishing-detect.list", import.meta.url),
);

export interface RealList {
  readonly hosts: readonly string[];
  readonly list: PrefixList;
  readonly file: string;
}

/** Builds the list of real phishing sites, as `urlhash list build` does of a file of their names. */
export async function buildRealList(file: string = FILE): Promise<RealList> {
  const hosts = await phishingHosts();
  const list = phishingList(hosts);
  await mkdir(dirname(file), { recursive: true });
  await writeFileAtomically(file, encodePrefixList(list));
  return { hosts, list, file };
}
