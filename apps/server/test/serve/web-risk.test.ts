import { memoryStorage } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { plainChecksum } from "../../../../packages/list-store/test/support/plain-list.ts";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { webRiskClient } from "../support/plain-client.ts";
import { publishedLists } from "../support/published-lists.ts";
import { testServer } from "../support/serving.ts";

const signer = await newSigner();
const MINUTE = 60_000;
const WAIT = 30 * MINUTE;
const CACHE = 5 * MINUTE;
const EMPTY_SHA256 = Buffer.from(plainChecksum([]), "hex").toString("base64");
const json = ({ body }: { body: Uint8Array }) => JSON.parse(Buffer.from(body).toString());
const base64 = (bytes: Uint8Array) => encodeURIComponent(Buffer.from(bytes).toString("base64"));
const prefixOf = (expression: string, bytes = 4) => base64(fullHash(expression).subarray(0, bytes));

const DIFF = "/v1/threatLists:computeDiff";
const HASHES = "/v1/hashes:search";
const URIS = "/v1/uris:search";

describe("threatLists:computeDiff", () => {
  test.each(["RAW", "RICE"] as const)("a client of %s follows a list", async (compression) => {
    const { server, publish } = await publishedLists({ malware: ["a.example/", "b.example/"] });
    const client = webRiskClient(server.sender("a"), "MALWARE", compression);
    expect(await client.update()).toBe("full");
    expect(await client.update()).toBe("none");
    await publish("malware", ["b.example/", "c.example/"]);
    await server.refresh();
    expect(await client.update()).toBe("partial");
    await publish("malware", [], { withdrawn: true });
    await server.refresh();
    expect(await client.update()).toBe("partial");
    expect(client.list()).toEqual([]);
  });

  test("gives a client whose update failed a RESET, and to others still the difference", async () => {
    const { server, publish } = await publishedLists({ malware: ["a.example/", "b.example/"] });
    const [failing, other] = ["failing", "other"].map((name) =>
      webRiskClient(server.sender(name), "MALWARE", "RAW"),
    );
    await failing!.update();
    await other!.update();
    await publish("malware", ["a.example/", "c.example/"]);
    await server.refresh();
    expect(await failing!.update(true)).toBe("partial");
    expect(await failing!.update(true)).toBe("full");
    expect(await other!.update()).toBe("partial");
  });

  test("names no time beyond the next update after the clock was set back", async () => {
    let now = Date.now() + 20 * 24 * 60 * MINUTE;
    const { server } = await publishedLists({ malware: ["a.example/"] }, { now: () => now });
    const next = async () =>
      Date.parse(json(await server.get(`${DIFF}?threatType=MALWARE`)).recommendedNextDiff);
    expect(await next()).toBe(now + WAIT);
    now -= 20 * 24 * 60 * MINUTE;
    expect(await next()).toBe(now + WAIT);
  });

  test("goes on from a client's token after a restart", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["a.example/", "b.example/"]);
    const servers = [1, 2].map(() => testServer(storage, [signer.publicKey]));
    await servers[0]!.refresh();
    const sends = servers.map((server) => server.sender("a"));
    let current = 0;
    const client = webRiskClient((target) => sends[current]!(target), "MALWARE", "RAW");
    await client.update();
    await publish("malware", ["a.example/", "c.example/"]);
    await servers[1]!.refresh();
    current = 1;
    expect(await client.update()).toBe("partial");
  });

  test.each(["SOCIAL_ENGINEERING_EXTENDED_COVERAGE", "UNWANTED_SOFTWARE", "4", "3"])(
    "answers an empty RESET for %s, which is not in the store",
    async (threatType) => {
      const { server } = await publishedLists(
        { malware: ["a.example/"] },
        { now: () => 1_000_000 },
      );
      expect(json(await server.get(`${DIFF}?threatType=${threatType}`))).toEqual({
        responseType: "RESET",
        checksum: { sha256: EMPTY_SHA256 },
        recommendedNextDiff: new Date(1_000_000 + WAIT).toISOString().replace(".000", ""),
      });
    },
  );

  test.each(["", "?threatType=", "?threatType=0", "?threatType=POTENTIALLY_HARMFUL_APPLICATION"])(
    "refuses a request without a known type: %j",
    async (query) => {
      const { server } = await publishedLists({ malware: ["a.example/"] });
      const reply = await server.get(DIFF + query);
      expect(reply.status).toBe(400);
      expect(json(reply).error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT" });
      expect(json(reply).error.message).toMatch(/no known threatType|threatType: expected/);
    },
  );
});

