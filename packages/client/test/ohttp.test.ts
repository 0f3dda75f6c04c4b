import { type ClientOptions, createLookup, type LookupOptions } from "@x/client";
import { throughRelay } from "@x/client/ohttp";
import { afterEach, describe, expect, test } from "vitest";
import { type FakeRelay, fakeRelay, KEYS, keyProblem, RELAY } from "./support/fake-relay.ts";
import { fakeServer, prefixOfText } from "./support/fake-server.ts";
import { BREAKING, type Fault } from "./support/network-faults.ts";
import { HOUR, KEY, START, setUp } from "./support/set-up.ts";
import { startTurns, type Turns } from "./support/turns.ts";

const SERVER = "https://lists.example";
const EVIL = "http://evil.example/";
type Shown = Parameters<NonNullable<ClientOptions["onRequest"]>>[0];

type RelayOptions = Parameters<typeof throughRelay>[0];

/** Returns a lookup through a relay, with its server, its relay and the requests that `onRequest` saw. */
async function lookupThroughRelay(
  given: Partial<RelayOptions> = {},
  options: Partial<LookupOptions> = {},
) {
  const server = fakeServer({ "mw-4b": { versions: [["evil.example/"]] } });
  const relay = await fakeRelay(server.fetch);
  const clock = { time: START };
  const shown: Shown[] = [];
  const keys = "keys" in given || "gateway" in given ? {} : { gateway: KEYS };
  const lookup = createLookup({
    server: SERVER,
    key: KEY,
    ohttp: throughRelay({ relay: RELAY, ...keys, ...given }),
    fetch: relay.fetch,
    now: () => clock.time,
    random: () => 0.5,
    onRequest: (request) => {
      shown.push(request);
    },
    ...options,
  });
  return { server, relay, clock, shown, lookup };
}

const hostsOf = ({ sent }: FakeRelay) => sent.map(({ url }) => new URL(url).host);

/** Throws if anything that left the client shows the expressions, their prefixes, the key or the server. */
function expectHidden({ sent }: FakeRelay, ...expressions: readonly string[]): void {
  const secrets = expressions.flatMap((text) => {
    const prefix = Buffer.from(prefixOfText(text), "hex");
    const forms = [prefix.toString("latin1"), prefix.toString("hex"), prefix.toString("base64")];
    return [...forms, encodeURIComponent(prefix.toString("base64")), text.slice(0, -1)];
  });
  for (const secret of [...secrets, KEY, encodeURIComponent(KEY), "lists.example"]) {
    expect(sent.filter(({ text }) => text.includes(secret))).toEqual([]);
  }
}

