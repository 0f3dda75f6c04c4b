import { createClient, createLookup, type LookupOptions, memoryStorage } from "@x/client";
import { describe, expect, test } from "vitest";
import { prefixesOf, prefixOfText } from "./support/fake-server.ts";
import { KEY, MINUTE, setUp } from "./support/set-up.ts";

const LISTS = ["gc-32b", "mw-4b", "se-4b"];

describe("real-time", () => {
  test("a URL on the list of likely safe sites is checked with the lists alone", async () => {
    const { client, server } = setUp({ procedure: "real-time", lists: LISTS });
    await client.update();
    expect(await client.check("http://good.example/a")).toMatchObject({
      verdict: "safe",
      confirmed: true,
      local: "unlisted",
    });
    expect(server.requests).toHaveLength(1);
  });

  test("the server is asked about all prefixes of any other URL", async () => {
    const { client, server } = setUp({ procedure: "real-time", lists: LISTS });
    await client.update();
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    expect(await client.check("http://new.example/a?b")).toMatchObject({
      verdict: "unsafe",
      confirmed: true,
      local: "unlisted",
      matches: [{ list: null, threatTypes: ["MALWARE"], expression: "new.example/" }],
    });
    const asked = ["new.example/a?b", "new.example/a", "new.example/"].map(prefixOfText);
    expect(prefixesOf(server.requests[1]!).sort()).toEqual(asked.sort());
    expect(client.status().requests.prefixes).toBe(asked.length);
    expect((await client.check("http://other.example/")).verdict).toBe("safe");
    expect((await client.check("http://other.example/")).verdict).toBe("safe");
    expect(server.requests).toHaveLength(3);
  });

  test("a URL is likely safe only if both readings are", async () => {
    const { client, server } = setUp({ procedure: "real-time", lists: LISTS });
    await client.update();
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    expect(await client.check("http://new.example\\@good.example/")).toMatchObject({
      verdict: "unsafe",
      matches: [{ expression: "new.example/", reading: "browser" }],
    });
  });

  test("without an answer, the verdict is open, and the lists say what they know", async () => {
    const { client, server } = setUp({ procedure: "real-time", lists: LISTS });
    await client.update();
    server.instead = () => new Response(null, { status: 500 });
    expect(await client.check("http://other.example/")).toMatchObject({
      verdict: "unsure",
      reason: "server-unreachable",
      local: "unlisted",
      matches: [],
    });
    expect(await client.check("http://evil.example/")).toMatchObject({
      verdict: "unsure",
      local: "listed",
      matches: [{ list: "mw-4b" }],
    });
    expect((await client.check("http://good.example/")).verdict).toBe("safe");
    const safe = await client.check("http://other.example/");
    expect(safe.confirmed).toBe(false);
  });

  test("an outdated list of likely safe sites is not relied on", async () => {
    const { client, server, clock } = setUp({ procedure: "real-time", lists: LISTS, grace: 0 });
    await client.update();
    clock.time += 31 * MINUTE;
    expect((await client.check("http://good.example/")).verdict).toBe("safe");
    expect(server.requests).toHaveLength(2);
  });

  test("a server that answers makes up for lists that are missing", async () => {
    const { client } = setUp({ procedure: "real-time", lists: LISTS });
    expect((await client.check("http://evil.example/")).verdict).toBe("unsafe");
    expect((await client.check("http://other.example/")).verdict).toBe("safe");
    expect(client.checkLocally("http://another.example/").verdict).toBe("unsure");
  });
});

test.each(["local-list", "real-time"] as const)(
  "%s: what is not a decided URL is never safe",
  async (procedure) => {
    const { client } = setUp({ procedure, lists: LISTS });
    await client.update();
    for (const url of ["mailto:a@b", "", "http://", new Uint8Array([0x80])]) {
      const verdict = await client.check(url);
      expect(verdict.verdict).toBe("unsure");
      expect(["url-invalid", "url-undecided"]).toContain(verdict.reason);
      expect(verdict.error).not.toBeNull();
    }
    const undecided = "http://ev\u{2065}il.example/";
    expect(client.checkLocally(undecided).verdict).toBe("unsure");
    expect(await client.check(undecided)).toMatchObject({
      verdict: "unsure",
      reason: "url-undecided",
      error: { code: "host-undecided" },
    });
    await expect(client.check(5 as never)).rejects.toThrow(TypeError);
    expect(() => client.checkLocally(null as never)).toThrow(TypeError);
  },
);

