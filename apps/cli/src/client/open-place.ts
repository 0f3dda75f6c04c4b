import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { Failure } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { isListName, type StoredList } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import type { Context } from "../context.ts";
import type { FetchOptions } from "./list-address.ts";
import { readPublicKeys } from "./open-client.ts";
import { storedListAt } from "./stored-list.ts";

/** A list in a store, and the newest version of it that is in the cache, or 0. */
export interface OpenedPlace {
  readonly stored: StoredList;
  readonly keptVersion: number;
}

/**
 * Opens a list in a store, at a URL or in a folder: the folder of the store, a slash and the name of the list.
 *
 * @throws {Failure} when the place is not that of a list, or no public key is known.
 */
export async function openPlace(
  place: string,
  options: Pick<FetchOptions, "publicKey">,
  context: Context,
): Promise<OpenedPlace> {
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) {
    const { stored, keptVersion } = await storedListAt(place, options, context);
    return { stored: { ...stored, sha256 }, keptVersion };
  }
  const [folder, list] = [dirname(resolve(place)), basename(place)];
  const shown = printable(place);
  if (!isListName(list)) {
    throw new Failure(
      `${shown} cannot be a list in a folder: it must end in the name of a list, as in FOLDER/NAME`,
    );
  }
  if (options.publicKey === undefined) {
    throw new Failure(`the public key of ${shown} is not known: give it, as in --public-key KEY`);
  }
  const publicKeys = await readPublicKeys(options.publicKey);
  await stat(folder).catch(failTo(`read ${printable(folder)}`));
  const storage = directoryStorage(folder, { makesDirectory: false });
  return { stored: { storage, list, publicKeys, sha256 }, keptVersion: 0 };
}