describe("a lookup through a relay", () => {
  test.each(["hash-prefixes", "urls"] as const)("sends %s only inside", async (sends) => {
    const { lookup, relay } = await lookupThroughRelay({}, { sends });
    expect(await lookup.check(EVIL)).toMatchObject({ verdict: "unsafe", confirmed: true });
    expect(await lookup.check("http://good.example/")).toMatchObject({ verdict: "safe" });
    expect(hostsOf(relay)).toEqual(["keys.example", "relay.example", "relay.example"]);
    expect(relay.opened).toHaveLength(2);
    expect(relay.opened[0]!.path).toContain(`key=${encodeURIComponent(KEY).replace("%20", "+")}`);
    expectHidden(relay, "evil.example/", "good.example/");
    expect(relay.sent[1]!.text).toContain('{"content-type":"message/ohttp-req"}');
  });

  test("the length of a request does not show how many prefixes it has", async () => {
    const { lookup, relay } = await lookupThroughRelay();
    await lookup.check(EVIL);
    await lookup.check("http://a.b.c.d.good.example/a/b/c/d/e?f");
    expect(relay.opened[1]!.path.length).toBeGreaterThan(2 * relay.opened[0]!.path.length);
    expect(new Set(relay.opened.map(({ bytes }) => bytes))).toEqual(new Set([1024]));
  });

  test("pinned keys are not fetched", async () => {
    const server = fakeServer({ "mw-4b": { versions: [["evil.example/"]] } });
    const relay = await fakeRelay(server.fetch);
    const ohttp = throughRelay({ relay: RELAY, keys: relay.keys() });
    const lookup = createLookup({ server: SERVER, ohttp, fetch: relay.fetch });
    expect((await lookup.check(EVIL)).verdict).toBe("unsafe");
    await relay.rotate();
    const { verdict, error } = await lookup.check("http://good.example/");
    expect([verdict, (error as { code?: string }).code]).toEqual(["unsure", "relay-key-unknown"]);
    expect(hostsOf(relay)).toEqual(["relay.example", "relay.example"]);
  });

  test("onRequest sees the request inside, and the one outside", async () => {
    const { lookup, relay, shown } = await lookupThroughRelay();
    await lookup.check(EVIL);
    expect(shown.map(({ ohttp, method, host }) => [ohttp, method, host])).toEqual([
      ["inner", "GET", "lists.example"],
      ["keys", "GET", "keys.example"],
      ["outer", "POST", "relay.example"],
    ]);
    expect(shown[0]!.path).toBe(relay.opened[0]!.path);
    expect(relay.sent[1]!.text).toContain(Buffer.from(shown[2]!.body!).toString("latin1"));
  });

  test.each(["inner", "keys", "outer"] as const)("onRequest may refuse: %s", async (refused) => {
    const { lookup, relay } = await lookupThroughRelay(
      { onRelayError: "send-directly" },
      { onRequest: ({ ohttp }) => ohttp !== refused },
    );
    expect(await lookup.check(EVIL)).toMatchObject({
      verdict: "unsure",
      reason: "request-refused",
    });
    expect(hostsOf(relay)).toEqual(refused === "outer" ? ["keys.example"] : []);
  });

  test("checks at the same time fetch the keys once", { tags: "deep" }, async () => {
    const { lookup, relay } = await lookupThroughRelay();
    const urls = Array.from({ length: 40 }, (_, i) => `http://a.b.c.d.${i}.example/a/b/c`);
    const verdicts = await Promise.all(urls.map((url) => lookup.check(url)));
    expect(verdicts.every(({ verdict }) => verdict === "safe")).toBe(true);
    expect(hostsOf(relay).filter((host) => host === "keys.example")).toHaveLength(1);
    expect(relay.opened.length).toBeGreaterThan(2);
  });

  test("an answer of the server with another status is that of the server", async () => {
    const { lookup, server, relay } = await lookupThroughRelay({ onRelayError: "send-directly" });
    server.instead = () => new Response(null, { status: 503, headers: { "retry-after": "7" } });
    const { error } = await lookup.check(EVIL);
    expect(error).toMatchObject({ code: "server-unreachable", status: 503, retryAfter: 7000 });
    expect(hostsOf(relay)).not.toContain("lists.example");
  });
});

describe("a relay that fails", () => {
  let turns: Turns | null = null;
  afterEach(() => turns?.end());

  /** A check while requests to some addresses have a fault. Time-outs are over as soon as nothing else can happen. */
  async function checkWithFault(fault: Fault, isFaulty: (url: string) => boolean) {
    const { lookup, relay } = await lookupThroughRelay();
    turns = startTurns(() => 0.5);
    relay.instead = async (url, init) => {
      if (!isFaulty(url)) return null;
      const world = { random: () => 0.5, init, earlier: [], checksums: [], pause: async () => {} };
      return fault(async () => new Response("an answer that is cut off"), world);
    };
    const { verdict, reason } = await turns.until(lookup.check(EVIL));
    expect([verdict, reason]).toEqual(["unsure", "server-unreachable"]);
    expectHidden(relay, "evil.example/");
    return new Set(hostsOf(relay));
  }

  const faults = Object.entries(BREAKING).filter(([name]) => name !== "slow");

  test.each(faults)("is never replaced by a direct request: %s", async (_, fault) => {
    const hosts = await checkWithFault(fault, (url) => url === RELAY);
    expect(hosts).toEqual(new Set(["keys.example", "relay.example"]));
  });

  test.each(faults)("nor if the keys cannot be fetched: %s", async (_, fault) => {
    const hosts = await checkWithFault(fault, (url) => url !== RELAY);
    expect(hosts).toEqual(new Set(["keys.example"]));
  });
});

