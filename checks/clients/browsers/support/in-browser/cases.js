// Runs in browsers: in a page, in a module worker and in a service worker.
import { createClient, createLookup } from "@x/client";
import { indexedDbStorage } from "@x/client/browser";
import { CLIENT_STORAGE_CASES } from "../../../../../packages/client/test/storage-cases.ts";

/** Runs every case of a storage, with an empty database for each. */
async function storageCases(place) {
  const passed = [];
  for (const { name, run } of CLIENT_STORAGE_CASES) {
    await run(indexedDbStorage({ name: `${place} ${name}` }));
    passed.push(name);
  }
  return passed;
}

/** A client that updates, and then a second one that starts from the lists that the first one stored. */
async function clientWith(place, options) {
  const setUp = {
    protocol: "v5",
    server: LIST_SERVER,
    lists: ["mw-4b"],
    storage: indexedDbStorage({ name: `${place} lists` }),
  };
  const first = createClient({ ...setUp, ...options });
  const before = await first.check("http://evil.test/bad/x");
  const { lists } = await first.update();
  const again = createClient({
    ...setUp,
    onRequest: ({ path }) => path.includes("hashes:search"),
  });
  await again.load();
  const listed = await again.check("http://evil.test/bad/x");
  const lookUp = async (sends) => {
    const lookup = createLookup({ server: LIST_SERVER, sends });
    const urls = ["http://evil.test/bad/x", "http://fine.test/"];
    return (await Promise.all(urls.map((url) => lookup.check(url)))).map(({ verdict }) => verdict);
  };
  return {
    before: before.reason,
    size: lists[0].size,
    loaded: again.status().lists[0].size,
    unlisted: again.checkLocally("http://fine.test/").verdict,
    listed: [listed.verdict, listed.confirmed],
    updates: again.status().requests.updates,
    lookUps: [await lookUp("hash-prefixes"), await lookUp("urls")],
  };
}

/** The results from one place, as plain data. */
export async function results(place, options) {
  try {
    return { passed: await storageCases(place), client: await clientWith(place, options) };
  } catch (error) {
    return { error: `${error.message}\n${error.stack}` };
  }
}
