import { Failure } from "@x/command-line";
import type { Published, Renewal, Signer } from "@x/list-store";
import {
  readPublicKeys,
  readSigner,
  rememberPublished,
  type StoreFiles,
  storedList,
} from "../store-files.ts";

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
