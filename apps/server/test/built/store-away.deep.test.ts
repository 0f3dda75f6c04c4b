import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { directoryStorage } from "@x/list-store/node";
import { expect, test } from "vitest";
import { staticHost } from "../../../../packages/list-store/test/support/static-host.ts";
import { get, servedFolder } from "../support/served-folder.ts";

/* Lookups on a running server whose store has become unreachable. No listed URL was looked up before. */

const folder = servedFolder();
const NAMES = Array.from({ length: 40 }, (_, i) => `h${i}`);
/** The average time between two requests, in milliseconds. */
const PAUSE = 20;

/** Looks up all listed hosts and as many others, without waiting for answers. Returns the statuses. */
async function lookUps(origin: string): Promise<{ listed: number[]; others: number[] }> {
  const status = async (host: string) =>
    (await get(origin, `/lookup/status?url=http://${host}.example/`)).status;
  const sent: { listed: Promise<number>; other: Promise<number> }[] = [];
  for (const name of NAMES) {
    sent.push({ listed: status(name), other: status(`not-${name}`) });
    await delay(2 * PAUSE);
  }
  return {
    listed: await Promise.all(sent.map(({ listed }) => listed)),
    others: await Promise.all(sent.map(({ other }) => other)),
  };
}

const RIGHT = { listed: NAMES.map(() => 403), others: NAMES.map(() => 200) };

test.each<[string, (store: string) => void]>([
  ["gone", (store) => renameSync(store, `${store}-away`)],
  [
    "emptied",
    (store) => {
      rmSync(store, { recursive: true });
      mkdirSync(store);
    },
  ],
  [
    "unreadable",
    (store) => {
      renameSync(store, `${store}-away`);
      // A link to itself makes reading fail with an error other than "not found".
      symlinkSync(store, store);
    },
  ],
])("every URL is answered while the store is %s", async (_, takeAway) => {
  await folder.publish(...NAMES);
  const server = await folder.started();
  takeAway(folder.storeFile());
  expect(await lookUps(server.origin)).toEqual(RIGHT);
  // The server has noticed that its store is unreachable.
  await expect.poll(async () => (await get(server.origin, "/readyz")).status).toBe(503);
  expect(await lookUps(server.origin)).toEqual(RIGHT);
});

test("every URL is answered while the store does not answer", async () => {
  await folder.publish(...NAMES);
  const host = await staticHost(directoryStorage(folder.storeFile()));
  try {
    const keys = ["--set", `public-keys=${join(folder.path, "lists.pub")}`, "--first-start"];
    const server = await folder.serving(
      "--store",
      host.address,
      "--set",
      "served-lists=malware",
      ...keys,
    );
    const asked: string[] = [];
    host.intercept((path) => asked.push(path) > 0);
    expect(await lookUps(server.origin)).toEqual(RIGHT);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
  } finally {
    await host.close();
  }
});