describe("an answer that is not the server's", () => {
  test.each([
    ["another type", () => new Response("<p>", { headers: { "content-type": "text/html" } })],
    ["nothing", () => new Response("", { headers: { "content-type": "message/ohttp-res" } })],
    [
      "other bytes",
      () => new Response("x".repeat(500), { headers: { "content-type": "message/ohttp-res" } }),
    ],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: SERVER } })],
    ["a problem", () => Response.json({ type: "about:blank" }, { status: 400 })],
  ])("is refused: %s", async (_, answer) => {
    const { lookup, relay } = await lookupThroughRelay({}, { onError: "unsure" });
    relay.instead = (url) => (url === RELAY ? answer() : null);
    expect(await lookup.check(EVIL)).toMatchObject({ verdict: "unsure", matches: [] });
    expect(hostsOf(relay)).toEqual(["keys.example", "relay.example"]);
  });

  test("is refused if any byte was changed", async () => {
    const { lookup, relay } = await lookupThroughRelay();
    for (const at of [0, 20, 40, 100]) {
      relay.change = (answer) => {
        answer[at]! ^= 1;
        return answer;
      };
      const { verdict, error } = await lookup.check(`http://e${at}.example/`);
      expect([verdict, error]).toMatchObject([
        "unsure",
        { code: at === 0 ? "answer-wrong" : expect.stringMatching(/answer-wrong|unreachable/) },
      ]);
    }
  });

  test("is that of the relay with onError as configured", async () => {
    const { lookup, relay } = await lookupThroughRelay({}, { onError: "safe" });
    relay.instead = (url) => (url === RELAY ? new Response(null, { status: 500 }) : null);
    expect(await lookup.check(EVIL)).toMatchObject({ verdict: "safe", confirmed: false });
    expect(hostsOf(relay)).toEqual(["keys.example", "relay.example"]);
  });
});

describe("a new key of the server", () => {
  test("is fetched once, and the request is sent again through the relay", async () => {
    const { lookup, relay, clock } = await lookupThroughRelay();
    await lookup.check(EVIL);
    await relay.rotate();
    clock.time += HOUR;
    expect((await lookup.check("http://good.example/")).verdict).toBe("safe");
    const [keys, asked] = ["keys.example", "relay.example"];
    expect(hostsOf(relay)).toEqual([keys, asked, asked, keys, asked]);
  });

  test("is not fetched if the last one is less than an hour old", async () => {
    const { lookup, relay, clock } = await lookupThroughRelay();
    await lookup.check(EVIL);
    await relay.rotate();
    clock.time += HOUR - 1;
    const { verdict, error } = await lookup.check("http://good.example/");
    expect([verdict, error]).toMatchObject(["unsure", { code: "relay-key-unknown" }]);
    expect(hostsOf(relay)).toEqual(["keys.example", "relay.example", "relay.example"]);
  });

  test("is not used if it is the one that was refused", async () => {
    const { lookup, relay, clock } = await lookupThroughRelay();
    await lookup.check(EVIL);
    clock.time += HOUR;
    relay.instead = (url) => (url === RELAY ? keyProblem() : null);
    const { verdict, error } = await lookup.check("http://good.example/");
    expect([verdict, error]).toMatchObject(["unsure", { code: "relay-key-unknown" }]);
    expect(hostsOf(relay).slice(2)).toEqual(["relay.example", "keys.example"]);
  });
});

describe("send-directly, which must be asked for by name", () => {
  test("sends what the relay did not answer to the server", async () => {
    const { lookup, relay, shown } = await lookupThroughRelay({ onRelayError: "send-directly" });
    relay.instead = (url) => (url === RELAY ? new Response(null, { status: 502 }) : null);
    expect((await lookup.check(EVIL)).verdict).toBe("unsafe");
    expect(hostsOf(relay)).toEqual(["keys.example", "relay.example", "lists.example"]);
    expect(shown.map(({ ohttp }) => ohttp)).toEqual(["inner", "keys", "outer", undefined]);
  });
});

