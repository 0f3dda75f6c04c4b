import { createHash } from "node:crypto";
import { join } from "node:path";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import {
  checkTimes,
  type KeptList,
  type LoadedList,
  loadList,
  type Manifest,
  readUnprovenKeys,
  type Storage,
  type StoreError,
  type StoreErrorCode,
} from "@x/list-store";
import { type PrefixList, prefixList } from "@x/prefix-list";
import type { Context } from "../../context.ts";
import { ageText } from "../age.ts";
import { cacheFolder } from "./cache-folder.ts";
import { type KeptFiles, keepList, readKept } from "./kept-list.ts";
import { type ListAddress, parseListAddress } from "./list-address.ts";
import { readPublicKeys } from "./public-keys.ts";

/** The options that say whom to trust, and where to keep lists. */
export interface StoredListOptions {
  /** A public key, or the name of a file of public keys. */
  readonly publicKey?: string;
  readonly cache?: string;
}

export interface FetchOptions extends StoredListOptions {
  readonly trustFirstKey?: boolean;
  readonly allowExpired?: boolean;
  /** How long to wait without progress, in milliseconds. */
  readonly timeout?: number;
  /** The length of the prefixes: one of the choices of `--bytes`. By default, it stays as it is. */
  readonly bytes?: string;
}

/** A list that was fetched. */
export interface FetchedList {
  readonly url: string;
  readonly manifest: Manifest;
  readonly prefixes: PrefixList;
  readonly publicKeys: readonly string[];
  readonly requests: number;
  readonly bytes: number;
}

const MINUTE = 60_000;
/** A kept list is refreshed after this time, or after a tenth of its lifetime if that is shorter. */
const REFRESH_AFTER = 30 * MINUTE;
/** The timeout when a kept list can be used, so that nobody waits long for a host that does not answer. */
const SHORT_TIMEOUT = 10_000;

const ADVICE: Partial<Record<StoreErrorCode, string>> = {
  expired: "; urlhash list fetch --allow-expired writes it to a file anyway",
};

/** Calls a function that uses a store. Problems with the store become one line for the user. */
async function withStore<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { name, code, message } = error as StoreError;
    if (name !== "StoreError") throw error;
    throw new Failure(printable(message + (ADVICE[code] ?? "")), { cause: error });
  }
}

const isUnreachable = (error: unknown) =>
  ((error as Error).cause as StoreError | undefined)?.code === "unreachable";

/** A list, what is kept of it, and the keys to trust. */
interface Opened {
  readonly address: ListAddress;
  readonly folder: string;
  readonly kept: KeptFiles;
  /** `null` when no key is known. */
  readonly publicKeys: readonly string[] | null;
}

/** @throws {Failure} when another public key was trusted before, or something cannot be read. */
async function open(text: string, options: StoredListOptions, context: Context): Promise<Opened> {
  const address = parseListAddress(text);
  const folder = join(cacheFolder(options.cache, context.io), address.fileName);
  const damaged: string[] = [];
  const kept = await readKept(folder, address.list, (file) => damaged.push(file));
  for (const file of damaged) {
    await context.stderr.write(
      `urlhash: warning: ${printable(file)} is damaged: it is ignored and fetched again\n`,
    );
  }
  const { publicKey } = options;
  const given = publicKey === undefined ? null : await readPublicKeys(publicKey);
  const named = kept.entry?.manifest.nextSigners ?? [];
  const trusted = kept.publicKeys ?? (named.length > 0 ? named : null);
  const isKnown = (key: string) => trusted?.includes(key) || named.includes(key);
  if (given !== null && trusted !== null && !given.some(isKnown)) {
    throw new Failure(
      `${address.url} was fetched with another public key before, ${trusted.join(" and ")}: if its publisher has really changed, delete the folder ${printable(folder)}`,
    );
  }
  return { address, folder, kept, publicKeys: trusted ?? given };
}

