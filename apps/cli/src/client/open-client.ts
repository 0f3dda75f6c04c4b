import { resolve } from "node:path";
import type { Client, ClientError, ClientOptions, ProtocolName } from "@x/client";
import { printable } from "@x/explain/printable";
import { getDomain } from "tldts";
import type { Context } from "../context.ts";
import { readKey } from "../input/api-key.ts";
import { serverCacheFolder } from "./cache-folder.ts";
import { listNames } from "./default-lists.ts";
import { loadClient } from "./load-client.ts";
import { readPublicKeys } from "./public-keys.ts";
import { checkServerOptions, type ServerOptions, serverUrl } from "./server-options.ts";

/** A client that keeps its lists in a folder and has loaded the stored lists. */
export interface OpenedClient {
  readonly client: Client;
  readonly server: string;
  readonly protocol: ProtocolName;
  /** The folder of the lists. */
  readonly database: string;
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