describe("hashes:search", () => {
  test("finds full hashes with every list they are on, among those asked for", async () => {
    const { server } = await publishedLists(
      {
        malware: ["a.example/", "b.example/"],
        "social-engineering": ["b.example/"],
        "unwanted-software": ["b.example/"],
        intranet: ["b.example/"],
      },
      { now: () => 1_000_000 },
    );
    const types = "threatTypes=MALWARE&threatTypes=2";
    const expireTime = new Date(1_000_000 + CACHE).toISOString().replace(".000", "");
    expect(
      json(await server.get(`${HASHES}?${types}&hashPrefix=${prefixOf("b.example/")}`)),
    ).toEqual({
      threats: [
        {
          threatTypes: ["MALWARE", "SOCIAL_ENGINEERING"],
          hash: Buffer.from(fullHash("b.example/")).toString("base64"),
          expireTime,
        },
      ],
      negativeExpireTime: expireTime,
    });
    const nothing = await server.get(`${HASHES}?${types}&hashPrefix=${prefixOf("c.example/")}`);
    expect(json(nothing)).toEqual({ negativeExpireTime: expireTime });
  });

  test.each([4, 5, 31, 32])("takes a prefix of %i bytes", async (bytes) => {
    const { server } = await publishedLists({ malware: ["a.example/"] });
    const target = `${HASHES}?threatTypes=MALWARE&hashPrefix=${prefixOf("a.example/", bytes)}`;
    expect(json(await server.get(target)).threats).toHaveLength(1);
  });

  test.each([
    ["three bytes", `threatTypes=MALWARE&hashPrefix=${prefixOf("a.example/", 3)}`],
    ["33 bytes", `threatTypes=MALWARE&hashPrefix=${base64(Buffer.alloc(33))}`],
    ["no prefix", "threatTypes=MALWARE"],
    ["no base64", "threatTypes=MALWARE&hashPrefix=!!!!"],
    ["no types", `hashPrefix=${prefixOf("a.example/")}`],
    ["unknown types only", `threatTypes=0&threatTypes=99&hashPrefix=${prefixOf("a.example/")}`],
  ])("refuses %s", async (_, query) => {
    const { server } = await publishedLists({ malware: ["a.example/"] });
    expect((await server.get(`${HASHES}?${query}`)).status).toBe(400);
  });
});

describe("uris:search", () => {
  const ask = async (uri: string, types = "threatTypes=MALWARE&threatTypes=SOCIAL_ENGINEERING") => {
    const { server } = await publishedLists(
      {
        malware: ["evil.example/", "both.example/"],
        "social-engineering": ["both.example/"],
        intranet: ["own.example/"],
      },
      { now: () => 1_000_000 },
    );
    const reply = await server.get(`${URIS}?${types}&uri=${encodeURIComponent(uri)}`);
    return { status: reply.status, answer: json(reply) };
  };

  test.each([
    ["http://both.example/page?q", ["MALWARE", "SOCIAL_ENGINEERING"]],
    ["evil.example", ["MALWARE"]],
    ["http://evil.example\\@good.example/", ["MALWARE"]],
    ["https:evil.example", ["MALWARE"]],
  ])("finds %j", async (uri, threatTypes) => {
    const expireTime = new Date(1_000_000 + CACHE).toISOString().replace(".000", "");
    expect(await ask(uri)).toEqual({
      status: 200,
      answer: { threat: { threatTypes, expireTime } },
    });
  });

  test("finds a URL on the list that only Web Risk has", async () => {
    const name = "social-engineering-extended-coverage";
    const { server } = await publishedLists({ [name]: ["wide.example/"] });
    const threatType = "SOCIAL_ENGINEERING_EXTENDED_COVERAGE";
    const found = await server.get(`${URIS}?threatTypes=${threatType}&uri=wide.example`);
    expect(json(found).threat.threatTypes).toEqual([threatType]);
    expect(json(await server.get(`${DIFF}?threatType=${threatType}`)).additions).toBeDefined();
  });

  test.each(["http://good.example/", "http://own.example/"])(
    "finds nothing for %j",
    async (uri) => {
      expect(await ask(uri)).toEqual({ status: 200, answer: {} });
    },
  );

  test.each([
    ["a URI that cannot be read", "http://", undefined],
    ["a host that cannot be decided", "http://ev\u2065il.example/", undefined],
    ["an empty URI", "", undefined],
    ["no types", "http://evil.example/", ""],
    ["no known types", "http://evil.example/", "threatTypes=CSD_ALLOWLIST"],
  ])("refuses %s", async (_, uri, types) => {
    expect((await ask(uri, types)).status).toBe(400);
  });
});

