import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { PREFIX_BYTES } from "@x/list-store/serving";
import { NO_API_KEYS, parseApiKeys } from "../../serve/api-keys.ts";
import type { LoggedRequests, LogLevel } from "../../serve/log.ts";
import { openOhttpKeys, parseOhttpKeys } from "../../serve/ohttp/ohttp-keys.ts";
import type { SiteOptions } from "../../serve/site.ts";
import { namingFile } from "../../storage/naming-file.ts";
import { type OperatorOptions, operatorOf } from "../operator-options.ts";
import type { StoreOptions } from "../store-address.ts";
import { readPublicKeys, type StoreFiles } from "../store-files.ts";
import type { TlsOptions } from "../tls-files.ts";
import { readUpstreams, type UpstreamSettings } from "../upstreams.ts";
import type { ListenOptions } from "./inherited-sockets.ts";

/** The options that can change while the server runs. */
interface ServedOptions extends OperatorOptions, UpstreamSettings {
  readonly lists?: ReadonlySet<string>;
  readonly optional?: ReadonlySet<string>;
  readonly publicKey?: string;
  readonly keys?: string;
  readonly corsOrigins?: ReadonlySet<string>;
  readonly ohttp?: string;
  readonly wait: number;
  readonly cache: number;
  readonly poll: number;
  readonly window: number;
  readonly prefixBytes: readonly number[];
}

/** The options that are used only when the server starts. */
interface StartOptions extends ListenOptions {
  readonly behindProxy?: boolean;
  readonly seen?: string;
  readonly firstStart?: boolean;
  readonly hashMemory: number;
  readonly hashFolder?: string;
  readonly logLevel: LogLevel;
  readonly logRequests: LoggedRequests;
}

export type ServeOptions = StoreOptions & TlsOptions & StartOptions & ServedOptions;

/** Reads and parses a file. Errors name the file. */
async function readParsed<Parsed>(
  file: string,
  parse: (text: string, file: string) => Parsed | Promise<Parsed>,
): Promise<Parsed> {
  const text = await readFile(file, "utf8").catch(namingFile(file));
  try {
    return await parse(text, file);
  } catch (error) {
    throw new Failure((error as Error).message, { cause: error });
  }
}

/** Reads the files that the options name, and returns the settings that can change while the server runs. */
export async function readSiteOptions(
  options: ServedOptions,
  files: StoreFiles,
  storage: SiteOptions["storage"],
): Promise<SiteOptions> {
  const { wait, cache, poll, window, prefixBytes, lists: only, optional } = options;
  return {
    storage,
    wait,
    cache,
    poll,
    window,
    only,
    optional,
    longer: prefixBytes.filter((length) => length > PREFIX_BYTES),
    upstreams: await readUpstreams(
      options.upstreams,
      options.upstreamsFolder ?? files.upstreamsFolder,
      options,
    ),
    publicKeys: await readPublicKeys(options.publicKey ?? files.publicKeyFile),
    origins: options.corsOrigins,
    keys: options.keys === undefined ? NO_API_KEYS : await readParsed(options.keys, parseApiKeys),
    ohttp:
      options.ohttp === undefined
        ? undefined
        : await readParsed(options.ohttp, async (text, file) =>
            openOhttpKeys(parseOhttpKeys(text, file)),
          ),
    operator: operatorOf(options),
  };
}
