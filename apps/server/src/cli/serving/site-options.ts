import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { PREFIX_BYTES } from "@x/list-store/serving";
import { apiKeys } from "../../serve/api-keys.ts";
import { type OhttpKeys, openOhttpKeys, parseOhttpKeys } from "../../serve/ohttp/ohttp-keys.ts";
import { operatorFrom } from "../../serve/pages/operator.ts";
import type { SiteOptions } from "../../serve/site.ts";
import { namingFile } from "../../storage/naming-file.ts";
import type { Settings } from "../settings/schema.ts";
import { filesBesideStore, readPublicKeys } from "../store-files.ts";
import { readUpstreams } from "../upstreams.ts";

async function readOhttpKeys(file: string): Promise<OhttpKeys> {
  const text = await readFile(file, "utf8").catch(namingFile(file));
  return explained(() => openOhttpKeys(parseOhttpKeys(text, file)));
}

/** Calls `read`, whose errors are for the operator. */
async function explained<Read>(read: () => Read | Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    throw new Failure((error as Error).message, { cause: error });
  }
}

/** Reads the files that the settings name, and returns what can change while the server runs. */
export async function readSiteOptions(
  settings: Settings,
  storage: SiteOptions["storage"],
): Promise<SiteOptions> {
  const { publicKeyFile, upstreamsFolder } = filesBesideStore(settings);
  const { wait, cache, poll, keep, readers, upstreams, operator } = settings;
  const { "served-lists": only, "optional-lists": optional, "ohttp-keys": ohttpFile } = settings;
  const keys = Object.values(readers).map(({ "key-sha256": hash, lists }) => ({ hash, lists }));
  return {
    storage,
    wait,
    cache,
    poll,
    window: keep.differences,
    only: only && new Set(only),
    optional: new Set(optional),
    longer: settings["prefix-bytes"].filter((length) => length > PREFIX_BYTES),
    upstreams: await readUpstreams(upstreams, upstreamsFolder),
    publicKeys: await readPublicKeys(publicKeyFile),
    origins: new Set(settings["cors-origins"]),
    keys: await explained(() => apiKeys(keys, new Set(settings["public-lists"]))),
    ohttp: ohttpFile === undefined ? undefined : await readOhttpKeys(ohttpFile),
    operator: operatorFrom(operator),
  };
}
