import { memoryStorage, type Storage } from "@x/list-store";
import type { OpenList } from "@x/list-store/serving";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { plainChecksum } from "../../../../packages/list-store/test/support/plain-list.ts";
import {
  baseOf,
  DAY,
  newSigner,
  publisher,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { readyReply } from "../../src/serve/operator-routes.ts";
import { type Aside, AT_ONCE } from "../../src/serve/worker-thread/run-job.ts";
import { apiKeysFrom } from "../support/api-keys.ts";
import { complaintOf } from "../support/complaint.ts";
import { v4Client, v5Client } from "../support/plain-client.ts";
import { type TestServer, testServer } from "../support/serving.ts";

const signer = await newSigner();
const json = ({ body }: { body: Uint8Array }) => JSON.parse(Buffer.from(body).toString());
const base64 = (bytes: Uint8Array) => encodeURIComponent(Buffer.from(bytes).toString("base64"));
const prefixOf = (expression: string) => base64(fullHash(expression).subarray(0, 4));
const EMPTY_SHA256 = Buffer.from(plainChecksum([]), "hex").toString("base64");

async function served(
  lists: Readonly<Record<string, readonly string[]>>,
  options: Parameters<typeof testServer>[2] = {},
) {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  for (const [name, entries] of Object.entries(lists)) await publish(name, entries);
  const server = testServer(storage, [signer.publicKey], options);
  await server.refresh();
  return { storage, publish, server };
}

describe("updates", () => {
  test("answer lists that are not in the store as empty, in the order asked for", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    const names = ["gc-32b", "mw-4b", "unheard-of"];
    const query = names.map((name) => `names=${name}`).join("&");
    const { hashLists } = json(await server.get(`/v5/hashLists:batchGet?alt=json&${query}`));
    expect(hashLists.map((list: { name: string }) => list.name)).toEqual(names);
    expect(hashLists[0]).toEqual({
      name: "gc-32b",
      minimumWaitDuration: "1800s",
      sha256Checksum: EMPTY_SHA256,
    });
    expect(hashLists[1].additionsFourBytes).toBeDefined();
  });

  test("of more than a hundred lists are refused", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    const names = Array.from({ length: 101 }, (_, i) => `names=list-${i}`);
    const refused = await server.get(`/v5/hashLists:batchGet?${names.join("&")}`);
    expect(refused.status).toBe(400);
    expect(json(refused).error.message).toBe("The request names more than 100 lists.");
    const answered = await server.get(`/v5/hashLists:batchGet?${names.slice(1).join("&")}`);
    expect(answered.status).toBe(200);
  });

  test("are refused when a request names a list twice", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    const twice = await server.get("/v5/hashLists:batchGet?names=mw-4b&names=se-4b&names=mw-4b");
    expect(twice.status).toBe(400);
    expect(json(twice).error.message).toMatch("expected each list only once");

    const fetchUpdates = (platformTypes: readonly string[]) =>
      server.api.answer({
        method: "POST",
        target: "/v4/threatListUpdates:fetch",
        headers: { get: () => null },
        body: Buffer.from(
          JSON.stringify({
            listUpdateRequests: platformTypes.map((platformType) => ({
              ...{ threatType: "MALWARE", platformType, threatEntryType: "URL" },
              constraints: { supportedCompressions: ["RAW"] },
            })),
          }),
        ),
        client: () => "client",
        network: () => "client",
      });
    expect((await fetchUpdates(["LINUX", "WINDOWS"])).status).toBe(200);
    const refused = await fetchUpdates(["LINUX", "WINDOWS", "LINUX"]);
    expect(refused.status).toBe(400);
    expect(json(refused).error.message).toBe(
      "The request names a list twice, with the same platform and entry type.",
    );
  });

  test("take tokens in any order, and only for the list they name", async () => {
    const { server, publish } = await served({
      malware: ["a.example/"],
      "social-engineering": ["b.example/"],
    });
    const first = json(await server.get("/v5/hashLists:batchGet?alt=json&names=mw-4b&names=se-4b"));
    const [mw, se] = first.hashLists.map(({ version }: { version: string }) =>
      encodeURIComponent(version),
    );
    await publish("malware", ["a.example/", "c.example/"]);
    await server.refresh();
    const second = json(
      await server.get(
        `/v5/hashLists:batchGet?alt=json&names=mw-4b&names=se-4b&version=${se}&version=${mw}`,
      ),
    );
    expect(
      second.hashLists.map(({ partialUpdate }: { partialUpdate: boolean }) => partialUpdate),
    ).toEqual([true, true]);
    const one = json(await server.get(`/v5/hashList/mw-4b?alt=json&version=${se}`));
    expect(one.partialUpdate).toBeUndefined();
  });

  test.each([
    "x",
    "malware.1.0000000000000000",
    "malware.7.0000000000000000",
    "malware.0.0000000000000000",
    "\xff",
  ])("answer a full update to the token %j", async (token) => {
    const { server } = await served({ malware: ["a.example/"] });
    const version = encodeURIComponent(Buffer.from(token, "latin1").toString("base64"));
    const list = json(await server.get(`/v5/hashList/mw-4b?alt=json&version=${version}`));
    expect(list.partialUpdate).toBeUndefined();
    expect(list.additionsFourBytes).toBeDefined();
  });

  test("answer a full update beyond the window", async () => {
    const { server, publish } = await served(
      { malware: ["0.example/", "x.example/", "y.example/"] },
      { window: 2 },
    );
    const clients = [v5Client(server.sender("a"), "mw-4b"), v5Client(server.sender("b"), "mw-4b")];
    await clients[0]!.update();
    for (let i = 1; i <= 3; i++) {
      await publish("malware", [`${i}.example/`, "x.example/", "y.example/"]);
      await server.refresh();
      if (i === 1) await clients[1]!.update();
    }
    expect(await clients[0]!.update()).toBe("full");
    expect(server.answered.at(-1)!.updates[0]!.reason).toBe("behind-window");
    expect(await clients[1]!.update()).toBe("partial");
  });

  test("answer a full update where it is smaller, and where an object is gone", async () => {
    const entries = Array.from({ length: 10 }, (_, i) => `${i}.example/`);
    const { server, publish, storage } = await served({ malware: entries });
    const [first, second] = ["a", "b"].map((name) => v5Client(server.sender(name), "mw-4b"));
    await first!.update();
    await publish("malware", entries.slice(9));
    await server.refresh();
    expect(await first!.update()).toBe("full");
    expect(server.answered.at(-1)!.updates[0]!.reason).toBe("full-is-smaller");
    await second!.update();
    const { manifest } = await publish("malware", entries.slice(8));
    await server.refresh();
    const { object } = manifest.blocks[0]!;
    await storage.delete(`objects/sha256/${object!.slice(0, 2)}/${object}`);
    expect(await second!.update()).toBe("full");
    expect(server.answered.at(-1)!.updates[0]!.reason).toBe("object-missing");
  });

  test("give a client whose update failed a full one, and to others still the difference", async () => {
    const { server, publish } = await served({ malware: ["a.example/", "b.example/"] });
    const failing = v4Client(server.sender("failing"), 1);
    const other = v4Client(server.sender("other"), 1);
    await failing.update();
    await other.update();
    await publish("malware", ["a.example/", "c.example/"]);
    await server.refresh();
    expect(await failing.update(true)).toBe("partial");
    expect(await failing.update(true)).toBe("full");
    expect(await other.update()).toBe("partial");
    expect(await failing.update()).toBe("partial");
    expect(await failing.update()).toBe("none");
  });

  test("empty a client's list by a difference when the list is withdrawn", async () => {
    const { server, publish } = await served({ malware: ["a.example/", "b.example/"] });
    const clients = [v5Client(server.sender("a"), "mw-4b"), v4Client(server.sender("b"), 1)];
    for (const client of clients) await client.update();
    await publish("malware", [], { withdrawn: true });
    await server.refresh();
    for (const client of clients) {
      // Firefox ignores an empty full update, and would keep the list.
      expect(await client.update()).toBe("partial");
      expect(client.list()).toEqual([]);
    }
  });

  test("change nothing for clients when a list is signed again", async () => {
    const { server, publish } = await served({ malware: ["a.example/"] });
    const client = v5Client(server.sender("a"), "mw-4b");
    await client.update();
    expect((await publish("malware", ["a.example/"], { renewWithin: 60 * DAY })).outcome).toBe(
      "renewed",
    );
    await server.refresh();
    expect(server.lists.all()[0]!.loaded!.entry.manifest.version).toBe(2);
    expect(await client.update()).toBe("none");
  });

  describe("stay within the limits that a client sends", () => {
    const entries = Array.from({ length: 3000 }, (_, i) => `${i}.example/`);
    const prefixesOf = (all: readonly string[]) =>
      all.map((each) => Buffer.from(fullHash(each).subarray(0, 4)).toString("hex")).sort();
    const [database, update] = ["maxDatabaseEntries", "maxUpdateEntries"].map(
      (name) => (count: number) => `&sizeConstraints.${name}=${count}`,
    );

    test.each([
      ["its list", database!(1500), 1024],
      ["one update", update!(2048), 2048],
      ["both", database!(2047) + update!(2500), 1024],
    ])("for %s, with the first prefixes of the list", async (_, limits, count) => {
      const { server, publish } = await served({ malware: entries });
      const client = v5Client(server.sender("a"), "mw-4b", limits);
      expect(await client.update()).toBe("full");
      expect(client.list()).toEqual(prefixesOf(entries).slice(0, count));
      expect(await client.update()).toBe("none");
      await publish("malware", entries.slice(1));
      await server.refresh();
      expect(await client.update()).toBe("full");
      expect(server.answered.at(-1)!.updates[0]!.reason).toBe("limited");
      expect(client.list()).toEqual(prefixesOf(entries.slice(1)).slice(0, count));
      // A list that fits within the limit of the client is sent whole again.
      await publish("malware", entries.slice(0, 5));
      await server.refresh();
      await client.update();
      expect(client.list()).toEqual(prefixesOf(entries.slice(0, 5)));
      await publish("malware", entries.slice(0, 6));
      await server.refresh();
      expect(await client.update()).toBe("partial");
    });

    test("for one update, with a full update where a difference has more changes", async () => {
      const { server, publish } = await served({ malware: entries });
      const { version } = json(await server.get("/v5/hashList/mw-4b?alt=json"));
      await publish("malware", [], { withdrawn: true });
      await server.refresh();
      const target = `/v5/hashList/mw-4b?alt=json&version=${encodeURIComponent(version)}`;
      expect(json(await server.get(target)).compressedRemovals.entriesCount).toBe(2999);
      const limited = json(await server.get(target + update!(1024)));
      expect(limited.partialUpdate).toBeUndefined();
      expect(limited.sha256Checksum).toBe(EMPTY_SHA256);
    });

    test("whose token comes without them, with the whole list", async () => {
      const { server } = await served({ malware: entries });
      const limited = json(
        await server.get(`/v5/hashList/mw-4b?alt=json${database!(1024)}`),
      ).version;
      const version = encodeURIComponent(limited);
      const { partialUpdate, additionsFourBytes } = json(
        await server.get(`/v5/hashList/mw-4b?alt=json&version=${version}`),
      );
      expect(partialUpdate).toBeUndefined();
      expect(additionsFourBytes.entriesCount).toBe(2999);
    });

    test.each([
      ["v4", 512],
      ["Web Risk", 1024],
    ])("in %s", async (protocol, count) => {
      const { server } = await served({ malware: entries });
      const body = {
        listUpdateRequests: [
          {
            threatType: "MALWARE",
            threatEntryType: "URL",
            constraints: { maxUpdateEntries: 600 },
          },
        ],
      };
      const answered = await (protocol === "v4"
        ? server.api.answer({
            method: "POST",
            target: "/v4/threatListUpdates:fetch",
            headers: { get: () => null },
            body: Buffer.from(JSON.stringify(body)),
            client: () => "a",
            network: () => "a",
          })
        : server.get(
            "/v1/threatLists:computeDiff?threatType=MALWARE&constraints.maxDiffEntries=1024",
          ));
      const [hashes] =
        protocol === "v4"
          ? json(answered).listUpdateResponses[0].additions.map(
              (each: { rawHashes: object }) => each.rawHashes,
            )
          : json(answered).additions.rawHashes;
      expect(Buffer.from(hashes.rawHashes, "base64")).toHaveLength(4 * count);
    });
  });

  test("serve Firefox's private type of social engineering in v4", async () => {
    const { server } = await served({ "social-engineering": ["a.example/"] });
    for (const type of [2, 5]) {
      const client = v4Client(server.sender("a"), type);
      await client.update();
      expect(client.list()).toHaveLength(1);
    }
  });
});

