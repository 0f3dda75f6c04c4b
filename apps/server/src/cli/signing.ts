import { readFile } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import {
  listNames,
  type Published,
  publicKeysIn,
  type Renewal,
  readNewest,
  type SeenVersion,
  type Signer,
  type StoredList,
  type StoreError,
  signerOf,
} from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import { readSeen, rememberSeen, seenVersion } from "../storage/seen-versions.ts";
import type { StoreFiles } from "./store-files.ts";

/** Reads a text file. `what` names the kind of file in errors. */
export async function readText(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = isMissing ? "does not exist" : `cannot be read: ${reasonOf(error)}`;
    throw new Failure(`${what} ${file} ${reason}`, { cause: error });
  }
}

export async function readSigner(file: string): Promise<Signer> {
  const text = await readText(file, "The signing key");
  return signerOf(text).catch((cause: unknown) => {
    throw new Failure(`The file ${file} does not contain a signing key`, { cause });
  });
}

/** Reads the public keys in a file, one per line. `#` begins a comment. */
export async function readPublicKeys(file: string): Promise<string[]> {
  const keys = publicKeysIn(await readText(file, "The public key"));
  if (keys.length === 0) throw new Failure(`The file ${file} contains no public key`);
  return keys;
}

/** The highest version seen for a list, or `null` if none is known. */
export async function seenOf({ seenFile }: StoreFiles, list: string): Promise<SeenVersion | null> {
  return (await readSeen(seenFile))?.get(list) ?? null;
}

/** A list of the store, with the keys that it is verified with and the highest version seen. */
export async function storedList(
  files: StoreFiles,
  list: string,
  publicKeys: readonly string[],
): Promise<StoredList> {
  return { storage: files.storage, list, publicKeys, seen: await seenOf(files, list) };
}

/**
 * Records the published version as seen. If there is no file of seen versions yet, the newest versions of the other
 * lists in the store are recorded, too. Without them, an old copy of those lists would go unnoticed.
 */
export async function rememberPublished(
  { storage, seenFile }: StoreFiles,
  publicKeys: readonly string[],
  published: Published,
): Promise<void> {
  const { list } = published.manifest;
  const seen = new Map([[list, seenVersion(published)]]);
  if ((await readSeen(seenFile)) === null) {
    for (const name of await listNames(storage)) {
      if (name === list) continue;
      // Another publisher's list may be signed with another key.
      const newest = await readNewest({ storage, list: name, publicKeys }).catch(
        (error: unknown) => {
          if (hasName<StoreError>(error, "StoreError")) return null;
          throw error;
        },
      );
      if (newest === null) continue;
      seen.set(name, seenVersion(newest));
    }
  }
  await rememberSeen(seenFile, seen);
}

/** How versions are signed. */
export interface SigningOptions {
  readonly lifetime: number;
  readonly trustClock?: boolean | undefined;
}

/** The signing key and the public keys that readers trust. */
export interface PublisherKeys {
  readonly signer: Signer;
  readonly publicKeys: readonly string[];
}

/** Reads the keys. Throws if the signing key does not belong to one of the public keys. */
export async function readKeys({ keyFile, publicKeyFile }: StoreFiles): Promise<PublisherKeys> {
  const signer = await readSigner(keyFile);
  const publicKeys = await readPublicKeys(publicKeyFile);
  if (!publicKeys.includes(signer.publicKey)) {
    throw new Failure("The signing key does not belong to one of the public keys");
  }
  return { signer, publicKeys };
}

/**
 * Makes a new version of a list, and records it as seen. `make` receives the storage and name of the list, the keys,
 * and the highest version seen before.
 */
export async function signNext(
  list: string,
  files: StoreFiles,
  keys: PublisherKeys,
  { lifetime, trustClock: trustsClock = false }: SigningOptions,
  make: (renewal: Renewal) => Promise<Published>,
): Promise<Published> {
  const stored = await storedList(files, list, keys.publicKeys);
  const published = await make({ ...stored, signer: keys.signer, lifetime, trustsClock });
  await rememberPublished(files, keys.publicKeys, published);
  return published;
}