/** The keys that the store itself names, for users who choose to trust them. */
async function firstKeys(
  { url, list }: ListAddress,
  storage: Storage,
  { stderr }: Context,
): Promise<readonly string[]> {
  const keys = await readUnprovenKeys({ storage, list });
  if (keys === null) throw new Failure(`there is no list at ${printable(url)}`);
  await stderr.write(
    `urlhash: warning: the public key of ${url} is not verified, but is trusted from now on: compare it with the one that its publisher shows\n${keys.map((key) => `${printable(key)}\n`).join("")}`,
  );
  return keys;
}

/** Wraps a storage, and counts the requests to it and the bytes that it returns. */
function counting(storage: Storage) {
  const counts = { requests: 0, bytes: 0 };
  const counted: Storage = {
    ...storage,
    async get(key, most) {
      counts.requests++;
      const bytes = await storage.get(key, most);
      counts.bytes += bytes?.length ?? 0;
      return bytes;
    },
  };
  return { counts, counted };
}

async function refresh(
  opened: Opened,
  options: FetchOptions,
  context: Context,
  retries?: number,
): Promise<FetchedList> {
  const { address, folder, kept } = opened;
  const { url, list } = address;
  const { allowExpired: allowsExpired, trustFirstKey, timeout } = options;
  if (opened.publicKeys === null && !trustFirstKey) {
    const advice =
      kept.seen === null
        ? "give it once, as in --public-key KEY, or trust the one in the store with list fetch --trust-first-key"
        : "give it again, as in --public-key KEY";
    throw new Failure(`the public key of ${url} is not known: ${advice}`);
  }
  return withStore(async () => {
    const { counts, counted } = counting(await address.storage(context.io, { timeout, retries }));
    const publicKeys = opened.publicKeys ?? (await firstKeys(address, counted, context));
    const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
    const prefixBytes = Number(options.bytes ?? kept.prefixes?.lengths[0]?.prefixBytes ?? 4);
    const stored = {
      ...{ storage: counted, list, publicKeys, seen: kept.seen, sha256, allowsExpired },
      prefixBytes,
    };
    const before: KeptList | null = kept.entry && {
      entry: kept.entry,
      prefixes: kept.prefixes ?? prefixList([], { name: list, created: 0 }),
    };
    const loaded: LoadedList | null = await loadList(stored, before);
    if (loaded === null) throw new Failure(`there is no list at ${printable(url)}`);
    const { entry, prefixes } = loaded;
    await keepList(folder, url, publicKeys, loaded, kept, Date.now());
    return { url, manifest: entry.manifest, prefixes, publicKeys, ...counts };
  });
}

/**
 * Brings the kept copy of a list in a store up to date, and returns the list.
 *
 * @throws {Failure} when the list cannot be fetched and verified, or has expired (unless `allowExpired` is set).
 */
export async function fetchList(
  url: string,
  options: FetchOptions,
  context: Context,
): Promise<FetchedList> {
  return refresh(await open(url, options, context), options, context);
}

/**
 * The list at a URL, from the cache if its host was asked recently. If the host cannot be reached, the kept list is
 * used with a warning, unless it has expired.
 *
 * @param maxAge in milliseconds.
 * @throws {Failure} when there is no list that can be trusted now.
 */
export async function loadStoredList(
  url: string,
  options: StoredListOptions & { readonly maxAge?: number | undefined },
  context: Context,
): Promise<PrefixList> {
  const opened = await open(url, options, context);
  const { entry, prefixes, refreshed } = opened.kept;
  if (entry === null || prefixes === null) {
    return (await refresh(opened, options, context)).prefixes;
  }
  const { issued, expires, version, list } = entry.manifest;
  const most = Math.min(options.maxAge ?? REFRESH_AFTER, (expires - issued) / 10);
  const now = Date.now();
  const isFresh = refreshed <= now && now - refreshed < most && now < expires;
  if (isFresh) return prefixes;
  try {
    const timeout = SHORT_TIMEOUT;
    return (await refresh(opened, { ...options, timeout }, context, 1)).prefixes;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const reason = (error as Failure).message;
    try {
      checkTimes(entry, now);
    } catch {
      throw new Failure(`the kept version ${version} of ${list} has expired, and ${reason}`);
    }
    const age = ageText(now - issued);
    await context.stderr.write(
      `urlhash: warning: ${reason}: using version ${version} of ${list}, signed ${age} ago\n`,
    );
    return prefixes;
  }
}
