import { Failure } from "@x/command-line";
import type { Published, Renewal, Signer } from "@x/list-store";
import {
  readPublicKeys,
  readSigner,
  rememberPublished,
  type StoreFiles,
  storedList,
} from "../store-files.ts";

/** The options that say where the keys are. */
export interface KeyOptions {
  readonly key?: string;
  readonly publicKey?: string;
}

/** The options of all commands that sign versions. */
export interface SigningOptions extends KeyOptions {
  readonly lifetime: number;
  readonly trustClock?: boolean;
}

/** The keys of a publisher. */
export interface PublisherKeys {
  readonly signer: Signer;
  readonly publicKeys: readonly string[];
}

/** Reads the keys, which must belong together. */
export async function readKeys(
  files: StoreFiles,
  { key, publicKey }: KeyOptions,
): Promise<PublisherKeys> {
  const signer = await readSigner(key ?? files.keyFile);
  const publicKeys = await readPublicKeys(publicKey ?? files.publicKeyFile);
  if (!publicKeys.includes(signer.publicKey)) {
    throw new Failure("The signing key does not belong to one of the public keys");
  }
  return { signer, publicKeys };
}

/**
 * Makes a new version of a list, and records it as seen. `make` is given what every command that signs a version needs,
 * such as where the list is, the keys, and the highest version seen before.
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