test("an expired list is an error in all three methods, and never empty", async () => {
  let now = Date.now();
  const { server } = await publishedLists({ malware: ["a.example/"] }, { now: () => now });
  now += 31 * 24 * 60 * MINUTE;
  await server.refresh();
  const targets = [
    `${DIFF}?threatType=MALWARE`,
    `${HASHES}?threatTypes=MALWARE&hashPrefix=${prefixOf("a.example/")}`,
    `${URIS}?threatTypes=MALWARE&uri=a.example`,
  ];
  for (const target of targets) expect((await server.get(target)).status, target).toBe(503);
});

describe("API keys", () => {
  const KEY = "a-key";
  const keys = `${hashApiKey(KEY)} malware\n`;

  test.each([
    ["as a parameter", `&key=${KEY}`, {}],
    ["as a header", "", { "x-goog-api-key": KEY }],
  ])("open private lists, %s", async (_, parameter, headers) => {
    const { server } = await publishedLists({ malware: ["a.example/"] }, { keys });
    const diff = `${DIFF}?threatType=MALWARE`;
    const uris = `${URIS}?threatTypes=MALWARE&uri=a.example`;
    expect((await server.get(diff)).status).toBe(403);
    for (const target of [uris, `${uris}&key=other`, `${HASHES}?threatTypes=1&hashPrefix=AAAAAA`]) {
      expect((await server.get(target)).status).toBe(403);
    }
    const opened = await server.get(diff + parameter, headers);
    expect(json(opened).additions).toBeDefined();
    expect(opened.headers["Cache-Control"]).toBe("private, no-store");
    expect(json(await server.get(uris + parameter, headers)).threat).toBeDefined();
  });
});

describe("kept answers", () => {
  const targets = [
    [DIFF, `${DIFF}?threatType=MALWARE`, CACHE],
    [HASHES, `${HASHES}?threatTypes=MALWARE&hashPrefix=${prefixOf("a.example/")}`, CACHE / 2],
    [URIS, `${URIS}?threatTypes=MALWARE&uri=a.example`, CACHE / 2],
  ] as const;

  test.each(targets)("of %s never say a time that has passed", async (_, target, kept) => {
    let now = 1_000_000_000_000;
    const start = now;
    const { server } = await publishedLists({ malware: ["a.example/"] }, { now: () => now });
    const first = await server.get(target);
    expect(first.headers["Cache-Control"]).toBe(target.startsWith(URIS) ? "private" : "public");
    expect(Date.parse(first.headers["Expires"]!)).toBe(start + kept);
    const timeIn = (reply: { body: Uint8Array }) =>
      Date.parse(/"(\d{4}-\d\d-\d\dT[^"]+)"/.exec(Buffer.from(reply.body).toString())![1]!);
    now = start + kept - 1;
    expect(await server.get(target)).toEqual(first);
    // A cache in front of the server drops the answer at the same time.
    expect(timeIn(first) - Date.parse(first.headers["Expires"]!)).toBeGreaterThanOrEqual(kept);
    now = start + kept;
    const next = await server.get(target);
    expect(timeIn(next)).toBe(now + timeIn(first) - start);
    expect(Date.parse(next.headers["Expires"]!)).toBe(now + kept);
  });
});

test.each([HASHES, URIS])(
  "%s for types of which the server has no list is an error",
  async (path) => {
    const { server } = await publishedLists({ malware: ["a.example/"] });
    const asked = path === URIS ? "uri=a.example" : `hashPrefix=${prefixOf("a.example/")}`;
    const reply = await server.get(`${path}?threatTypes=SOCIAL_ENGINEERING&${asked}`);
    expect(reply.status).toBe(404);
    expect(json(reply).error.message).toMatch("no list of the threat types");
    const both = `${path}?threatTypes=SOCIAL_ENGINEERING&threatTypes=MALWARE&${asked}`;
    expect((await server.get(both)).status).toBe(200);
  },
);
