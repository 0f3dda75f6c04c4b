import { memoryStorage, type Signer, type Storage } from "@x/list-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import type { RunningServer } from "../../src/serve/server.ts";
import { type LoggedServerOptions, startLoggedServer } from "../support/logged-server.ts";

const KEY = "a-key";
const KEYS = `${hashApiKey(KEY)} intranet`;
const isOfIntranet = (key: string) => key.startsWith("lists/intranet/v/");
const storage = memoryStorage();
/** The store, in which the list intranet has lost its manifests, but not its other files. */
const lossy: Storage = {
  ...storage,
  get: async (key) => (isOfIntranet(key) ? null : storage.get(key)),
};
/** The store with an empty folder in place of the list intranet. */
const withEmptyFolder: Storage = {
  ...storage,
  get: async (key) => (key.startsWith("lists/intranet/") ? null : storage.get(key)),
  list: async (folder) => (folder.startsWith("lists/intranet/") ? [] : storage.list(folder)),
};
let signer: Signer;
let server: RunningServer;

beforeAll(async () => {
  signer = await newSigner();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"]);
  await publish("intranet", ["b.example/"]);
  server = await startLoggedServer(storage, signer, { keys: KEYS });
});
afterAll(() => server.stop());

async function get(
  path: string,
  { origin }: Pick<RunningServer, "origin"> = server,
): Promise<{ status: number; text: string }> {
  const response = await fetch(origin + path);
  return { status: response.status, text: await response.text() };
}

test.each(["/", "/healthz", "/readyz", "/metrics"])(
  "%s is the same page with a query",
  async (path) => {
    for (const each of [path, `${path}?`, `${path}?x=1`]) {
      expect((await get(each)).status).toBe(200);
    }
  },
);

test("the metrics count private lists, but do not name them", async () => {
  await get("/v5/hashList/mw-4b");
  expect((await get(`/v5/hashList/intranet-4b?key=${KEY}`)).status).toBe(200);
  const { text } = await get("/metrics");
  expect(text).toContain('urlhash_list_version{list="malware"} 1');
  expect(text).toContain('urlhash_updates_total{list="malware",kind="full"} 1');
  expect(text).toContain('urlhash_updates_total{list="(private)",kind="full"} 1');
  expect(text).toContain('urlhash_http_request_duration_seconds_count{route="v5.hashList.get"} 2');
  expect(text).not.toContain("intranet");
});

test("the metrics say when a version was signed, and when it expires", async () => {
  const list = server.lists.all().find(({ name }) => name === "malware")!;
  const { issued, expires } = list.loaded!.entry.manifest;
  const { text } = await get("/metrics");
  const numberOf = (name: string) =>
    Number(text.split(`${name}{list="malware"} `)[1]!.split("\n")[0]);
  expect(numberOf("urlhash_list_issued_timestamp_seconds")).toBe(issued / 1000);
  expect(numberOf("urlhash_list_expiration_timestamp_seconds")).toBe(expires / 1000);
});

test("readiness does not name a private list that has a problem", async () => {
  const other = await startLoggedServer(lossy, signer, { keys: KEYS });
  expect(await get("/readyz", other)).toEqual({
    status: 503,
    text: "A private list has a problem; see the log.\n",
  });
  await other.stop();
});

test("a server is ready without its optional lists, and says what is wrong with them", async () => {
  const optional = new Set(["intranet", "unknown"]);
  const other = await startLoggedServer(lossy, signer, { optional });
  expect(await get("/readyz", other)).toEqual({
    status: 200,
    text: "ready\nThe list intranet has no version yet. The list is optional.\n",
  });
  const metrics = (await get("/metrics", other)).text;
  for (const line of [
    'urlhash_list_ready{list="intranet"} 0',
    'urlhash_list_required{list="intranet"} 0',
    'urlhash_list_required{list="malware"} 1',
  ]) {
    expect(metrics).toContain(line);
  }
  expect(other.log()).toContain("The optional list unknown is not in the store.");
  await other.stop();
  const strict = await startLoggedServer(lossy, signer, { optional: new Set(["malware"]) });
  expect(await get("/readyz", strict)).toEqual({
    status: 503,
    text: "The list intranet has no version yet.\n",
  });
  await strict.stop();
});

test("an empty folder is as good as none, unless the settings name its list", async () => {
  const at = async (settings: LoggedServerOptions) => {
    const other = await startLoggedServer(withEmptyFolder, signer, settings);
    const reply = await get("/readyz", other);
    const { status } = await get("/lookup/status?url=http://clean.example/", other);
    await other.stop();
    return { ...reply, lookUp: status, log: other.log() };
  };
  const ready = { status: 200, text: "ready\n", lookUp: 200 };
  const logging = (message: string) => ({ ...ready, log: expect.stringContaining(message) });
  expect(await at({})).toMatchObject(logging("The folder of the list has no version"));
  expect(await at({ keys: KEYS })).toMatchObject(
    logging("The API keys name the list intranet, which is not in the store."),
  );
  expect(await at({ optional: new Set(["intranet"]) })).toMatchObject(
    logging("The optional list intranet is not in the store."),
  );
  expect(await at({ only: new Set(["malware", "intranet"]) })).toMatchObject({
    status: 503,
    text: "The list intranet has no version yet.\n",
    lookUp: 503,
  });
});
