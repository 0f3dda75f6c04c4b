import { memoryStorage } from "@x/list-store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import {
  type LoggedServer,
  type LoggedServerOptions,
  startLoggedServer,
} from "../support/logged-server.ts";

/* What pages of other origins may ask, and read. `checks/clients/browsers` asks real browsers. */

const signer = await newSigner();
const APP = "https://app.example";
const KEYS = `${hashApiKey("open sesame")} intranet\n${hashApiKey("public")} -\n`;

let server: LoggedServer;
async function start(options: LoggedServerOptions = {}): Promise<void> {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["evil.example/"]);
  await publish("intranet", ["inside.example/"]);
  server = await startLoggedServer(storage, signer, { keys: KEYS, ...options });
}
afterEach(() => server.stop());

/** Who may read an answer: the value of its header. */
async function readableBy(
  target: string,
  { key, origin = APP, ...init }: RequestInit & { key?: string; origin?: string } = {},
) {
  const headers = {
    Origin: origin,
    ...(key !== undefined && { "X-Goog-Api-Key": key }),
    ...(init.body !== undefined && { "Content-Type": "application/json" }),
  };
  const answer = await fetch(server.origin + target, { headers, ...init });
  return [answer.status, answer.headers.get("access-control-allow-origin")];
}

const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) });
const SEARCH = "/v5/hashes:search?hashPrefixes=AAAAAA==";

const PUBLIC: readonly [string, RequestInit][] = [
  [SEARCH, {}],
  ["/v5/hashList/mw-4b", {}],
  ["/v5/hashLists", {}],
  ["/v5/urls:search?urls=http://evil.example/", {}],
  ["/v4/threatLists", {}],
  ["/v4/threatListUpdates:fetch", post({ listUpdateRequests: [] })],
  ["/v1/threatLists:computeDiff?threatType=MALWARE", {}],
  ["/v1/uris:search?threatTypes=MALWARE&uri=http://evil.example/", {}],
  ["/lookup", post({ urls: ["http://evil.example/"] })],
  ["/openapi.json", {}],
];
const ERRORS: readonly [number, string, RequestInit][] = [
  [403, "/lookup/status?url=http://evil.example/", {}],
  [400, "/lookup/status", {}],
  [400, "/v5/hashes:search", {}],
  [403, "/v5/hashList/intranet-4b", {}],
  [404, "/nothing", {}],
  [405, "/v5/hashLists", { method: "DELETE" }],
  [413, "/lookup", { method: "POST", body: "x".repeat(2 ** 20 + 1) }],
  [431, `/${"x".repeat(70_000)}`, {}],
];

describe("a server with a private list", () => {
  beforeEach(() => start());

  test.each(PUBLIC)("lets all pages read %s", async (target, init) => {
    expect(await readableBy(target, init)).toEqual([200, "*"]);
  });

  test.each(ERRORS)("lets all pages read the status %s of %s", async (status, target, init) => {
    expect(await readableBy(target, init)).toEqual([status, "*"]);
  });

  test.each(["/v5/hashList/intranet-4b", SEARCH, "/v5/hashLists"])(
    "lets no page read %s with a key",
    async (target) => {
      expect(await readableBy(target, { key: "open sesame" })).toEqual([200, null]);
    },
  );

  test("lets no page read lookups with a key", async () => {
    const urls = ["http://evil.example/"];
    const asked = { key: "open sesame", headers: { "X-Goog-Api-Key": "open sesame" } };
    expect(await readableBy("/lookup?key=open+sesame", post({ urls }))).toEqual([200, null]);
    expect(
      await readableBy("/lookup/status?url=http://good.example/&key=open+sesame", asked),
    ).toEqual([200, null]);
    const lines = { method: "POST", body: urls[0]!, headers: { "Content-Type": "text/plain" } };
    expect(await readableBy("/lookup?key=open+sesame", lines)).toEqual([200, null]);
    expect(await readableBy("/lookup", lines)).toEqual([200, "*"]);
  });

  test("lets all pages read answers about public lists to a client that must send a key", async () => {
    expect(await readableBy("/v5/hashList/mw-4b", { key: "public" })).toEqual([200, "*"]);
  });

  test.each(["/", "/blocked", "/metrics", "/readyz"])("lets no page read %s", async (target) => {
    expect(await readableBy(target)).toEqual([200, null]);
  });

  test("answers questions of browsers before a request", async () => {
    for (const path of ["/lookup", "/v5/hashes:search", "*"]) {
      const answer = await fetch(`${server.origin}${path.replace("*", "/*")}`, {
        method: "OPTIONS",
        headers: { Origin: APP, "Access-Control-Request-Method": "POST" },
      });
      expect(answer.status).toBe(204);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": "Content-Type, X-Goog-Api-Key, X-HTTP-Method-Override",
      });
      expect(answer.headers.get("content-length")).toBe(null);
    }
  });
});

test.each([
  [[APP], APP, APP],
  [[APP], "https://other.example", null],
  [[APP], "null", null],
  [["*"], "https://other.example", "*"],
])("with --cors-origins %s, pages of %s may read private answers: %s", async (...row) => {
  const [origins, origin, allowed] = row;
  await start({ origins: new Set(origins) });
  for (const target of ["/v5/hashList/intranet-4b", SEARCH]) {
    expect(await readableBy(target, { key: "open sesame", origin })).toEqual([200, allowed]);
  }
  expect(await readableBy(SEARCH, { origin })).toEqual([200, "*"]);
});

test("pages can read when to ask again", async () => {
  server = await startLoggedServer(memoryStorage(), signer);
  const answer = await fetch(server.origin + SEARCH);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(answer.headers.get("access-control-expose-headers")).toBe("Retry-After");
});
