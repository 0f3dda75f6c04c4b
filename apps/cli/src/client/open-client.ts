import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import {
  type Client,
  type ClientError,
  type ClientOptions,
  type ClientStatus,
  createClient,
  type ProtocolName,
} from "@x/client";
import { directoryStorage } from "@x/client/node";
import { Failure } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { publicKeysIn, type StoreError } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Context, Io } from "../context.ts";
import { KEY_VARIABLE, readKey } from "../input/api-key.ts";
import { emptyListText } from "../input/list-files.ts";
import { registrableDomain } from "../registrable-domain.ts";

/** The options of commands that keep the lists of a server. */
export interface ServerOptions {
  readonly server: string;
  readonly protocol?: ProtocolName;
  /** Names of lists. One text may have several names, separated by commas. */
  readonly lists?: readonly string[];
  readonly keyFile?: string;
  /** A public key, or the name of a file of public keys. */
  readonly publicKey?: string;
  readonly database?: string;
  /** The prefix length of a store's lists, which is one of the choices of `--bytes`. */
  readonly bytes?: string;
}

/** The options for searches through a relay. */
export interface RelayedOptions {
  readonly relay?: string;
  /** A file with the keys of the server, or the URL of the keys. */
  readonly relayKeys?: string;
  readonly relayUpdates?: boolean;
}

/**
 * Parses the address of the server. Errors do not repeat the address, because it may contain a key.
 *
 * @throws {Failure} when the address is not a URL, or has parts that it must not have.
 */
function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Failure('--server takes a URL, such as "https://safebrowsing.googleapis.com"');
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new Failure(
      `the URL of --server must have no user name, password, query or fragment: give an API key with --key-file or in ${KEY_VARIABLE}`,
    );
  }
  return url;
}

/** @throws {Failure} when an option does not fit the protocol. */
function checkServerOptions({ protocol, keyFile, publicKey, bytes }: ServerOptions): void {
  if (protocol === "store" && keyFile !== undefined) {
    throw new Failure("--key-file is not for stores: they have no API keys");
  }
  if ((protocol === "store") !== (publicKey !== undefined)) {
    throw new Failure(
      protocol === "store"
        ? "--protocol store needs the publisher's public key, as in --public-key store.pub"
        : "--public-key needs --protocol store",
    );
  }
  if (protocol !== "store" && bytes !== undefined) {
    throw new Failure("--bytes needs --protocol store");
  }
}

/** A client that keeps its lists in a folder and has loaded the stored lists. */
export interface OpenedClient {
  readonly client: Client;
  readonly server: string;
  readonly protocol: ProtocolName;
  /** The folder of the lists. */
  readonly database: string;
}

/**
 * Opens the lists of a server.
 *
 * @param more additional options for the client.
 * @throws {Failure} when an option is wrong, or the folder or a file of keys cannot be read.
 */
export async function openClient(
  options: ServerOptions,
  context: Context,
  more: Partial<ClientOptions> = {},
): Promise<OpenedClient> {
  const { io } = context;
  const { protocol = "v5", keyFile, publicKey } = options;
  const url = serverUrl(options.server);
  checkServerOptions(options);
  const lists = listNames(options.lists, protocol);
  const key = protocol === "store" ? null : await readKey(keyFile, io.env);
  const database =
    options.database === undefined
      ? serverCacheFolder(protocol, url, lists, io)
      : resolve(options.database);
  const clientOptions: ClientOptions = {
    protocol,
    server: url,
    lists,
    key: key ?? undefined,
    publicKeys: publicKey === undefined ? undefined : await readPublicKeys(publicKey),
    store: options.bytes === undefined ? undefined : { prefixBytes: Number(options.bytes) },
    registrableDomain: protocol === "v5" ? registrableDomain : undefined,
    ...more,
  };
  const client = await loadClient(database, clientOptions, context);
  return { client, server: url.href, protocol, database };
}

/** Formats an error of the client on one line, with advice for the user if there is any. */
export function clientErrorText(
  { code, message }: ClientError,
  { lists }: Pick<ServerOptions, "lists">,
): string {
  const isOfUsualLists =
    (code === "server-refused" || code === "list-unknown") && lists === undefined;
  const advice = isOfUsualLists ? "; use --lists to name lists other than Google's" : "";
  return printable(message.trim().replace(/\.$/, "")) + advice;
}