describe("searches", () => {
  const search = async (server: TestServer, ...expressions: string[]) =>
    json(
      await server.get(
        `/v5/hashes:search?alt=json&${expressions.map((each) => `hashPrefixes=${prefixOf(each)}`).join("&")}`,
      ),
    );

  test("find full hashes with every list they are on", async () => {
    const { server } = await served({
      malware: ["a.example/", "b.example/"],
      "social-engineering": ["b.example/"],
    });
    const answer = await search(server, "a.example/", "b.example/", "c.example/", "a.example/");
    const types = answer.fullHashes.map((each: { fullHashDetails: { threatType: string }[] }) =>
      each.fullHashDetails.map(({ threatType }) => threatType),
    );
    expect(types).toEqual([["MALWARE"], ["MALWARE", "SOCIAL_ENGINEERING"]]);
    expect(answer.cacheDuration).toBe("300s");
  });

  test("find nothing in an answer with status 200", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    expect(await search(server, "c.example/")).toEqual({ cacheDuration: "300s" });
  });

  test("find every one of many hashes across shards", async () => {
    const entries = Array.from({ length: 70_000 }, (_, i) => `${i}.example/`);
    const { server } = await served({ malware: entries });
    expect((server.lists.all()[0]!.loaded as OpenList).hashBlocks[0]!.shards).toHaveLength(4);
    for (let i = 0; i < entries.length; i += 701) {
      const answer = await search(server, entries[i]!);
      const hashes = answer.fullHashes.map(({ fullHash }: { fullHash: string }) => fullHash);
      expect(hashes).toContain(Buffer.from(fullHash(entries[i]!)).toString("base64"));
    }
  });
});

