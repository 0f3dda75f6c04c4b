import { memoryStorage } from "@x/list-store";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { testServer } from "./serving.ts";

const signer = await newSigner();

/** Makes a server of lists with these entries and a function that publishes their next versions. */
export async function publishedLists(
  lists: Readonly<Record<string, readonly string[]>>,
  options: Parameters<typeof testServer>[2] = {},
): Promise<{ publish: ReturnType<typeof publisher>; server: ReturnType<typeof testServer> }> {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const { now = Date.now } = options;
  for (const [name, entries] of Object.entries(lists)) await publish(name, entries, { now });
  const server = testServer(storage, [signer.publicKey], options);
  await server.refresh();
  return { publish, server };
}