test("the host suffixes of v5 begin at the registrable domain", async () => {
  const registrableDomain = (host: string) => host.split(".").slice(-3).join(".");
  const { client, server } = setUp({
    procedure: "real-time",
    lists: LISTS,
    registrableDomain,
  });
  await client.check("http://a.b.co.example/");
  const asked = ["a.b.co.example/", "b.co.example/"].map(prefixOfText);
  expect(prefixesOf(server.requests[0]!).sort()).toEqual(asked.sort());
});

test("a list of full hashes needs no confirmation", async () => {
  const { client, server } = setUp({ lists: ["own-32b"] });
  server.lists["own-32b"] = { versions: [["evil.example/"]] };
  await client.update();
  expect(client.checkLocally("http://evil.example/")).toMatchObject({
    verdict: "unsafe",
    confirmed: true,
    matches: [{ list: "own-32b", threatTypes: [] }],
  });
});

test("options are checked", () => {
  const good = { protocol: "v5", server: "https://lists.example", lists: ["mw-4b"] } as const;
  const code = (options: object) => {
    try {
      createClient({ ...good, key: KEY, ...options });
    } catch (error) {
      const { name, code } = error as { name: string; code?: string };
      expect(String(error)).not.toContain(KEY);
      return code ?? name;
    }
    return null;
  };
  expect(code({})).toBeNull();
  expect(code({ lists: [] })).toBe("option-invalid");
  expect(code({ lists: ["mw-4b", "mw-4b"] })).toBe("option-invalid");
  expect(code({ lists: [""] })).toBe("option-invalid");
  expect(code({ lists: ["gc-32b"] })).toBe("option-invalid");
  expect(code({ lists: ["mw-4b", "csdda-32b"] })).toBe("option-invalid");
  expect(code({ lists: "mw-4b" })).toBe("TypeError");
  expect(code({ lists: [1] })).toBe("TypeError");
  expect(code({ protocol: "v6" })).toBe("TypeError");
  expect(code({ protocol: "toString" })).toBe("TypeError");
  expect(code({ procedure: "no-storage" })).toBe("TypeError");
  expect(code({ onError: "unsafe" })).toBe("TypeError");
  expect(code({ key: 1 })).toBe("TypeError");
  expect(code({ server: "lists.example" })).toBe("option-invalid");
  expect(code({ server: "ftp://lists.example" })).toBe("option-invalid");
  expect(code({ server: "https://user@lists.example" })).toBe("option-invalid");
  expect(code({ server: 1 })).toBe("TypeError");
  for (const name of ["fetch", "now", "random", "onRequest", "registrableDomain"]) {
    expect(code({ [name]: 5 })).toBe("TypeError");
  }
  for (const name of ["apply", "onNewList", "onUpdate"]) {
    expect(code({ updates: { [name]: 5 } })).toBe("TypeError");
  }
  expect(code({ storage: {} })).toBe("TypeError");
  expect(code({ updates: "never" })).toBe("TypeError");
  expect(code({ updates: null })).toBe("TypeError");
  expect(code({ updates: "follow" })).toBe("option-invalid");
  expect(code({ updates: "follow", storage: memoryStorage() })).toBe("option-invalid");
  expect(code({ grace: -1 })).toBe("RangeError");
  expect(code({ grace: "1" })).toBe("TypeError");
});

test("an unknown option is refused, because a hook that is ignored would check nothing", () => {
  const server = "https://lists.example";
  const hook = () => false;
  const create = (options: object) => () =>
    createClient({ protocol: "v5", server, lists: ["mw-4b"], ...options });
  const createForStore = (store: object) => () =>
    createClient({ protocol: "store", server, lists: ["malware"], publicKeys: [], store });
  const refused = (message: string) =>
    expect.objectContaining({ name: "ClientError", code: "option-invalid", message });
  expect(create({ onNewList: hook })).toThrow(refused('createClient has no option "onNewList"'));
  expect(create({ toString: hook })).toThrow(refused('createClient has no option "toString"'));
  expect(create({ updates: { onNewLists: hook } })).toThrow(
    refused('updates has no option "onNewLists"'),
  );
  expect(createForStore({ openStore: hook })).toThrow(refused('store has no option "openStore"'));
  const lookup = { server, lists: ["mw-4b"] } as LookupOptions;
  expect(() => createLookup(lookup)).toThrow(refused('createLookup has no option "lists"'));
  const inherited = Object.create({ onNewList: hook }) as object;
  expect(create({ ...inherited, updates: Object.create({ onNewLists: hook }) })).not.toThrow();
});