describe("threatMatches:find", () => {
  const find = async (server: TestServer, threatInfo: object) => {
    const { status, body } = await server.api.answer({
      method: "POST",
      target: "/v4/threatMatches:find",
      headers: { get: () => null },
      body: Buffer.from(JSON.stringify({ threatInfo })),
      client: () => "client",
      network: () => "client",
    });
    return { status, answer: JSON.parse(Buffer.from(body).toString()) };
  };
  const TYPES = { threatTypes: ["MALWARE"], threatEntryTypes: ["URL"] };

  test.each([
    ["as the specification does", "http://evil.example\\@good.example/", "good.example/"],
    ["as browsers do", "http://evil.example\\@good.example/", "evil.example/"],
    ["where only browsers find a host", "https:evil.example", "evil.example/"],
  ])("reads a URL %s", async (_, url, listed) => {
    const { server } = await served({ malware: [listed] });
    const { status, answer } = await find(server, { ...TYPES, threatEntries: [{ url }] });
    expect(status).toBe(200);
    expect(answer.matches).toMatchObject([{ threatType: "MALWARE", threat: { url } }]);
  });

  test("finds nothing for a URL that is on no list", async () => {
    const { server } = await served({ malware: ["evil.example/"] });
    const threatEntries = [{ url: "http://good.example/" }];
    expect(await find(server, { ...TYPES, threatEntries })).toEqual({ status: 200, answer: {} });
  });

  test.each([
    [
      "a URL that cannot be read",
      { ...TYPES, threatEntries: [{ url: "http://" }] },
      /a readable URL/,
    ],
    [
      "a host that cannot be decided",
      { ...TYPES, threatEntries: [{ url: "evil.example" }, { url: "http://ev\u2065il.example/" }] },
      /host-undecided/,
    ],
    ["an entry without a URL", { ...TYPES, threatEntries: [{}] }, /a readable URL/],
    ["no entries", TYPES, /no threatEntries/],
    ["no types", { threatEntries: [{ url: "http://a.example/" }] }, /no known threatTypes/],
  ])("refuses %s", async (_, threatInfo, message) => {
    const { server } = await served({ malware: ["a.example/"] });
    const { status, answer } = await find(server, threatInfo);
    expect(status).toBe(400);
    expect(answer.error.message).toMatch(message);
  });
});

