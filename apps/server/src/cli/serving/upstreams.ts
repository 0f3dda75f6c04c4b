import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { Failure } from "@x/command-line";
import { checkUpstreamNames, usualName } from "../../serve/lists/threat-rows.ts";
import type { UpstreamOptions } from "../../serve/upstream/upstream-lists.ts";
import type { Settings } from "../settings/schema.ts";
import { readPublicKeys } from "../signing.ts";

/** The v5 lists that are fetched from a server by default. */
const USUAL_LISTS = ["mw-4b", "se-4b", "uws-4b"];

/** Reads an API key, which must be the only line of its file. */
async function readKey(file: string): Promise<string> {
  const key = (await readFile(file, "utf8")).trim();
  if (/^[!-~]+$/.test(key)) return key;
  throw new Failure(`The file ${file} must have the API key on one line, and nothing else`);
}

async function readUpstream(
  name: string,
  settings: Settings["upstreams"][string],
  folder: string,
): Promise<UpstreamOptions> {
  const where = `upstreams.${name}`;
  const { protocol, server, names = {}, grace, "max-removed": limit } = settings;
  const { "key-file": keyFile, "public-keys": publicKeyFile } = settings;
  const lists = settings.lists ?? (protocol === "v5" ? USUAL_LISTS : []);
  if (lists.length === 0) throw new Failure(`${where}.lists: expected names of lists`);
  for (const list of Object.keys(names)) {
    if (!lists.includes(list)) throw new Failure(`${where}: names has ${list}, but lists does not`);
  }
  if ((protocol === "store") !== (publicKeyFile !== undefined)) {
    throw new Failure(`${where}: public-keys is needed for the protocol store, and only for it`);
  }
  if (protocol === "store" && keyFile !== undefined) {
    throw new Failure(`${where}: key-file is not for stores, which have no API keys`);
  }
  const key = keyFile === undefined ? null : await readKey(keyFile);
  const publicKeys = publicKeyFile === undefined ? null : await readPublicKeys(publicKeyFile);
  const client: UpstreamOptions["client"] = {
    protocol,
    server,
    storage: directoryStorage(join(folder, name)),
    grace,
    ...(key !== null && { key }),
    ...(publicKeys !== null && { publicKeys }),
  };
  try {
    createClient({ ...client, lists });
  } catch (error) {
    throw new Failure(`${where}: ${(error as Error).message}`, { cause: error });
  }
  return {
    name,
    client,
    lists: new Map(lists.map((list) => [list, names[list] ?? usualName(protocol, list)])),
    limit,
    settings: JSON.stringify([name, settings, key, publicKeys, folder]),
  };
}

/** Reads the keys of other servers. Each server keeps its lists in its own folder inside `folder`. */
export async function readUpstreams(
  settings: Settings["upstreams"],
  folder: string,
): Promise<UpstreamOptions[]> {
  const upstreams: UpstreamOptions[] = [];
  for (const [name, each] of Object.entries(settings))
    upstreams.push(await readUpstream(name, each, folder));
  checkUpstreamNames(upstreams.flatMap(({ lists }) => [...lists.values()]));
  return upstreams;
}
