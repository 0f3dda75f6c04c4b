import { memoryStorage, readEntry } from "@x/list-store";
import { IS_DEEP } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import {
  Killed,
  killedAt,
  slowStorage,
} from "../../../../packages/list-store/test/support/failing-storage.ts";
import { plainList } from "../../../../packages/list-store/test/support/plain-list.ts";
import {
  hashesOf,
  newSigner,
  publisher,
  randomNumbers,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { type PlainClient, v4Client, v5Client, webRiskClient } from "../support/plain-client.ts";
import { testServer } from "../support/serving.ts";

const signer = await newSigner();
const VERSIONS = IS_DEEP ? 200 : 120;
const MALWARE = 1;
/** The number of seeds. `SEEDS` sets a larger one, as in `npm run chaos`. */
const COUNT = Number(process.env["SEEDS"] ?? (IS_DEEP ? 2 : 1));
const SEEDS = Array.from({ length: COUNT }, (_, i) => i + 1);

describe.each(SEEDS)("clients of v5, v4 and Web Risk at random old versions, seed %i", (seed) => {
  test("follow publishers that race and are killed", { tags: "deep" }, async () => {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    const server = testServer(storage, [signer.publicKey]);
    const pick = (count: number) => Math.floor(random() * count);
    let entries = new Set(Array.from({ length: 500 }, (_, i) => `${i}.example/`));
    await publisher(storage, signer)("malware", entries);
    await server.refresh();

    const clients = Array.from({ length: 12 }, (_, i): PlainClient => {
      const send = server.sender(`client ${i}`);
      if (i % 2 === 0) return v5Client(send, "mw-4b");
      if (i % 4 === 1) return v4Client(send, MALWARE);
      return webRiskClient(send, "MALWARE", i % 8 === 3 ? "RAW" : "RICE");
    });
    const kinds = { none: 0, partial: 0, full: 0 };
    const afterDrop = new Set<string>();
    let versions = 1;
    let kills = 0;
    // Racing publishers make each run different, so it may take long until a client drops an update.
    while (versions < VERSIONS || afterDrop.size === 0) {
      const next = new Set(entries);
      for (const entry of entries) if (random() < 0.01) next.delete(entry);
      for (let i = pick(15); i >= 0; i--) next.add(`${pick(1500)}.example/`);
      const fate = random();
      if (fate < 0.2) {
        // One publisher is killed at a random operation, and another one publishes the same entries.
        const dying = killedAt(storage, pick(30), random() < 0.5 ? "before" : "after");
        await publisher(dying, signer)("malware", next).catch((error) => {
          if (!(error instanceof Killed)) throw error;
          kills++;
        });
        await publisher(storage, signer)("malware", next);
      } else if (fate < 0.4) {
        // Two publishers publish at the same time. The higher version wins.
        const slow = slowStorage(storage, random);
        const theirs = new Set([...next, `theirs-${versions}.example/`]);
        const published = await Promise.all([
          publisher(slow, signer)("malware", next),
          publisher(slow, signer)("malware", theirs),
        ]);
        const made = published.map(({ manifest }) => manifest.version);
        expect(new Set(made).size).toBe(2);
        if (made[1]! > made[0]!) next.add(`theirs-${versions}.example/`);
      } else {
        await publisher(storage, signer)("malware", next);
      }
      entries = next;
      while ((await readEntry(storage, "malware", versions + 1)) !== null) versions++;
      if (random() < 0.7) await server.refresh();

      const client = clients[pick(clients.length)]!;
      if (random() < 0.9) {
        const drops = random() < 0.1;
        const kind = await client.update(drops);
        kinds[kind]++;
        if (drops && kind === "partial") afterDrop.add(await client.update());
      }
    }

    await server.refresh();
    const newest = plainList(hashesOf(entries));
    for (const client of clients) {
      await client.update();
      expect(client.list()).toEqual(newest);
      expect(await client.update()).toBe("none");
    }
    expect(kills).toBeGreaterThan(5);
    expect(kinds.partial).toBeGreaterThan(50);
    expect(kinds.full).toBeGreaterThan(10);
    expect([...afterDrop]).toEqual(["full"]);
  });
});