test.each([
  ["threatTypes", { threatEntryTypes: ["URL"] }],
  ["threatEntryTypes", { threatTypes: ["MALWARE"] }],
  ["threatTypes", { threatTypes: ["NEW_TYPE"], threatEntryTypes: ["URL"] }],
])(
  "fullHashes:find refuses a request without known %s, and answers others with metadata",
  async (field, types) => {
    const { server } = await served({ malware: ["a.example/"] });
    const threatEntries = [{ hash: Buffer.from(fullHash("a.example/")).toString("base64") }];
    const find = (threatInfo: object) =>
      server.api.answer({
        method: "POST",
        target: "/v4/fullHashes:find",
        headers: { get: () => null },
        body: Buffer.from(JSON.stringify({ threatInfo })),
        client: () => "client",
        network: () => "client",
      });
    const refused = await find({ ...types, threatEntries });
    expect(refused.status).toBe(400);
    expect(json(refused).error.message).toBe(`The request has no known ${field}.`);
    const whole = { threatTypes: ["MALWARE"], threatEntryTypes: ["URL"], threatEntries };
    const { matches } = json(await find(whole));
    expect(matches).toHaveLength(1);
    // gglsbl reads the field without checking whether it is present.
    expect(matches[0].threatEntryMetadata).toEqual({});
  },
);

