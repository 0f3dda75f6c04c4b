import { existsSync } from "node:fs";
import { link, stat } from "node:fs/promises";
import { Failure, shellWord } from "@x/command-line";
import { temporaryPath } from "@x/command-line/node";
import type { Storage } from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { directoryStorage, writeWhole } from "@x/list-store/node";
import { s3Environment, s3Storage } from "@x/list-store/s3";
import type { Context, Io } from "./context.ts";
import type { Settings } from "./settings/schema.ts";
import { readSettings, SETTINGS_FILE, type SettingsOptions } from "./settings/settings-file.ts";
import { parseStore, pathOfFiles, type StoreAddress } from "./store-address.ts";

/** The paths of the files beside a store. */
export interface FilesBesideStore {
  /** The signing key, which only commands that sign versions need. */
  readonly keyFile: string;
  /** The public keys that readers trust, one per line. */
  readonly publicKeyFile: string;
  /** The highest version seen for each list. */
  readonly seenFile: string;
  /** Files of entries that are never published. */
  readonly exceptFiles: readonly string[];
  /** Files of hosts that no list blocks. */
  readonly neverBlockFiles: readonly string[];
  /** The last good copies of sources that are URLs. */
  readonly fetchedFolder: string;
  /** What each list was made from: where its entries were seen, and since when. */
  readonly sightingsFolder: string;
  /** The lists of other servers that `serve` keeps. */
  readonly upstreamsFolder: string;
}

/**
 * A store and the files beside it. The files are not inside the store, so that a copy of the store never contains the
 * signing key, and so that changing the store does not change which keys its readers trust.
 */
export interface StoreFiles extends FilesBesideStore {
  readonly address: StoreAddress;
  readonly storage: Storage;
}

/** The settings that locate a store and the files beside it. */
export type PlaceSettings = Partial<Settings>;

/** The address of the store. Throws if no setting names one. */
export function storeOf({ store }: Pick<Settings, "store">): string {
  if (store !== undefined) return store;
  throw new Failure(
    `Expected --store, or settings that name the store: ${SETTINGS_FILE} in this folder, or --config`,
  );
}

export function filesBesideStore(settings: PlaceSettings): FilesBesideStore {
  const path = pathOfFiles(storeOf(settings), settings.files);
  return {
    keyFile: settings["signing-key"] ?? `${path}.key`,
    publicKeyFile: settings["public-keys"] ?? `${path}.pub`,
    seenFile: settings.seen ?? `${path}.seen`,
    exceptFiles: settings.exceptions ?? [`${path}.except`],
    neverBlockFiles: settings["never-block"] ?? [],
    fetchedFolder: `${path}.fetched`,
    sightingsFolder: `${path}.sightings`,
    upstreamsFolder: `${path}.upstreams`,
  };
}

/** The environment variables for S3 and the signal that aborts requests to a remote store. */
export interface Environment {
  readonly io: Pick<Io, "env">;
  readonly signal?: AbortSignal;
}

export function storageAt(address: StoreAddress, { io, signal }: Environment): Storage {
  switch (address.kind) {
    case "directory":
      // `init` makes the directory. If it is missing later, its disk may not be mounted.
      return directoryStorage(address.directory, { makesDirectory: false });
    case "s3":
      return s3Storage({ ...address, ...s3Environment(io.env), signal });
    case "http":
      return httpStorage(address.url, { signal });
  }
}

/** Returns a store for reading and the files beside it. */
export function storeFiles(settings: PlaceSettings, environment: Environment): StoreFiles {
  const address = parseStore(storeOf(settings));
  return { address, storage: storageAt(address, environment), ...filesBesideStore(settings) };
}

/** The settings of a command and its store. Throws if the store's directory does not exist. */
export async function openStore(
  options: SettingsOptions,
  context: Context,
): Promise<{ readonly settings: Settings; readonly files: StoreFiles }> {
  const { settings } = await readSettings(options, context);
  const files = storeFiles(settings, context);
  await checkStore(files);
  return { settings, files };
}

/** Opens a store, for a command that writes to it. Throws if the store is read-only. */
export async function openStoreToChange(
  options: SettingsOptions,
  context: Context,
): ReturnType<typeof openStore> {
  const opened = await openStore(options, context);
  checkWritable(opened.files.address);
  return opened;
}

/** Throws if a store is read-only because its address is a URL. */
export function checkWritable({ kind, shown }: StoreAddress): void {
  if (kind !== "http") return;
  throw new Failure(
    `The store ${shown} is read-only: give the directory or s3:// address to which it is published`,
  );
}

/**
 * Throws if the directory of a store does not exist. A reader would treat a missing directory as a store without lists.
 */
export async function checkStore(files: StoreFiles): Promise<void> {
  if (files.address.kind !== "directory") return;
  const { directory } = files.address;
  const found = await stat(directory).catch((error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (found?.isDirectory()) return;
  if (found !== null) throw new Failure(`The store ${directory} is not a directory`);
  const left = [files.seenFile, files.keyFile, files.publicKeyFile].find((file) =>
    existsSync(file),
  );
  throw new Failure(
    left === undefined
      ? `The store ${directory} does not exist; urlhash-server init --store ${shellWord(directory)} makes a new one`
      : `The store ${directory} does not exist, but ${left} does: the store was moved or deleted, or its disk is not mounted`,
  );
}

/**
 * Wraps the storage of a store so that reads throw if the directory of the store disappears, for example because its
 * disk is unmounted. Otherwise, the lists would seem to be rolled back.
 */
export function lastingStorage(files: StoreFiles): Storage {
  const { storage } = files;
  return {
    ...storage,
    async get(key, most) {
      const bytes = await storage.get(key, most);
      if (bytes === null) await checkStore(files);
      return bytes;
    },
    async list(folder) {
      const entries = await storage.list(folder);
      if (entries.length === 0) await checkStore(files);
      return entries;
    },
  };
}

/**
 * Creates a file, and syncs it to the disk. If the file cannot be written, for example because the disk is full, there
 * is no file. An existing file is an error.
 */
export async function createFile(file: string, text: string, mode: number): Promise<void> {
  try {
    await writeWhole(file, temporaryPath(file), (opened) => opened.writeFile(text), {
      move: link,
      mode,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Failure(`${file} exists; it was left as it is`, { cause: error });
  }
}
