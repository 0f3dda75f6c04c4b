import { readFileSync } from "node:fs";
import { type Published, signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { DAY, publisher } from "../../../../packages/list-store/test/support/publishing.ts";

/**
 * Publishes a list of whole hosts to a store in a directory, with a lifetime that may be shorter than the command
 * allows.
 */
export async function publishBriefly(
  directory: string,
  expressions: Iterable<string>,
  lifetime: number,
): Promise<Published> {
  const signer = await signerOf(readFileSync(`${directory}.key`, "utf8"));
  const options = { lifetime, renewWithin: 60 * DAY, onlyHosts: true };
  return publisher(directoryStorage(directory), signer)("malware", expressions, options);
}
