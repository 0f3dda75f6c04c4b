import { loadList, memoryStorage, readEntry } from "@x/list-store";
import { type OpenList, openList } from "@x/list-store/serving";
import { watchMemory } from "@x/test-support/memory";
import { expect, test } from "vitest";
import { newSigner, publisher } from "./support/publishing.ts";

const VERSIONS = 100;
const signer = await newSigner();
const list = { list: "malware", publicKeys: [signer.publicKey] };

/** Publishes version after version of a list with about a thousand hosts. */
function changingList() {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const hosts = Array.from({ length: 1000 }, (_, i) => `${i}.example/`);
  return {
    storage,
    publish: (version: number) =>
      publish(list.list, [...hosts.slice(version), `v${version}.example/`]),
  };
}

test("frees the versions that servers no longer need", async () => {
  const { storage, publish } = changingList();
  const watched = watchMemory();
  let open: OpenList | null = null;
  for (let version = 1; version <= VERSIONS; version++) {
    await publish(version);
    const loaded = (await loadList({ ...list, storage }, open))!;
    open = await openList(storage, loaded, { window: 50 }, open);
    watched.add(open);
    const { contents } = (await readEntry(storage, list.list, Math.max(1, version - 3)))!.manifest;
    await open.differenceSince(contents.since, contents.checksum, "client");
    for await (const _ of open.fullHashes());
  }
  expect(open!.entry.manifest.version).toBe(VERSIONS);
  expect(await watched.left(1)).toBe(1);
});
