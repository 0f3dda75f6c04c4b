import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import type { Address } from "../../serve/address.ts";
import { type ApiKeys, NO_API_KEYS, parseApiKeys } from "../../serve/api-keys.ts";
import type { LoggedRequests, LogLevel } from "../../serve/log.ts";
import { type OhttpKeys, openOhttpKeys, parseOhttpKeys } from "../../serve/ohttp/ohttp-keys.ts";
import type { Certificate } from "../../serve/server.ts";
import type { SiteOptions } from "../../serve/site.ts";
import { namingFile } from "../../storage/naming-file.ts";
import { type OperatorOptions, operatorOf } from "../operator-options.ts";
import type { StoreOptions } from "../store-address.ts";
import { readPublicKeys, type StoreFiles } from "../store-files.ts";
import { readTlsFiles } from "../tls-files.ts";
import { type NamedUpstreams, readUpstreams } from "../upstreams.ts";

/** The options of `serve`. */
export interface ServeOptions extends OperatorOptions, StoreOptions, NamedUpstreams {
  readonly lists?: ReadonlySet<string>;
  readonly publicKey?: string;
  readonly host: string;
  readonly port: number;
  readonly grpcPort?: number;
  readonly listen?: Address;
  readonly admin?: Address;
  readonly logLevel: LogLevel;
  readonly logRequests: LoggedRequests;
  readonly wait: number;
  readonly cache: number;
  readonly poll: number;
  readonly window: number;
  readonly optional?: ReadonlySet<string>;
  readonly hashMemory: number;
  readonly hashFolder?: string;
  readonly keys?: string;
  readonly ohttp?: string;
  readonly upstreams?: string;
  readonly upstreamsFolder?: string;
  readonly seen?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: boolean;
  readonly firstStart?: boolean;
}

async function readApiKeys(file: string | undefined): Promise<ApiKeys> {
  if (file === undefined) return NO_API_KEYS;
  const text = await readFile(file, "utf8").catch(namingFile(file));
  try {
    return parseApiKeys(text, file);
  } catch (error) {
    throw new Failure((error as Error).message, { cause: error });
  }
}

async function readOhttpKeys(file: string | undefined): Promise<OhttpKeys | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, "utf8").catch(namingFile(file));
  try {
    return await openOhttpKeys(parseOhttpKeys(text, file));
  } catch (error) {
    throw new Failure((error as Error).message, { cause: error });
  }
}

/** The certificate and its key; `null` without HTTPS. */
export async function readCertificate({
  tlsCert,
  tlsKey,
}: ServeOptions): Promise<Certificate | null> {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Failure("HTTPS needs both --tls-cert and --tls-key");
  }
  return readTlsFiles(tlsCert, tlsKey);
}

/** Reads the files that the options name, for everything that can change while the server runs. */
export async function readSiteOptions(
  options: ServeOptions,
  files: StoreFiles,
  storage: SiteOptions["storage"],
): Promise<SiteOptions> {
  const { wait, cache, poll, window, lists: only, optional } = options;
  return {
    ...{ storage, wait, cache, poll, window, only, optional },
    upstreams: await readUpstreams(
      options.upstreams,
      options.upstreamsFolder ?? files.upstreamsFolder,
      options,
    ),
    publicKeys: await readPublicKeys(options.publicKey ?? files.publicKeyFile),
    keys: await readApiKeys(options.keys),
    ohttp: await readOhttpKeys(options.ohttp),
    operator: operatorOf(options),
  };
}