describe("a v4 search for several lists", () => {
  const ENTRIES = {
    "/v4/fullHashes:find": { hash: Buffer.from(fullHash("a.example/")).toString("base64") },
    "/v4/threatMatches:find": { url: "http://a.example/" },
  } as const;
  type Target = keyof typeof ENTRIES;

  async function find(target: Target, threatInfo: object, lists: Parameters<typeof served>[0]) {
    const { server } = await served(lists);
    const types = { threatEntryTypes: ["URL"], threatEntries: [ENTRIES[target]] };
    const reply = await server.api.answer({
      method: "POST",
      target,
      headers: { get: () => null },
      body: Buffer.from(JSON.stringify({ threatInfo: { ...types, ...threatInfo } })),
      client: () => "client",
      network: () => "client",
    });
    const { matches = [], error } = json(reply);
    const names = matches.map(
      ({ threatType, platformType }: Record<string, unknown>) => `${threatType}/${platformType}`,
    );
    return { names, error };
  }

  describe.each(Object.keys(ENTRIES) as Target[])("%s", (target) => {
    test("has a match for each name of the list, because clients drop those of other lists", async () => {
      const lists = { malware: ["a.example/"], "social-engineering": ["a.example/"] };
      const threatInfo = {
        threatTypes: [
          ...["SOCIAL_ENGINEERING", "MALWARE", "UNWANTED_SOFTWARE"],
          ...["SOCIAL_ENGINEERING_INTERNAL", "MALWARE"],
        ],
        // 99 is an unknown platform. Answers to updates repeat unknown numbers, and answers to searches must, too.
        platformTypes: ["WINDOWS", "LINUX", "WINDOWS", 99],
      };
      const { names } = await find(target, threatInfo, lists);
      expect(names.sort()).toEqual(
        ["MALWARE", "SOCIAL_ENGINEERING", "SOCIAL_ENGINEERING_INTERNAL"].flatMap((type) =>
          ["99", "LINUX", "WINDOWS"].map((platform) => `${type}/${platform}`),
        ),
      );
      const { names: any } = await find(target, { threatTypes: ["MALWARE"] }, lists);
      expect(any).toEqual(["MALWARE/ANY_PLATFORM"]);
    });

    test("is refused if its answer would be long", async () => {
      const entries = Array.from({ length: 6 }, (_, i) => `${i}.example/`);
      const threatEntries = entries.map((entry) => ({
        hash: Buffer.from(fullHash(entry)).toString("base64"),
        url: `http://${entry}`,
      }));
      const platformTypes = Array.from({ length: 1000 }, (_, i) => i + 1);
      const threatInfo = { threatTypes: ["MALWARE"], platformTypes, threatEntries };
      const { error } = await find(target, threatInfo, { malware: entries });
      expect(error).toMatchObject({ code: 400, message: expect.stringMatching(/5000 matches/) });
      const fewer = { ...threatInfo, threatEntries: threatEntries.slice(1) };
      expect((await find(target, fewer, { malware: entries })).names).toHaveLength(5000);
    });
  });
});

describe("a list that may not be served is never empty", () => {
  test("expired: updates and searches are answered with 503", async () => {
    let now = Date.now();
    const { server } = await served({ malware: ["a.example/"] }, { now: () => now });
    expect((await server.get("/v5/hashList/mw-4b")).status).toBe(200);
    now += 31 * DAY;
    await server.refresh();
    const targets = [
      "/v5/hashList/mw-4b",
      `/v5/hashes:search?hashPrefixes=${prefixOf("a.example/")}`,
    ];
    for (const target of targets) {
      const reply = await server.get(target);
      expect(reply.status).toBe(503);
      expect(json(reply).error.message).toMatch(
        /malware is not available: Version 1 of malware expired at/,
      );
    }
  });

  test("expired while the store cannot be read", async () => {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", ["a.example/"]);
    let [now, isBroken] = [Date.now(), false];
    const list: Storage["list"] = async (folder) => {
      if (isBroken) throw new Error("EMFILE: too many open files");
      return storage.list(folder);
    };
    const server = testServer({ ...storage, list }, [signer.publicKey], { now: () => now });
    isBroken = true;
    await expect(server.refresh()).rejects.toThrow("EMFILE");
    isBroken = false;
    await server.refresh();
    isBroken = true;
    await server.refresh();
    expect((await server.get("/v5/hashList/mw-4b")).status).toBe(200);
    now += 31 * DAY;
    await server.refresh();
    expect((await server.get("/v5/hashList/mw-4b")).status).toBe(503);
  });

  test("seen before a restart and missing now: updates, searches and readiness are 503", async () => {
    const storage = memoryStorage();
    const seen = new Map([["malware", { version: 2, hash: "0".repeat(64) }]]);
    await publisher(storage, signer)("social-engineering", ["b.example/"]);
    const server = testServer(storage, [signer.publicKey], { seen });
    await server.refresh();
    const targets = [
      "/v5/hashList/mw-4b",
      "/v5/hashLists:batchGet?names=mw-4b",
      `/v5/hashes:search?hashPrefixes=${prefixOf("a.example/")}`,
    ];
    for (const target of targets) {
      const reply = await server.get(target);
      expect(reply.status).toBe(503);
      expect(json(reply).error.message).toMatch(/malware is not available: .*malware/);
    }
    const ready = readyReply(server.lists);
    expect(ready.status).toBe(503);
    expect(Buffer.from(ready.body).toString()).toMatch(/malware/);
    expect((await server.get("/v5/hashList/se-4b")).status).toBe(200);
  });

  test("damaged: the version before is served on, and the problem is known", async () => {
    const { server, storage, publish } = await served({ malware: ["a.example/"] });
    const client = v5Client(server.sender("a"), "mw-4b");
    await client.update();
    const { manifest } = await publish("malware", ["b.example/"]);
    const { prefixes } = await baseOf(storage, manifest);
    for (const object of [prefixes, manifest.blocks[0]!.object!]) {
      await storage.put(`objects/sha256/${object.slice(0, 2)}/${object}`, Buffer.from("damage"));
    }
    await server.refresh();
    expect(server.lists.all()[0]!.problem).toMatch(/is damaged/);
    expect(await client.update()).toBe("none");
  });
});

