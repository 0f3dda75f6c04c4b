import { type Client, type ClientError, type ClientOptions, createClient } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { Context } from "../context.ts";

export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === "ClientError";
}

function create(options: ClientOptions): Client {
  try {
    return createClient(options);
  } catch (error) {
    if (isClientError(error)) throw new Failure(printable(error.message));
    throw error;
  }
}

/**
 * Makes a client that keeps its lists in a folder, loads the lists from there and reports damaged lists.
 *
 * @throws {Failure} when an option is wrong, or the folder cannot be read.
 */
export async function loadClient(
  folder: string,
  options: ClientOptions,
  { stderr }: Pick<Context, "stderr">,
): Promise<Client> {
  const client = create({ ...options, storage: directoryStorage(folder) });
  const { lists, storageError } = await client.load();
  if (storageError !== null) throw new Failure(printable(storageError.message));
  for (const { error } of lists) {
    if (error === null || error.code === "list-unknown") continue;
    await stderr.write(
      `urlhash: warning: ${printable(error.message)}: it is ignored, and the next update fetches it again\n`,
    );
  }
  return client;
}