function create(options: ClientOptions): Client {
  try {
    return createClient(options);
  } catch (error) {
    if (hasName<ClientError>(error, "ClientError")) throw new Failure(printable(error.message));
    throw error;
  }
}

/**
 * Makes a client that keeps its lists in a folder, loads the lists from there and reports damaged lists.
 *
 * @throws {Failure} when an option is wrong, or the folder cannot be read.
 */
export async function loadClient(
  folder: string,
  options: ClientOptions,
  { stderr }: Pick<Context, "stderr">,
): Promise<Client> {
  const client = create({ ...options, storage: directoryStorage(folder) });
  const { lists, storageError } = await client.load();
  if (storageError !== null) throw new Failure(printable(storageError.message));
  for (const { error } of lists) {
    if (error === null || error.code === "list-unknown") continue;
    await stderr.write(
      `urlhash: warning: ${printable(error.message)}: it is ignored, and the next update fetches it again\n`,
    );
  }
  return client;
}

/** The names of the default lists, for servers that have Google's lists. */
const THREATS = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];
const USUAL_LISTS: Readonly<Record<ProtocolName, readonly string[] | null>> = {
  v5: ["mw-4b", "se-4b", "uws-4b"],
  v4: THREATS,
  "web-risk": THREATS,
  store: null,
};

/**
 * Returns the names of the given lists or, if there are none, of the protocol's default lists.
 *
 * @throws {Failure} when no lists are given and the protocol has no default lists.
 */
function listNames(given: readonly string[] | undefined, protocol: ProtocolName): string[] {
  const names = given?.flatMap((text) => text.split(",")).map((name) => name.trim());
  const lists = names ?? USUAL_LISTS[protocol];
  if (lists === null) {
    throw new Failure("name the lists of the store, as in --lists malware,phishing");
  }
  return [...new Set(lists)];
}

/**
 * The folder for lists in the user's cache.
 *
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function cacheFolder(
  { env }: Pick<Io, "env">,
  platform: NodeJS.Platform = process.platform,
): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  const home = env.HOME || homedir();
  // Relative paths are ignored, as the specification says.
  if (xdg && isAbsolute(xdg)) return join(xdg, "urlhash");
  if (platform === "win32") return join(local || join(home, "AppData", "Local"), "urlhash");
  if (platform === "darwin") return join(home, "Library", "Caches", "urlhash");
  return join(home, ".cache", "urlhash");
}

/** What tells files in the cache apart: 16 hexadecimal digits. */
export function cacheHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The folder in the user's cache that holds the lists of a server. */
function serverCacheFolder(
  protocol: string,
  server: URL,
  lists: readonly string[],
  io: Io,
): string {
  const text = JSON.stringify([protocol, server.href, [...lists].sort()]);
  const start = cacheHash(text);
  const host = server.hostname.replace(/[^a-z0-9.-]/g, "_");
  return join(cacheFolder(io), `${protocol}-${host}-${start}`);
}

/** Returns warnings about empty lists and about lists that the server does not have. */
export function serverListWarnings(
  { lists }: Pick<ClientStatus, "lists">,
  options: Pick<ServerOptions, "lists">,
): readonly string[] {
  return lists.flatMap(({ name, version, size, problem, error }) => {
    if (problem === "list-unknown") return [clientErrorText(error!, options)];
    return version !== null && size === 0 ? [emptyListText(name)] : [];
  });
}

/** @throws {Failure} when a public key in the text is not valid. */
function parse(text: string): string[] {
  try {
    return publicKeysIn(text);
  } catch (error) {
    if (!hasName<StoreError>(error, "StoreError")) throw error;
    throw new Failure(printable(error.message), { cause: error });
  }
}

/**
 * Returns `given` if it looks like a public key; otherwise, the public keys in the file with that name.
 *
 * @throws {Failure} when the file cannot be read or has no public key, or when a key is not valid.
 */
export async function readPublicKeys(given: string): Promise<string[]> {
  if (/^[^\s+]+\+[0-9a-f]{8}\+\S+$/u.test(given)) return parse(given);
  const text = await readFile(given, "utf8").catch(failTo(`read ${printable(given)}`));
  const keys = parse(text);
  if (keys.length === 0) throw new Failure(`${printable(given)} contains no public key`);
  return keys;
}
