import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { readUnprovenKeys } from "@x/list-store";
import type { Context } from "../../context.ts";
import { readPublicKeys } from "../public-keys.ts";
import type { ListAddress } from "./list-address.ts";
import { failureOf } from "./stored-list-failure.ts";
import type { FetchOptions } from "./stored-list-options.ts";
import { readTrustedKeys } from "./trusted-keys-file.ts";

/** The public keys of a list. */
export interface ListKeys {
  /** The keys that the user trusted first; `null` if none are stored yet. */
  readonly trusted: readonly string[] | null;
  /** The keys that the user gives now. */
  readonly given: readonly string[] | null;
  /** The keys to verify the list with. */
  readonly publicKeys: readonly string[];
}

/** Reads the keys from the store itself, for users who choose to trust them. */
async function firstKeys(
  address: ListAddress,
  { io, stderr }: Context,
): Promise<readonly string[]> {
  const { url, list } = address;
  const keys = await address
    .open(io, {})
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
 * Returns the keys to verify a list with: the stored keys or, if there are none, the keys that the user gives or
 * chooses to trust.
 *
 * @throws {Failure} when no public key is known, or keys cannot be read.
 */
export async function keysToTrust(
  address: ListAddress,
  folder: string,
  { publicKey, trustFirstKey }: FetchOptions,
  context: Context,
): Promise<ListKeys> {
  const kept = await readTrustedKeys(folder, context);
  const trusted = kept === "damaged" ? null : kept;
  const given = publicKey === undefined ? null : await readPublicKeys(publicKey);
  if (trusted === null && given === null && !trustFirstKey) {
    const advice =
      kept === null
        ? "give it once, as in --public-key KEY, or trust the one in the store with list fetch --trust-first-key"
        : "give it again, as in --public-key KEY";
    throw new Failure(`the public key of ${address.url} is not known: ${advice}`);
  }
  const publicKeys = trusted ?? given ?? (await firstKeys(address, context));
  return { trusted, given, publicKeys };
}

/**
 * @param named the keys that the kept list names for later versions.
 * @throws {Failure} when some keys are trusted or named, but the user gives only other keys.
 */
export function refuseOtherKeys(
  { trusted, given }: ListKeys,
  named: readonly string[],
  { url, folder }: { readonly url: string; readonly folder: string },
): void {
  const known = [...(trusted ?? []), ...named];
  if (given !== null && known.length > 0 && !given.some((key) => known.includes(key))) {
    throw new Failure(
      `${url} was fetched with another public key before, ${(trusted ?? named).join(" and ")}: if its publisher has really changed, delete the folder ${printable(folder)}`,
    );
  }
}