test.each([
  ["lost", null],
  ["damaged", Buffer.from("damage")],
])(
  "a search that needs an object that is %s is 503, and so is readiness, until it is whole again",
  async (_, damage) => {
    const { server: before, storage } = await served({ malware: ["a.example/"] });
    const shard = (before.lists.all()[0]!.loaded as OpenList).hashBlocks[0]!.shards[0]!;
    const key = `objects/sha256/${shard.slice(0, 2)}/${shard}`;
    const bytes = (await storage.get(key))!;
    if (damage === null) await storage.delete(key);
    else await storage.put(key, damage);
    const server = testServer(storage, [signer.publicKey]);
    await server.refresh();
    const target = `/v5/hashes:search?alt=json&hashPrefixes=${prefixOf("a.example/")}`;
    const reply = await server.get(target);
    expect(reply).toMatchObject({ status: 503, headers: { "Retry-After": "1" } });
    expect(json(reply).error.message).toBe("Part of the list malware cannot be searched.");
    for (const refreshes of [0, 1, 2]) {
      const ready = readyReply(server.lists);
      expect([refreshes, ready.status]).toEqual([refreshes, 503]);
      expect(Buffer.from(ready.body).toString()).toMatch(
        new RegExp(`Part of the list malware cannot be searched: The object ${shard} is`),
      );
      await server.refresh();
    }
    // Updates do not need the damaged shard.
    expect((await server.get("/v5/hashList/mw-4b")).status).toBe(200);
    await storage.put(key, bytes);
    await server.refresh();
    expect(readyReply(server.lists).status).toBe(200);
    expect(json(await server.get(target)).fullHashes).toHaveLength(1);
  },
);

test.each([["serve"], ["log"], ["show", "malware"], ["withdraw", "malware"], ["gc"]])(
  "%s refuses a store that does not exist",
  { tags: "deep" },
  async (...args) => {
    expect(await complaintOf(...args, "--store", "/nowhere/lists")).toMatch(
      /The store \S*lists does not exist; urlhash-server init --store \S*lists makes a new one\n$/,
    );
  },
);

test("a store without lists is an error, and not a store with empty lists", async () => {
  const { server } = await served({});
  for (const target of [
    "/v5/hashList/mw-4b",
    "/v5/hashLists:batchGet?names=mw-4b",
    `/v5/hashes:search?hashPrefixes=${prefixOf("a.example/")}`,
    "/v1/threatLists:computeDiff?threatType=MALWARE",
    "/v1/uris:search?threatTypes=MALWARE&uri=a.example",
  ]) {
    expect((await server.get(target)).status).toBe(503);
  }
});

