import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { Failure } from "@x/command-line";
import { changeFile } from "@x/command-line/node";
import { ifThere } from "@x/list-store/node";
import { parseRemovalLimit, type RemovalLimit } from "../../publish/removal-limits.ts";
import type { RemovalsOnce } from "../../serve/upstream/accepted-contents.ts";
import type { UpstreamOptions } from "../../serve/upstream/upstream-lists.ts";
import { checkUpstreamNames, usualName } from "../../serve/upstream/upstream-names.ts";
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
    // The names of the folders of servers have no dots, so this file name cannot be one of them.
    removalsOnce: removalsOnce(join(folder, "max-removed.once")),
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

/** Reads the limit of each list from the file. A missing file has no limits. */
async function readLimits(file: string): Promise<Map<string, RemovalLimit>> {
  const text = (await ifThere(readFile(file, "utf8"))) ?? "";
  const limits = new Map<string, RemovalLimit>();
  for (const part of text.split(/[\s,]+/)) {
    if (part === "") continue;
    const [, list, text = ""] = /^([a-z0-9-]+)=(.*)$/.exec(part) ?? [];
    const limit = parseRemovalLimit(text);
    if (list === undefined || limit === null) {
      throw new Failure(`${file}: expected limits such as malware=300, one on each line`);
    }
    limits.set(list, limit);
  }
  return limits;
}

const lineOf = ([list, limit]: [string, RemovalLimit]) =>
  `${list}=${"entries" in limit ? limit.entries : `${Math.round(100 * limit.share)}%`}\n`;

/**
 * A file in which the operator allows one update of a list to remove more than usual. Each line has the limit for one
 * list, and is deleted when it is used.
 */
export function removalsOnce(file: string): RemovalsOnce {
  return {
    howTo: (limit) =>
      `check its server; if it is right, accept it once: write ${limit} into ${file}, and send SIGHUP`,
    async use(list, isEnough) {
      const allows = (limits: ReadonlyMap<string, RemovalLimit>) => {
        const own = limits.get(list);
        return own !== undefined && isEnough(own);
      };
      if (!allows(await readLimits(file))) return false;
      let isUsed = false;
      await changeFile(file, async () => {
        const limits = await readLimits(file);
        isUsed = allows(limits);
        if (!isUsed) return null;
        limits.delete(list);
        return [...limits].map(lineOf).join("");
      });
      return isUsed;
    },
  };
}
