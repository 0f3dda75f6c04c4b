import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { Failure } from "@x/command-line";
import { PREFIX_BYTES } from "@x/list-store/serving";
import { apiKeys } from "../../serve/api-keys.ts";
import type { Certificate } from "../../serve/endpoints.ts";
import { type OhttpKeys, openOhttpKeys, parseOhttpKeys } from "../../serve/ohttp/gateway.ts";
import { operatorFrom } from "../../serve/pages/operator.ts";
import type { SiteOptions } from "../../serve/site.ts";
import { namingFile } from "../../storage/files.ts";
import type { Settings } from "../settings/schema.ts";
import { readPublicKeys } from "../signing.ts";
import { filesBesideStore } from "../store-files.ts";
import { readUpstreams } from "./upstreams.ts";

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

/** Calls `read`. If it throws, the error names the file and its purpose. */
function readAs<Read>(file: string, what: string, read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    const { message } = cause as Error;
    throw new Failure(`${file} cannot be used as ${what}: ${message}`, { cause });
  }
}

/**
 * Reads the certificate chain and its key, and checks that they belong together. Otherwise, a server could start
 * although no client can connect to it.
 */
export async function readTlsFiles({
  certificate: certFile,
  key: keyFile,
}: NonNullable<Settings["tls"]>): Promise<Certificate> {
  const cert = await readFile(certFile).catch(namingFile(certFile));
  const key = await readFile(keyFile).catch(namingFile(keyFile));
  const first = readAs(certFile, "a certificate", () => new X509Certificate(cert));
  const privateKey = readAs(keyFile, "a private key", () => createPrivateKey(key));
  if (!first.checkPrivateKey(privateKey)) {
    throw new Failure(`The key in ${keyFile} does not belong to the certificate in ${certFile}`);
  }
  readAs(certFile, "a certificate", () => createSecureContext({ cert, key }));
  return { cert, key, expires: Date.parse(first.validTo) };
}
