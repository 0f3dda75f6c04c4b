import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
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
import { directoryStorage } from "../storage/directory-storage.ts";
import { readSeen, rememberSeen } from "../storage/seen-versions.ts";
import { Failure } from "./failure.ts";

/**
 * A store and the files beside it. They are not inside it, so that a copy of the store never contains the signing key,
 * and so that changing the store does not change what its readers trust.
 */
export interface StoreFiles {
  readonly directory: string;
  readonly storage: Storage;
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

export function storeFiles(store: string): StoreFiles {
  const directory = resolve(store);
  return {
    directory,
    storage: directoryStorage(directory),
    keyFile: `${directory}.key`,
    publicKeyFile: `${directory}.pub`,
    configFile: `${directory}.conf`,
    seenFile: `${directory}.seen`,
    exceptFile: `${directory}.except`,
    fetchedFolder: `${directory}.fetched`,
  };
}

/** Throws unless the directory of the store is there; to a reader, a missing one looks like a store without lists. */
export async function checkDirectory({ directory }: StoreFiles): Promise<void> {
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
