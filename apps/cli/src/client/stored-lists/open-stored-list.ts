import { join } from "node:path";
import type { Client } from "@x/client";
import type { TransportOptions } from "@x/list-store/http";
import type { Context } from "../../context.ts";
import { cacheFolder } from "../cache-folder.ts";
import { loadClient } from "../load-client.ts";
import { type ListAddress, parseListAddress } from "./list-address.ts";
import type { FetchOptions } from "./stored-list-options.ts";
import { keysToTrust, refuseOtherKeys } from "./trust-keys.ts";

/** A list, the client that keeps it, and the keys that were trusted first. */
export interface OpenedList {
  readonly address: ListAddress;
  readonly folder: string;
  readonly client: Client;
  readonly publicKeys: readonly string[];
  /** Whether the keys are not stored yet. */
  readonly isNew: boolean;
  /** The options of all further requests. */
  transport: TransportOptions;
}

/**
 * @throws {Failure} when no public key is known, when the given key is not a trusted one, or when something cannot be
 * read.
 */
export async function openStoredList(
  text: string,
  options: FetchOptions,
  context: Context,
): Promise<OpenedList> {
  const { bytes, allowExpired } = options;
  const address = parseListAddress(text);
  const { url, store, list } = address;
  const folder = join(cacheFolder(context.io), address.fileName);
  const keys = await keysToTrust(address, folder, options, context);
  const { trusted, publicKeys } = keys;
  const client = await loadClient(
    folder,
    {
      protocol: "store",
      server: store,
      lists: [list],
      publicKeys,
      allowsExpired: allowExpired,
      prefixBytes: bytes === undefined ? undefined : Number(bytes),
      openStore: (more) => address.open(context.io, { ...more, ...opened.transport }),
    },
    context,
  );
  const opened: OpenedList = {
    address,
    folder,
    client,
    publicKeys,
    isNew: trusted === null,
    transport: {},
  };
  const named = client.status().lists[0]!.manifest?.nextSigners ?? [];
  refuseOtherKeys(keys, named, { url, folder });
  return opened;
}
