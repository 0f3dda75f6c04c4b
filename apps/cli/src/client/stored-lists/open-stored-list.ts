import { join } from "node:path";
import type { Client, ClientError } from "@x/client";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { readUnprovenKeys, type StoreError, type StoreErrorCode } from "@x/list-store";
import type { TransportOptions } from "@x/list-store/http";
import type { Context } from "../../context.ts";
import { cacheFolder } from "../cache-folder.ts";
import { isClientError, loadClient } from "../load-client.ts";
import { readPublicKeys } from "../public-keys.ts";
import { type ListAddress, parseListAddress } from "./list-address.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

/** The options for the trusted public key and for the cache of lists. */
export interface StoredListOptions {
  /** A public key, or the name of a file of public keys. */
  readonly publicKey?: string;
  readonly cache?: string;
}

export interface FetchOptions extends StoredListOptions {
  readonly trustFirstKey?: boolean;
  readonly allowExpired?: boolean;
  /** The maximum time without progress, in milliseconds. */
  readonly timeout?: number;
  /** The length of the prefixes: one of the choices of `--bytes`. By default, the length does not change. */
  readonly bytes?: string;
}

const ADVICE: Partial<Record<StoreErrorCode, string>> = {
  expired: "; urlhash list fetch --allow-expired writes it to a file anyway",
};

/** The failure for an error of the client or of a store. Other errors are thrown. */
export function failureOf(error: unknown, { url }: ListAddress): Failure {
  const { name, message, code, cause } = error as ClientError | StoreError;
  if (name !== "StoreError" && !isClientError(error)) throw error;
  if (code === "list-unknown") return new Failure(`there is no list at ${printable(url)}`);
  const problem = (cause as StoreError | undefined)?.code;
  const advice = (problem && ADVICE[problem]) ?? "";
  return new Failure(printable(message + advice), { cause: error });
}

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

/** Reads the keys from the store itself, for users who choose to trust them. */
async function firstKeys(
  address: ListAddress,
  transport: TransportOptions,
  { io, stderr }: Context,
): Promise<readonly string[]> {
  const { url, list } = address;
  const keys = await address
    .open(io, transport)
    .then((storage) => readUnprovenKeys({ storage, list }))
    .catch((error) => {
      throw failureOf(error, address);
    });
  if (keys === null) throw new Failure(`there is no list at ${printable(url)}`);
  await stderr.write(
    `urlhash: warning: the public key of ${url} is not verified, but is trusted from now on: compare it with the one that its publisher shows\n${keys.map((key) => `${printable(key)}\n`).join("")}`,
  );
  return keys;
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
  const { publicKey, trustFirstKey, bytes, allowExpired, timeout } = options;
  const address = parseListAddress(text);
  const { url, store, list } = address;
  const folder = join(cacheFolder(options.cache, context.io), address.fileName);
  const kept = await readTrustedKeys(folder, context);
  const trusted = kept === "damaged" ? null : kept;
  const given = publicKey === undefined ? null : await readPublicKeys(publicKey);
  if (trusted === null && given === null && !trustFirstKey) {
    const advice =
      kept === null
        ? "give it once, as in --public-key KEY, or trust the one in the store with list fetch --trust-first-key"
        : "give it again, as in --public-key KEY";
    throw new Failure(`the public key of ${url} is not known: ${advice}`);
  }
  const transport = { timeout };
  const publicKeys = trusted ?? given ?? (await firstKeys(address, transport, context));
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
    transport,
  };
  const named = client.status().lists[0]!.manifest?.nextSigners ?? [];
  const known = [...(trusted ?? []), ...named];
  if (given !== null && known.length > 0 && !given.some((key) => known.includes(key))) {
    throw new Failure(
      `${url} was fetched with another public key before, ${(trusted ?? named).join(" and ")}: if its publisher has really changed, delete the folder ${printable(folder)}`,
    );
  }
  return opened;
}