describe("private lists", () => {
  const KEY = "a-key";
  const LISTS = { malware: ["a.example/"], intranet: ["b.example/"] };
  const keys = `${hashApiKey(KEY)} intranet # someone\n`;

  test("open to their keys only", async () => {
    const { server } = await served(LISTS, { keys });
    expect((await server.get("/v5/hashList/intranet-4b")).status).toBe(403);
    expect((await server.get("/v5/hashList/intranet-4b?key=other")).status).toBe(403);
    const opened = await server.get(`/v5/hashList/intranet-4b?key=${KEY}`);
    expect(opened.status).toBe(200);
    expect(opened.headers["Cache-Control"]).toBe("private, no-store");
    expect(opened.headers["ETag"]).toBeUndefined();
    // The answer for the client with the key must not be reused for one without it.
    expect((await server.get("/v5/hashList/intranet-4b")).status).toBe(403);
    const byHeader = { "x-goog-api-key": KEY };
    expect((await server.get("/v5/hashList/intranet-4b", byHeader)).status).toBe(200);
  });

  test("are not opened by readers without keys for them", () => {
    expect(() => apiKeysFrom(`${hashApiKey("any-key")} -\n`)).toThrow(
      "No reader has a key for a list, so every list would be public",
    );
  });

  test.each([[["malware", "intranet"]], [["malware"]]])(
    "are never searched without their key as if they had no entries: %j",
    async (closed) => {
      const { server } = await served(LISTS, { keys: `${hashApiKey(KEY)} ${closed}` });
      const post = async (target: string, entry: object, key = "") => {
        const threatInfo = {
          threatTypes: ["MALWARE"],
          threatEntryTypes: ["URL"],
          threatEntries: [entry],
        };
        const { status } = await server.api.answer({
          method: "POST",
          target: `${target}?key=${key}`,
          headers: { get: () => null },
          body: Buffer.from(JSON.stringify({ threatInfo })),
          client: () => "client",
          network: () => "client",
        });
        return status;
      };
      for (const [target, entry] of [
        ["/v4/fullHashes:find", { hash: "AAAAAA==" }],
        ["/v4/threatMatches:find", { url: "http://a.example/" }],
      ] as const) {
        expect(await post(target, entry)).toBe(403);
        expect(await post(target, entry, "other")).toBe(403);
        expect(await post(target, entry, KEY)).toBe(200);
      }
      const search = `/v5/hashes:search?hashPrefixes=${prefixOf("a.example/")}`;
      // Searches in v5 do not name lists, so they are refused only if all lists are private.
      expect((await server.get(search)).status).toBe(closed.length === 2 ? 403 : 200);
    },
  );

  test("are left out of lists and searches without a key", async () => {
    const { server } = await served(LISTS, { keys });
    const names = async (query: string) =>
      json(await server.get(`/v5/hashLists?alt=json${query}`)).hashLists.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names("")).toEqual(["mw-4b"]);
    expect(await names(`&key=${KEY}`)).toEqual(["intranet-4b", "mw-4b"]);
    const target = `/v5/hashes:search?alt=json&hashPrefixes=${prefixOf("b.example/")}`;
    expect(json(await server.get(target)).fullHashes).toBeUndefined();
    const found = await server.get(`${target}&key=${KEY}`);
    expect(json(found).fullHashes).toHaveLength(1);
    expect(found.headers["Cache-Control"]).toBe("private, no-store");
  });

  test("are never searched with a key that was removed as if they had no entries", async () => {
    const searches = ["a.example/", "b.example/", "c.example/"].map(
      (entry) => `/v5/hashes:search?hashPrefixes=${prefixOf(entry)}`,
    );
    const statuses = async (server: TestServer, key: string, headers = {}) =>
      Promise.all(searches.map(async (each) => (await server.get(each + key, headers)).status));
    const { server } = await served(LISTS, { keys: `${keys}${hashApiKey("any-key")} -\n` });
    // The answer must not depend on the hashes. Otherwise, anybody could find out what is on the private lists.
    expect(await statuses(server, "&key=removed")).toEqual([403, 403, 403]);
    expect(await statuses(server, "", { "x-goog-api-key": "removed" })).toEqual([403, 403, 403]);
    const { error } = json(await server.get(`${searches[0]}&key=removed`));
    expect(error.message).toBe("The server does not know the API key.");
    // Clients of public lists send no key, an empty one, or one that the operator has allowed.
    for (const key of ["", "&key=", "&key=any-key", `&key=${KEY}`]) {
      expect(await statuses(server, key)).toEqual([200, 200, 200]);
    }
    const open = await served(LISTS);
    expect(await statuses(open.server, "&key=any-key")).toEqual([200, 200, 200]);
  });
});

