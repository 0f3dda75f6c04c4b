import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Client, ClientError } from "@x/client";
import { Failure } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { checkTimes, type Manifest, type StoredList } from "@x/list-store";
import type { TransportOptions } from "@x/list-store/http";
import type { PrefixList } from "@x/prefix-list";
import type { Context } from "../context.ts";
import type { ListWithAbout } from "../input/list-files.ts";
import { durationText } from "../output/layout.ts";
import type { FetchOptions } from "./list-address.ts";
import { failureOf, type ListAddress, parseListAddress } from "./list-address.ts";
import { cacheFolder, loadClient } from "./open-client.ts";
import { keepTrustedKeys, keysToTrust, refuseOtherKeys } from "./trusted-keys.ts";

/** A list after an update from its store, with the numbers of requests and bytes of the update. */
export interface FetchedList {
  readonly url: string;
  readonly manifest: Manifest;
  readonly prefixes: PrefixList;
  readonly publicKeys: readonly string[];
  readonly requests: number;
  readonly bytes: number;
}

const MINUTE = 60_000;
/** Without `maxAge`, a kept list is refreshed after this time, or after a tenth of its lifetime if that is shorter. */
const REFRESH_AFTER = 30 * MINUTE;
/**
 * The options for requests when there is a kept list, so that users do not wait long for a host that does not answer.
 */
const IMPATIENT: TransportOptions = { timeout: 10_000, retries: 1 };

/** Returns the client's list with its signed manifest and age, or `null` if the client has no list. */
function keptList({ client, address }: OpenedList) {
  const prefixes = client.list(address.list);
  const { manifest, age } = client.status().lists[0]!;
  return prefixes === null ? null : { prefixes, manifest: manifest!, age: age! };
}

/** @throws {Failure} when the kept copy of the list cannot be brought up to date. */
async function refresh(opened: OpenedList): Promise<FetchedList> {
  const { address, folder, client, publicKeys, isNew } = opened;
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(
    failTo(`write to ${printable(folder)}`),
  );
  const { lists, storageError } = await client.update().catch((error) => {
    throw failureOf(error, address);
  });
  const error = lists[0]!.error ?? storageError;
  if (error !== null) throw failureOf(error, address);
  if (isNew) await keepTrustedKeys(folder, address.url, publicKeys);
  const { updates, bytesReceived } = client.status().requests;
  return {
    url: address.url,
    publicKeys,
    requests: updates,
    bytes: bytesReceived,
    ...keptList(opened)!,
  };
}

/**
 * Brings the kept copy of a list up to date with its store and returns the list.
 *
 * @throws {Failure} when the list cannot be fetched and verified, or has expired (unless `allowExpired` is set).
 */
export async function fetchList(
  url: string,
  options: FetchOptions,
  context: Context,
): Promise<FetchedList> {
  return refresh(await openStoredList(url, options, context));
}

/**
 * Returns the list at a URL. A list in the cache that was refreshed recently is returned without a request. If the host
 * cannot be reached, the kept list is used with a warning, unless it has expired.
 *
 * @param maxAge in milliseconds.
 * @throws {Failure} when there is no list that can be trusted now.
 */
export async function loadStoredList(
  url: string,
  options: Pick<FetchOptions, "publicKey"> & { readonly maxAge?: number | undefined },
  context: Context,
): Promise<ListWithAbout> {
  const opened = await openStoredList(url, options, context);
  const kept = keptList(opened);
  if (kept === null) return withAbout(await refresh(opened));
  const { manifest, age } = kept;
  const { issued, expires, version, list } = manifest;
  const most = Math.min(options.maxAge ?? REFRESH_AFTER, (expires - issued) / 10);
  const now = Date.now();
  const isFresh = !opened.isNew && age >= 0 && age < most && now < expires;
  if (isFresh) return withAbout(kept);
  opened.transport = IMPATIENT;
  try {
    return withAbout(await refresh(opened));
  } catch (error) {
    const { cause, message: reason } = error as Failure;
    if ((cause as ClientError | undefined)?.code !== "server-unreachable") throw error;
    try {
      checkTimes(kept, now);
    } catch {
      throw new Failure(`the kept version ${version} of ${list} has expired, and ${reason}`);
    }
    const ago = durationText(now - issued);
    await context.stderr.write(
      `urlhash: warning: ${reason}: using version ${version} of ${list}, signed ${ago} ago\n`,
    );
    return withAbout(kept);
  }
}

const withAbout = ({
  prefixes,
  manifest: { about },
}: Pick<FetchedList, "prefixes" | "manifest">): ListWithAbout => ({ ...prefixes, about });

/**
 * Returns the place of a list at a URL and the keys that may sign its newest version, for reading more than the client
 * keeps. `keptVersion` is the version in the cache, or 0.
 *
 * @throws {Failure} when no public key is known, or the given key is not a trusted one.
 */
export async function storedListAt(
  url: string,
  options: FetchOptions,
  context: Context,
): Promise<{ readonly stored: StoredList; readonly keptVersion: number }> {
  const { address, client, publicKeys } = await openStoredList(url, options, context);
  const kept = client.status().lists[0]!.manifest;
  const storage = await address.open(context.io, {});
  const stored = { storage, list: address.list, publicKeys: kept?.nextSigners ?? publicKeys };
  return { stored, keptVersion: kept?.version ?? 0 };
}

/** A list, the client that keeps it, and the keys that were trusted first. */
interface OpenedList {
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
async function openStoredList(
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
      store: {
        allowsExpired: allowExpired,
        prefixBytes: bytes === undefined ? undefined : Number(bytes),
        open: (more) => address.open(context.io, { ...more, ...opened.transport }),
      },
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
