import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "@x/command-line";
import { failTo, replaceFile } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { checkPublicKey, readUnprovenKeys } from "@x/list-store";
import { ifThere } from "@x/list-store/node";
import type { Context } from "../context.ts";
import type { FetchOptions } from "./list-address.ts";
import { failureOf, type ListAddress } from "./list-address.ts";
import { readPublicKeys } from "./open-client.ts";

/** The public keys of a list. */
interface ListKeys {
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

/** The file beside a list that contains the list's URL and the public keys that the user trusted first. */
const TRUSTED = "trusted.json";

/**
 * Reads the trusted keys of a list. Returns `null` when no keys are stored. When the stored keys are not valid, writes
 * a warning and returns `"damaged"`.
 *
 * @throws {Failure} when the file cannot be read.
 */
async function readTrustedKeys(
  folder: string,
  { stderr }: Pick<Context, "stderr">,
): Promise<readonly string[] | "damaged" | null> {
  const file = join(folder, TRUSTED);
  const text = await ifThere(readFile(file, "utf8")).catch(failTo(`read ${printable(file)}`));
  if (text === null) return null;
  try {
    const { publicKeys } = JSON.parse(text) as { readonly publicKeys: string[] };
    publicKeys.forEach(checkPublicKey);
    if (publicKeys.length > 0) return publicKeys;
  } catch {
    // The damage is reported below.
  }
  await stderr.write(`urlhash: warning: ${printable(file)} is damaged: it is ignored\n`);
  return "damaged";
}

/**
 * Stores the trusted keys of a list in an existing folder.
 *
 * @throws {Failure} when the keys cannot be written.
 */
export async function keepTrustedKeys(
  folder: string,
  url: string,
  publicKeys: readonly string[],
): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ url, publicKeys }, null, 2)}\n`);
  await replaceFile(join(folder, TRUSTED), bytes, null).catch(
    failTo(`write to ${printable(folder)}`),
  );
}
