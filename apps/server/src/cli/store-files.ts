import { readFile, stat } from "node:fs/promises";
import {
  checkPublicKey,
  isListName,
  listNames,
  type Published,
  readNewest,
  type SeenVersion,
  type Signer,
  type Storage,
  StoreError,
  signerOf,
} from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { s3Storage } from "@x/list-store/s3";
import { directoryStorage } from "../storage/directory-storage.ts";
import { readSeen, rememberSeen } from "../storage/seen-versions.ts";
import type { Io } from "./context.ts";
import { Failure } from "./failure.ts";
import { parseStore, pathOfFiles, type StoreAddress, type StoreOptions } from "./store-address.ts";

/** The files beside a store. */
export interface FilesBesideStore {
  /** The signing key; only publishing needs it. */
  readonly keyFile: string;
  /** The public keys that readers trust, one per line. */
  readonly publicKeyFile: string;
  /** Settings. */
  readonly configFile: string;
  /** The highest version seen of each list. */
  readonly seenFile: string;
  /** Entries that are never published. */
  readonly exceptFile: string;
  /** The last good copies of sources that are named by their URLs. */
  readonly fetchedFolder: string;
}

/**
 * A store and the files beside it. They are not inside it, so that a copy of the store never contains the signing key,
 * and so that changing the store does not change what its readers trust.
 */
export interface StoreFiles extends FilesBesideStore {
  readonly address: StoreAddress;
  readonly storage: Storage;
}

export function filesBesideStore(options: StoreOptions): FilesBesideStore {
  const path = pathOfFiles(options);
  return {
    keyFile: `${path}.key`,
    publicKeyFile: `${path}.pub`,
    configFile: `${path}.conf`,
    seenFile: `${path}.seen`,
    exceptFile: `${path}.except`,
    fetchedFolder: `${path}.fetched`,
  };
}

/** Where the variables are that say how to reach a bucket. */
export interface Environment {
  readonly io: Pick<Io, "env">;
}

/** The storage in a bucket, with the variables that all tools for S3 read. */
function bucketStorage(
  { bucket, prefix, shown }: StoreAddress & { readonly kind: "s3" },
  { io: { env } }: Environment,
): Storage {
  const read = (...names: readonly string[]) => names.map((name) => env[name]).find(Boolean);
  const accessKeyId = read("AWS_ACCESS_KEY_ID");
  const secretAccessKey = read("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Failure(
      `The store ${shown} needs an access key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  return s3Storage({
    bucket,
    prefix,
    credentials: { accessKeyId, secretAccessKey, sessionToken: read("AWS_SESSION_TOKEN") },
    region: read("AWS_REGION", "AWS_DEFAULT_REGION"),
    endpoint: read("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
  });
}

export function storageAt(address: StoreAddress, environment: Environment): Storage {
  switch (address.kind) {
    case "directory":
      return directoryStorage(address.directory);
    case "s3":
      return bucketStorage(address, environment);
    case "http":
      return httpStorage(address.url);
  }
}

/** A store for reading, and the files beside it. */
export function storeFiles(options: StoreOptions, environment: Environment): StoreFiles {
  const address = parseStore(options.store);
  const storage = storageAt(address, environment);
  return { address, storage, ...filesBesideStore(options) };
}

/** The same, for commands that write to the store. */
export function storeFilesToChange(options: StoreOptions, environment: Environment): StoreFiles {
  const files = storeFiles(options, environment);
  checkWritable(files.address);
  return files;
}

/** Throws for a store that can only be read. */
export function checkWritable({ kind, shown }: StoreAddress): void {
  if (kind !== "http") return;
  throw new Failure(
    `The store ${shown} can only be read: give the directory or the s3:// address to which it is published`,
  );
}

/** Throws when a store is in a directory that is not there; to a reader, it would look like a store without lists. */
export async function checkStore({ address }: Pick<StoreFiles, "address">): Promise<void> {
  if (address.kind !== "directory") return;
  const { directory } = address;
  const found = await stat(directory).catch((error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (found === null) throw new Failure(`The store ${directory} does not exist`);
  if (!found.isDirectory()) throw new Failure(`The store ${directory} is not a directory`);
}

async function readText(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : "cannot be read";
    throw new Failure(`${what} ${file} ${reason}`, { cause: error });
  }
}

export async function readSigner(file: string): Promise<Signer> {
  return signerOf(await readText(file, "The signing key"));
}

/** The public keys in a file: one per line; `#` begins a comment. */
export async function readPublicKeys(file: string): Promise<string[]> {
  const lines = (await readText(file, "The public key")).split(/\r?\n/);
  const keys = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length === 0) throw new Failure(`The file ${file} holds no public key`);
  keys.forEach(checkPublicKey);
  return keys;
}

/** What the files next to a store say about a list. */
export async function seenOf({ seenFile }: StoreFiles, list: string): Promise<SeenVersion | null> {
  return (await readSeen(seenFile))?.get(list) ?? null;
}

/**
 * Remembers the version that was published. If nothing says yet which versions were seen, those of the other lists are
 * remembered as they are in the store: with a file that leaves them out, an old copy of them would go unnoticed.
 */
export async function rememberPublished(
  { storage, seenFile }: StoreFiles,
  publicKeys: readonly string[],
  { manifest: { list, version }, hash }: Published,
): Promise<void> {
  const seen = new Map([[list, { version, hash }]]);
  if ((await readSeen(seenFile)) === null) {
    for (const name of await listNames(storage)) {
      if (name === list || !isListName(name)) continue;
      // Somebody else's list may be signed with another key.
      const newest = await readNewest({ storage, list: name, publicKeys }).catch(
        (error: unknown) => {
          if (error instanceof StoreError) return null;
          throw error;
        },
      );
      if (newest === null) continue;
      seen.set(name, { version: newest.manifest.version, hash: newest.hash });
    }
  }
  await rememberSeen(seenFile, seen);
}
