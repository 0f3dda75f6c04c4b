import { readFile } from "node:fs/promises";
import { type Relay, throughRelay } from "@x/client/ohttp";
import { Failure } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { isClientError } from "./load-client.ts";
import type { RelayedOptions } from "./server-options.ts";

/**
 * @throws {Failure} when the keys of the server are missing or cannot be read, or the URL of the relay is not valid.
 */
export async function relayOf({
  relay,
  relayKeys,
  relayUpdates: updates,
}: RelayedOptions & { readonly relay: string }): Promise<Relay> {
  if (relayKeys === undefined) {
    throw new Failure("--relay needs the keys of the server: --relay-keys FILE or URL");
  }
  const isUrl = /^https?:\/\//i.test(relayKeys);
  const keys = isUrl
    ? { gateway: relayKeys }
    : { keys: await readFile(relayKeys).catch(failTo(`read ${printable(relayKeys)}`)) };
  try {
    return throughRelay({ relay, updates, ...keys });
  } catch (error) {
    if (isClientError(error)) throw new Failure(printable(error.message), { cause: error });
    throw error;
  }
}