describe("caches", () => {
  test("of proxies do not keep answers about whole URLs", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    const cachedBy = async (target: string) => (await server.get(target)).headers["Cache-Control"];
    expect(await cachedBy("/v5/urls:search?urls=http://a.example/")).toBe("private, max-age=300");
    const uri = "/v1/uris:search?threatTypes=MALWARE&uri=http://a.example/";
    expect(await cachedBy(uri)).toBe("private");
    const prefix = `/v5/hashes:search?hashPrefixes=${prefixOf("a.example/")}`;
    expect(await cachedBy(prefix)).toMatch(/^public/);
  });

  test("may keep public answers, and ask whether they are still good", async () => {
    const { server, publish } = await served({ malware: ["a.example/"] });
    const target = "/v5/hashList/mw-4b";
    const first = await server.get(target);
    expect(first.headers["Cache-Control"]).toBe("public, max-age=300");
    // The answer to a client without a key must not be reused for clients with a key.
    expect(first.headers["Vary"]).toContain("X-Goog-Api-Key");
    const etag = first.headers["ETag"]!;
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await server.get(target, { "if-none-match": tags });
      expect(again).toMatchObject({ status: 304, body: new Uint8Array(0) });
    }
    await publish("malware", ["b.example/"]);
    await server.refresh();
    expect((await server.get(target, { "if-none-match": etag })).status).toBe(200);
  });

  test("are told every header that decides an answer", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    const search = `hashPrefixes=${prefixOf("a.example/")}`;
    const pairs = [
      ["accept", `/v5/hashes:search?${search}`, "", "application/json"],
      ["x-goog-api-key", "/v5/hashList/mw-4b", "", "k"],
      [
        "content-type",
        "/v4/threatListUpdates:fetch?$httpMethod=POST",
        "application/json",
        "application/x-protobuf",
      ],
      ["x-http-method-override", "/v4/threatListUpdates:fetch", "", "POST"],
    ] as const;
    for (const [name, target, one, other] of pairs) {
      for (const value of [one, other]) {
        const { status, headers } = await server.get(target, { [name]: value });
        if (headers["Cache-Control"] === "no-store") continue;
        expect({ target, status, vary: headers["Vary"]?.toLowerCase() }).toEqual({
          target,
          status: 200,
          vary: expect.stringContaining(name),
        });
      }
    }
    const [json, protobuf] = await Promise.all(
      ["application/json", "application/x-protobuf"].map((type) =>
        server.get(pairs[2][1], { "content-type": type }),
      ),
    );
    expect(json!.headers["Content-Type"]).not.toBe(protobuf!.headers["Content-Type"]);
  });

  test("get no errors and no POST", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    expect((await server.get("/v5/hashes:search?hashPrefixes=x")).headers["Cache-Control"]).toBe(
      "no-store",
    );
    const post = await server.api.answer({
      method: "POST",
      target: "/v4/threatListUpdates:fetch",
      headers: { get: () => null },
      body: Buffer.from(
        '{"listUpdateRequests":[{"threatType":"MALWARE","threatEntryType":"URL"}]}',
      ),
      client: () => "client",
      network: () => "client",
    });
    expect(post).toMatchObject({ status: 200, headers: { "Cache-Control": "private, no-store" } });
  });

  test("never get the full update of a client that failed", async () => {
    const { server, publish } = await served({ malware: ["a.example/", "b.example/"] });
    const { version } = json(await server.get("/v5/hashList/mw-4b?alt=json", {}, "one"));
    await server.get("/v5/hashList/mw-4b?alt=json", {}, "two");
    await publish("malware", ["a.example/", "c.example/"]);
    await server.refresh();
    const target = `/v5/hashList/mw-4b?version=${encodeURIComponent(version)}`;
    expect((await server.get(target, {}, "one")).headers["Cache-Control"]).toMatch(/^public/);
    expect((await server.get(target, {}, "one")).headers["Cache-Control"]).toBe(
      "private, no-store",
    );
    expect((await server.get(target, {}, "two")).headers["Cache-Control"]).toMatch(/^public/);
  });

  test("keep no answer that was made while a list changed", async () => {
    let finish = () => {};
    const isFinished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const aside: Aside = {
      ...AT_ONCE,
      async run(name, ...rest) {
        if (name === "hashListOf") await isFinished;
        return AT_ONCE.run(name, ...rest);
      },
    };
    const { server, publish } = await served({ malware: ["a.example/"] }, { aside });
    const list = () => server.get("/v5/hashList/mw-4b?alt=json");
    const before = list();
    await publish("malware", ["a.example/", "b.example/"]);
    await server.refresh();
    finish();
    const { version } = json(await before);
    expect(json(await list()).version).not.toBe(version);
  });

  test("a kept answer equals a computed one, and is counted as one", async () => {
    const { server } = await served({ malware: ["a.example/"] });
    const target = "/v5/hashList/mw-4b";
    const computed = await server.get(target);
    expect(await server.get(target)).toEqual(computed);
    expect(server.answered).toHaveLength(2);
  });
});
