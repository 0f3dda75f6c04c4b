import { type Published, renew, type Signer } from "@x/list-store";
import { Failure } from "../failure.ts";
import {
  readPublicKeys,
  readSigner,
  rememberPublished,
  type StoreFiles,
  seenOf,
} from "../store-files.ts";
import { RENEW_FRACTION } from "./settings.ts";

/** The options of all commands that sign versions. */
export interface SigningOptions {
  readonly key?: string;
  readonly publicKey?: string;
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
  { key, publicKey }: SigningOptions,
): Promise<PublisherKeys> {
  const signer = await readSigner(key ?? files.keyFile);
  const publicKeys = await readPublicKeys(publicKey ?? files.publicKeyFile);
  if (!publicKeys.includes(signer.publicKey)) {
    throw new Failure("The signing key does not belong to one of the public keys");
  }
  return { signer, publicKeys };
}

/** Signs the newest version of a list again if it expires soon; `null` when there is no version. */
export async function renewList(
  list: string,
  files: StoreFiles,
  keys: PublisherKeys,
  { lifetime, trustClock: trustsClock = false }: SigningOptions,
): Promise<Published | null> {
  const seen = await seenOf(files, list);
  if (seen === null) return null;
  const renewWithin = lifetime * RENEW_FRACTION;
  const { storage } = files;
  const published = await renew({
    storage,
    list,
    ...keys,
    lifetime,
    renewWithin,
    seen,
    trustsClock,
  });
  await rememberPublished(files, keys.publicKeys, published);
  return published;
}