describe("a client through a relay", () => {
  async function clientThroughRelay(given: Partial<RelayOptions> = {}) {
    let fetchOf: typeof fetch = async () => new Response();
    const ohttp = throughRelay({ relay: RELAY, gateway: KEYS, ...given });
    const { client, server, clock } = setUp({
      lists: ["mw-4b"],
      ohttp,
      fetch: (...args) => fetchOf(...args),
    });
    const relay = await fakeRelay(server.fetch);
    fetchOf = relay.fetch;
    return { client, server, relay, clock };
  }

  test("sends searches through it, and updates directly", async () => {
    const { client, relay } = await clientThroughRelay();
    await client.update();
    expect((await client.check(EVIL)).verdict).toBe("unsafe");
    expect(hostsOf(relay)).toEqual(["lists.example", "keys.example", "relay.example"]);
    const { searches, updates, bytesSent } = client.status().requests;
    expect([searches, updates]).toEqual([1, 1]);
    expect(bytesSent).toBeGreaterThan(1024);
  });

  test("sends updates through it, too, if asked", async () => {
    const { client, relay } = await clientThroughRelay({ updates: true });
    await client.update();
    expect((await client.check(EVIL)).verdict).toBe("unsafe");
    expect(hostsOf(relay)).toEqual(["keys.example", "relay.example", "relay.example"]);
    expectHidden(relay, "evil.example/");
  });
});

describe("options", () => {
  const keys = new Uint8Array();
  test.each([
    [{ relay: "relay.example", gateway: KEYS }, "relay must be an absolute URL"],
    [{ relay: "ftp://relay.example", gateway: KEYS }, "relay must begin with https://"],
    [{ relay: "https://me@relay.example", gateway: KEYS }, "relay must have no user name"],
    [{ relay: RELAY }, "either keys or a gateway"],
    [{ relay: RELAY, keys, gateway: KEYS }, "either keys or a gateway"],
    [{ relay: RELAY, keys }, "keys are not the keys of a gateway"],
    [{ relay: RELAY, gateway: "keys" }, "gateway must be an absolute URL"],
  ])("%j: %s", (options, message) => {
    expect(() => throughRelay(options)).toThrow(
      expect.objectContaining({
        code: "option-invalid",
        message: expect.stringContaining(message),
      }),
    );
  });

  test.each([
    [{ relay: `${SERVER}/relay`, gateway: KEYS }, "the relay must not be the server"],
    [{ relay: RELAY, gateway: "https://relay.example/keys" }, "keys must not come from the relay"],
    [{ relay: RELAY, gateway: "http://keys.example/" }, "gateway must begin with https://"],
  ])("%j hides nothing: %s", (options, message) => {
    const ohttp = throughRelay(options);
    expect(() => createLookup({ server: SERVER, ohttp })).toThrow(
      expect.objectContaining({
        code: "option-invalid",
        message: expect.stringContaining(message),
      }),
    );
  });

  test.each([
    [{ relay: 5, gateway: KEYS }],
    [{ relay: RELAY, gateway: 5 }],
    [{ relay: RELAY, keys: "keys" }],
    [{ relay: RELAY, gateway: KEYS, updates: "yes" }],
    [{ relay: RELAY, gateway: KEYS, onRelayError: "direct" }],
  ])("%j has the wrong type", (options) => {
    expect(() => throughRelay(options as never)).toThrow(TypeError);
  });

  test("of a client: not plain records, and not for stores", () => {
    const plain = { relay: RELAY, gateway: KEYS } as never;
    expect(() => createLookup({ server: SERVER, ohttp: plain })).toThrow(TypeError);
    const ohttp = throughRelay({ relay: RELAY, gateway: KEYS });
    expect(() => setUp({ protocol: "store", publicKeys: ["x"], lists: ["mw"], ohttp })).toThrow(
      expect.objectContaining({ code: "option-invalid" }),
    );
  });
});
