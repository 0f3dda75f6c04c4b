import { type ClientOptions, createClient } from "@x/client";
import { memoryStorage, type Signer } from "@x/list-store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { eventually, type OtherServer, otherServer, upstreamOf } from "../support/upstream.ts";

const signer: Signer = await newSigner();

describe("a client of this server", () => {
  let server: LoggedServer;
  beforeEach(async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["evil.example/", "bad.example/"]);
    await publish("unwanted-software", ["soft.example/"]);
    await publish("unwanted-software", [], { withdrawn: true });
    for (let i = 0; i < 120; i++) await publish(`own-${i}`, ["own.example/"]);
    server = await startLoggedServer(storage, signer);
  });
  afterEach(() => server.stop());

  const open = (options: Partial<ClientOptions> & Pick<ClientOptions, "lists">) =>
    createClient({ protocol: "v5", server: server.origin, ...options });

  test.each([
    ["v5", "malware", "mw-4b", "did you mean mw-4b?"],
    ["v5", "weather", "mw-4b", "it has "],
    ["v4", "SOCIAL_ENGINEERING", "MALWARE/WINDOWS/URL", "it has MALWARE/ANY_PLATFORM/URL, "],
  ] as const)(
    "over %s that asks for %s as well is told of it, and nothing is safe",
    async (...row) => {
      const [protocol, unknown, known, hint] = row;
      const client = open({ protocol, lists: [known, unknown] });
      const { lists } = await client.update();
      expect(lists).toMatchObject([
        { size: 2, error: null },
        { size: 0, error: { code: "list-unknown", list: unknown } },
      ]);
      expect(lists[1]!.error!.message).toContain(`(${hint}`);
      expect(client.checkLocally("http://good.example/")).toMatchObject({
        verdict: "unsure",
        reason: "list-unknown",
      });
      expect(await client.check("http://evil.example/")).toMatchObject({ verdict: "unsafe" });
    },
  );

  test("over Web Risk is told of a list without a version, and nothing is safe", async () => {
    const client = open({ protocol: "web-risk", lists: ["MALWARE", "SOCIAL_ENGINEERING"] });
    for (let i = 0; i < 2; i++) {
      expect((await client.update()).lists).toMatchObject([
        { size: 2, error: null },
        { size: 0, error: { code: "list-unknown", list: "SOCIAL_ENGINEERING" } },
      ]);
      expect(await client.check("http://good.example/")).toMatchObject({
        verdict: "unsure",
        reason: "list-unknown",
      });
    }
    expect(await client.check("http://evil.example/")).toMatchObject({ verdict: "unsafe" });
  });

  test.each([
    ["v5", "uws-4b"],
    ["v4", "UNWANTED_SOFTWARE"],
    ["web-risk", "UNWANTED_SOFTWARE"],
  ] as const)("over %s has a withdrawn list, which is empty", async (protocol, name) => {
    const client = open({ protocol, lists: [name] });
    expect((await client.update()).lists).toMatchObject([{ size: 0, changed: true, error: null }]);
    expect(client.checkLocally("http://soft.example/").verdict).toBe("safe");
    expect(client.status().lists[0]).toMatchObject({ problem: null, size: 0 });
  });

  test("finds names on later pages", async () => {
    const client = open({ lists: ["own-119-4b", "own-120-4b"] });
    const { lists } = await client.update();
    expect(lists).toMatchObject([{ size: 1, error: null }, { error: { code: "list-unknown" } }]);
    expect(client.status().requests.updates).toBe(3);
  });
});

describe.each([
  ["v5", "mw-4b", "uws-4b", "list-unknown"],
  ["v4", "MALWARE", "UNWANTED_SOFTWARE", "list-unknown"],
  // Web Risk has no method for the names of the lists, so an unknown list looks like a failure.
  ["web-risk", "MALWARE", "UNWANTED_SOFTWARE", "server-unreachable"],
] as const)("a client over %s", (protocol, malware, unwanted, unknown) => {
  test.each([
    ["has disappeared", unknown],
    ["has expired", "server-unreachable"],
  ])("gets the other list when one of two %s", async (what, code) => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["evil.example/"]);
    await publish("unwanted-software", ["soft.example/"]);
    const first = await startLoggedServer(storage, signer);
    let { origin } = first;
    const client = createClient({
      ...{ protocol, server: origin, lists: [malware, unwanted] },
      fetch: (url, init) => fetch(String(url).replace(first.origin, origin), init),
    });
    await client.update();
    await first.stop();
    await publish("unwanted-software", ["soft.example/", "softer.example/"]);
    if (what === "has expired") {
      const { manifest } = await publish("malware", ["worse.example/"], { lifetime: 1000 });
      await expect.poll(() => Date.now(), { timeout: 5000 }).toBeGreaterThan(manifest.expires);
    } else {
      for (const { name } of await storage.list("lists/malware/v/"))
        await storage.delete(`lists/malware/v/${name}`);
      await storage.delete("lists/malware/head");
    }
    const second = await startLoggedServer(storage, signer);
    ({ origin } = second);
    try {
      const { lists } = await client.update();
      expect(lists).toMatchObject([
        { name: malware, error: { code } },
        { name: unwanted, changed: true, size: 2, error: null },
      ]);
      expect(client.status().lists).toMatchObject([{ size: 1 }, { size: 2 }]);
      // A search over Web Risk has no versions, so the server cannot know that the client has the list.
      const isHidden = protocol === "web-risk" && what === "has disappeared";
      const verdict = isHidden ? "safe" : "unsure";
      expect(await client.check("http://evil.example/")).toMatchObject({ verdict });
    } finally {
      await second.stop();
    }
  });
});

describe("a server whose upstream does not have a list", () => {
  let other: OtherServer;
  beforeEach(async () => {
    other = await otherServer({ "mw-4b": ["evil.example/"] });
  });
  afterEach(() => other.stop());

  test("says so, and gives no verdicts from it", async () => {
    const lists = { malware: "theirs", "mw-4b": "malware" };
    const server = await startLoggedServer(memoryStorage(), signer, {
      poll: 20,
      upstreams: [upstreamOf(other, { lists })],
    });
    try {
      const get = (path: string) => fetch(`${server.origin}${path}`);
      await eventually(async () =>
        expect(await (await get("/readyz")).text()).toBe(
          "The list theirs has not arrived from other yet: its server has no such list.\n",
        ),
      );
      expect(server.log()).toMatch(/has no list \\?"malware\\?" \(did you mean mw-4b\?\)/);
      expect((await get("/lookup/status?url=http://good.example/")).status).toBe(503);
      expect((await get("/lookup/status?url=http://evil.example/")).status).toBe(403);
      // Clients of this server see a list that cannot be served now, not an empty list.
      const client = createClient({ protocol: "v5", server: server.origin, lists: ["theirs-4b"] });
      await expect(client.update()).rejects.toMatchObject({ status: 503 });
    } finally {
      await server.stop();
    }
  });
});
