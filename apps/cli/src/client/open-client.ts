import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { Client, ClientError, ClientOptions, ProtocolName } from "@x/client";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { getDomain } from "tldts";
import { KEY_VARIABLE } from "../arguments.ts";
import type { Context, Io } from "../context.ts";
import { readKey } from "../input/api-key.ts";
import { cacheFolder } from "./cache-folder.ts";
import { loadClient } from "./load-client.ts";
import { readPublicKeys } from "./public-keys.ts";
import type { ServerOptions } from "./server-options.ts";

/** The names of the default lists, for servers that have Google's lists. */
const THREATS = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];
const USUAL_LISTS: Readonly<Record<ProtocolName, readonly string[] | null>> = {
  v5: ["mw-4b", "se-4b", "uws-4b"],
  v4: THREATS,
  "web-risk": THREATS,
  store: null,
};

/** A client that keeps its lists in a folder, and has loaded the stored lists. */
export interface OpenedClient {
  readonly client: Client;
  readonly server: string;
  readonly protocol: ProtocolName;
  /** The folder of the lists. */
  readonly database: string;
}

/** Parses the address of the server. Errors do not repeat the address, because it may contain a key. */
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

function listNames(given: readonly string[] | undefined, protocol: ProtocolName) {
  const names = given?.flatMap((text) => text.split(",")).map((name) => name.trim());
  const lists = names ?? USUAL_LISTS[protocol];
  if (lists === null) {
    throw new Failure("name the lists of the store, as in --lists malware,phishing");
  }
  return [...new Set(lists)];
}

/** The folder in the user's cache that holds the lists of a server. */
function usualFolder(protocol: string, server: URL, lists: readonly string[], io: Io): string {
  const text = JSON.stringify([protocol, server.href, [...lists].sort()]);
  const start = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const host = server.hostname.replace(/[^a-z0-9.-]/g, "_");
  return join(cacheFolder(undefined, io), `${protocol}-${host}-${start}`);
}

/** The registrable domain of a host, which in v5 is the shortest host suffix. */
const registrableDomain = (host: string) =>
  getDomain(host, { allowPrivateDomains: true, extractHostname: false });

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
  if (protocol !== "store" && options.bytes !== undefined) {
    throw new Failure("--bytes needs --protocol store");
  }
  const lists = listNames(options.lists, protocol);
  const key = protocol === "store" ? null : await readKey(keyFile, io.env);
  const database =
    options.database === undefined
      ? usualFolder(protocol, url, lists, io)
      : resolve(options.database);
  const clientOptions: ClientOptions = {
    protocol,
    server: url,
    lists,
    key: key ?? undefined,
    publicKeys: publicKey === undefined ? undefined : await readPublicKeys(publicKey),
    prefixBytes: options.bytes === undefined ? undefined : Number(options.bytes),
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
