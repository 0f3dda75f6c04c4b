import {
  generateSigningKey,
  memoryStorage as memoryStore,
  publish,
  type Signer,
  signerOf,
} from "@x/list-store";
import { prefixList } from "@x/prefix-list";
import { concatBytes } from "@x/prefix-list/raw-hashes";
import { fullHash, toHex } from "@x/sha256-prefix";
import { type PlainList, plainServer } from "@x/test-support/plain-server";
import { type MessageInput, readRequest, writeResponse } from "@x/wire";
import { findFullHashes, type ThreatInfo, type ThreatMatch } from "@x/wire/v4";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  type ClientOptions,
  type ClientStorage,
  createClient,
  memoryStorage,
} from "../src/index.ts";
import { decodeList, encodeList } from "../src/lists/stored-form.ts";
import { fakeServer } from "./support/fake-server.ts";

/** A request, as `onRequest` sees it. */
type RequestInfo = Parameters<NonNullable<ClientOptions["onRequest"]>>[0];

/* The plain servers share no code with the client. Stores are written with `@x/list-store`, which also reads them. */

const NOW = 1_790_000_000_000;
const MINUTE = 60_000;
const SERVER = "https://lists.example/base";
const WAITS = { update: 40 * MINUTE, found: 5 * MINUTE, notFound: MINUTE };
const MALWARE = ["evil.example/", "bad.example/path"];
const PHISHING = ["phish.example/"];

interface World {
  readonly clock: { time: number };
  readonly asked: RequestInfo[];
  readonly fetch: typeof fetch;
  /** Publishes the next version of the list of malware. */
  setMalware(expressions: readonly string[]): Promise<void>;
  open(options?: Partial<ClientOptions>): Client;
}

interface Kind {
  readonly protocol: ClientOptions["protocol"];
  readonly malware: string;
  readonly phishing: string;
  make(): Promise<World>;
}

const prefixesOf = (expressions: readonly string[]) =>
  expressions.map((text) => toHex(fullHash(text)).slice(0, 8));
const hashesOf = (expressions: readonly string[]) =>
  expressions.map((text) => toHex(fullHash(text)));

function plainWorld(protocol: ClientOptions["protocol"], lists: readonly [string, string]) {
  return async (): Promise<World> => {
    const clock = { time: NOW };
    const asked: RequestInfo[] = [];
    const malware: PlainList = {
      threatType: "MALWARE",
      versions: [[], prefixesOf(MALWARE)],
      fullHashes: hashesOf(MALWARE),
    };
    const phishing: PlainList = {
      threatType: "SOCIAL_ENGINEERING",
      versions: [prefixesOf(PHISHING)],
      fullHashes: hashesOf(PHISHING),
    };
    const server = plainServer({
      lists: { "mw-4b": malware, "se-4b": phishing },
      waits: WAITS,
      now: () => clock.time,
    });
    const send: typeof fetch = async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const { status, headers, body } = server.answer({
        method: init?.method ?? "GET",
        url: pathname.replace(/^\/base/, "") + search,
        headers: new Headers(init?.headers),
        body: (init?.body ?? null) as Uint8Array | null,
      });
      return new Response(new Uint8Array(body), { status, headers });
    };
    return {
      clock,
      asked,
      fetch: send,
      async setMalware(expressions) {
        malware.versions.push(prefixesOf(expressions));
        malware.fullHashes = hashesOf(expressions);
      },
      open: (options) =>
        createClient({
          protocol,
          server: SERVER,
          key: "s3cret",
          lists,
          fetch: send,
          now: () => clock.time,
          random: () => 0.5,
          onRequest: (request) => void asked.push(request),
          ...options,
        }),
    };
  };
}

let signer: Signer;
beforeAll(async () => {
  signer = await signerOf(await generateSigningKey("lists.example"));
});

async function storeWorld(): Promise<World> {
  const clock = { time: NOW };
  const asked: RequestInfo[] = [];
  const storage = memoryStore(() => clock.time);
  const publicKeys = [signer.publicKey];
  const lifetime = 30 * 24 * 60 * MINUTE;
  const set = (list: string, expressions: readonly string[]) =>
    publish({
      storage,
      list,
      signer,
      publicKeys,
      lifetime,
      now: () => clock.time,
      fullHashes: expressions.map((text) => fullHash(text)),
    });
  await set("malware", MALWARE);
  await set("phishing", PHISHING);
  const send: typeof fetch = async (input) => {
    const bytes = await storage.get(new URL(String(input)).pathname.replace("/base/", ""));
    if (bytes === null) return new Response(null, { status: 404 });
    return new Response(new Uint8Array(bytes));
  };
  return {
    clock,
    asked,
    fetch: send,
    setMalware: async (expressions) => void (await set("malware", expressions)),
    open: (options) =>
      createClient({
        protocol: "store",
        server: SERVER,
        publicKeys,
        lists: ["malware", "phishing"],
        fetch: send,
        now: () => clock.time,
        random: () => 0.5,
        onRequest: (request) => void asked.push(request),
        ...options,
      }),
  };
}

const KINDS: readonly Kind[] = [
  {
    protocol: "v5",
    malware: "mw-4b",
    phishing: "se-4b",
    make: plainWorld("v5", ["mw-4b", "se-4b"]),
  },
  {
    protocol: "v4",
    malware: "MALWARE",
    phishing: "SOCIAL_ENGINEERING/LINUX/URL",
    make: plainWorld("v4", ["MALWARE", "SOCIAL_ENGINEERING/LINUX/URL"]),
  },
  {
    protocol: "web-risk",
    malware: "MALWARE",
    phishing: "SOCIAL_ENGINEERING",
    make: plainWorld("web-risk", ["MALWARE", "SOCIAL_ENGINEERING"]),
  },
  { protocol: "store", malware: "malware", phishing: "phishing", make: storeWorld },
];

/** Strings that neither requests nor reports may contain. */
const SECRETS = ["s3cret", "evil.example", "login", "good.example"];

describe.each(KINDS)("the protocol $protocol", ({ protocol, malware, phishing, make }) => {
  test("fetches lists, follows them by differences, and confirms what is listed", async () => {
    const { open, setMalware, clock } = await make();
    const client = open();
    const first = await client.update();
    expect(first.lists).toMatchObject([
      { name: malware, changed: true, added: 2, removed: 0, size: 2, error: null },
      { name: phishing, changed: true, added: 1, removed: 0, size: 1, error: null },
    ]);
    if (protocol !== "store") expect(first.nextUpdate).toBe(NOW + WAITS.update);
    expect(await client.check("http://login.evil.example/a?b")).toMatchObject({
      verdict: "unsafe",
      confirmed: true,
      matches: [{ list: malware, expression: "evil.example/" }],
    });
    expect(await client.check("http://phish.example/")).toMatchObject({
      verdict: "unsafe",
      matches: [{ list: phishing }],
    });
    expect(await client.check("http://good.example/")).toMatchObject({ verdict: "safe" });

    const again = await client.update();
    expect(again.lists.map(({ changed, size }) => [changed, size])).toEqual([
      [false, 2],
      [false, 1],
    ]);

    await setMalware(["evil.example/", "worse.example/"]);
    clock.time += 60 * MINUTE;
    expect((await client.update()).lists[0]).toMatchObject({ added: 1, removed: 1, size: 2 });
    expect(await client.check("http://worse.example/")).toMatchObject({ verdict: "unsafe" });
    expect(await client.check("http://bad.example/path")).toMatchObject({ verdict: "safe" });
  });

  test("a restarted client has the lists without the network, and goes on by differences", async () => {
    const { open, setMalware, asked } = await make();
    const storage = memoryStorage();
    await open({ storage }).update();
    const before = asked.length;
    const client = open({ storage });
    expect((await client.load()).lists.map(({ size }) => size)).toEqual([2, 1]);
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    expect(asked.length).toBe(before);
    expect(await client.check("http://evil.example/")).toMatchObject({ verdict: "unsafe" });
    await setMalware(["evil.example/", "bad.example/path", "worse.example/"]);
    expect((await client.update()).lists[0]).toMatchObject({ added: 1, removed: 0, size: 3 });
  });

  test("a prefix that is listed without the full hash is safe", async () => {
    const { open, setMalware, clock } = await make();
    const client = open();
    await client.update();
    await setMalware(["worse.example/"]);
    clock.time += 60 * MINUTE;
    // The client's list still has the prefix. A store is asked about the version that the client has.
    const verdict = protocol === "store" ? "unsafe" : "safe";
    expect(await client.check("http://evil.example/")).toMatchObject({ verdict, confirmed: true });
  });

  test("nothing but prefixes leaves, and nothing secret is reported", async () => {
    const { open, asked } = await make();
    const client = open();
    await client.update();
    const before = asked.length;
    await client.check("http://good.example/login");
    expect(asked.length).toBe(before);
    await client.check("http://login.evil.example/");
    expect(asked.length).toBeGreaterThan(before);
    const hash = toHex(fullHash("evil.example/"));
    for (const { host, path, body } of asked) {
      expect(host).toBe("lists.example");
      const sent = `${decodeURIComponent(path.replace("s3cret", ""))} ${Buffer.from(body ?? []).toString("latin1")}`;
      for (const secret of SECRETS) expect(sent).not.toContain(secret);
      const octets = Buffer.from(body ?? []).toString("hex") + Buffer.from(path).toString("hex");
      expect(octets).not.toContain(hash.slice(0, 10));
      const base64 = Buffer.from(hash, "hex").toString("base64").slice(0, 8);
      expect(sent).not.toContain(base64);
    }
    const status = JSON.stringify(client.status());
    for (const secret of SECRETS) expect(status).not.toContain(secret);
  });

  test("a search that is refused is unsure, and the lists go on", async () => {
    const { open } = await make();
    let isDown = false;
    const client = open({ onRequest: () => !isDown });
    await client.update();
    isDown = true;
    expect(await client.check("http://evil.example/")).toMatchObject({
      verdict: "unsure",
      reason: "request-refused",
      local: "listed",
    });
    expect(await client.check("http://good.example/")).toMatchObject({ verdict: "safe" });
    await expect(client.update()).rejects.toMatchObject({ code: "request-refused" });
    expect(client.status()).toMatchObject({ failures: 1 });
  });

  test("a search that waits while the list is thrown away still finds its hashes", async () => {
    const { open } = await make();
    const good = memoryStorage();
    let isBroken = false;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const client = open({
      storage: { ...good, get: async (name) => (isBroken ? new Uint8Array(9) : good.get(name)) },
      onRequest: async ({ path }) => {
        if (isBroken && path !== "") await held;
      },
    });
    await client.update();
    isBroken = true;
    const checking = client.check("http://evil.example/");
    await client.load();
    expect(client.checkLocally("http://evil.example/").reason).toBe("list-damaged");
    release();
    expect(await checking).toMatchObject({ verdict: "unsafe" });
    // A check that begins now does not call anything safe, either.
    expect((await client.check("http://bad.example/path")).verdict).not.toBe("safe");
  });

  test.each([
    ["", "application/x-protobuf"],
    ["{}", "application/json"],
    ['{"error":{"code":503}}', "application/json"],
  ])("an answer to a search that says nothing is not an answer: %j", async (body, type) => {
    const { open, fetch } = await make();
    let isBroken = false;
    const client = open({
      fetch: async (input, init) =>
        isBroken ? new Response(body, { headers: { "content-type": type } }) : fetch(input, init),
    });
    await client.update();
    isBroken = true;
    expect(await client.check("http://evil.example/")).toMatchObject({
      verdict: "unsure",
      local: "listed",
      error: { code: "answer-wrong" },
    });
  });

  test("a list that is not searched has no full hashes, and no answer without it is used later", async () => {
    const { open, fetch } = await make();
    let isMissing = true;
    const client = open({
      fetch: async (input, init) => {
        const { href } = new URL(String(input));
        // In v5 and v4, one request brings both lists.
        const isPhishing = /phishing|SOCIAL_ENGINEERING/.test(href) && !href.includes("search");
        return isMissing && isPhishing ? new Response(null, { status: 404 }) : fetch(input, init);
      },
    });
    const phish = fullHash("phish.example/");
    const isListed = async () => {
      const [found] = await client.findFullHashes(phishing, [phish]);
      return found!.hashes.length === 1;
    };
    const missing = { code: "list-missing", list: phishing };
    if (protocol === "store") await expect(isListed()).rejects.toMatchObject(missing);
    else expect(await isListed()).toBe(true);
    await client.update();
    await client.findFullHashes(malware, [phish]);
    if (protocol === "store") expect(() => client.knownFullHashes(phishing, phish)).toThrow();
    isMissing = false;
    await client.update();
    expect(await client.check("http://phish.example/")).toMatchObject({ verdict: "unsafe" });
    expect(await isListed()).toBe(true);
    await expect(client.findFullHashes("unknown", [phish])).rejects.toMatchObject({
      code: "option-invalid",
    });
  });

  test("a check that joins a search from before a list was loaded gets an answer with it", async () => {
    const { open, fetch } = await make();
    let isMissing = true;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const client = open({
      async fetch(input, init) {
        const { href } = new URL(String(input));
        if (isMissing && href.includes("phishing")) return new Response(null, { status: 404 });
        // In a store, a search reads the objects of full hashes.
        if (searching !== null) await held;
        return fetch(input, init);
      },
    });
    let searching: Promise<unknown> | null = null;
    await client.update();
    const [phish, evil] = [fullHash("phish.example/"), fullHash("evil.example/")];
    const prefix = Uint8Array.of(...evil.subarray(0, 4), ...phish.subarray(4));
    searching = client.findFullHashes(malware, [prefix, phish]);
    isMissing = false;
    const updating = client.update();
    release();
    await updating;
    expect(await client.check("http://phish.example/")).toMatchObject({ verdict: "unsafe" });
    await searching;
  });

  test("a stored list with a flipped byte is never safe", async () => {
    const { open } = await make();
    const good = memoryStorage();
    await open({ storage: good }).update();
    const damaged: ClientStorage = {
      ...good,
      async get(name) {
        const bytes = (await good.get(name))?.slice() ?? null;
        if (bytes !== null && name !== "state") bytes[bytes.length - 1]! ^= 1;
        return bytes;
      },
    };
    const client = open({ storage: damaged });
    const { lists } = await client.load();
    expect(lists.map(({ error }) => error?.code)).toEqual(["list-damaged", "list-damaged"]);
    expect(client.checkLocally("http://good.example/")).toMatchObject({
      verdict: "unsure",
      reason: "list-damaged",
    });
    await client.update();
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  });
});

test("after a restart, the kept versions of a store's lists are searched, although a log is gone", async () => {
  const { fetch, open } = await storeWorld();
  const storage = memoryStorage();
  await open({ storage }).update();
  const asked: string[] = [];
  const client = open({
    storage,
    fetch: async (input, init) => {
      asked.push(String(input));
      if (String(input).includes("/phishing/")) return new Response(null, { status: 404 });
      return fetch(input, init);
    },
  });
  await client.load();
  expect(await client.check("http://evil.example/")).toMatchObject({ verdict: "unsafe" });
  expect(asked.join()).not.toContain("/phishing/");
  expect(await client.check("http://phish.example/")).toMatchObject({ verdict: "unsafe" });
});

test("after a restart, an entry that only a refused version of a store lacks is still listed", async () => {
  const { open, setMalware } = await storeWorld();
  const storage = memoryStorage();
  await open({ storage }).update();
  await setMalware([]);
  const next = open({ storage, updates: { onNewList: ({ list }) => list.size > 0 } });
  await next.load();
  const { lists } = await next.update();
  expect(lists[0]).toMatchObject({ size: 2, error: { code: "update-refused" } });
  expect(await next.check("http://evil.example/")).toMatchObject({ verdict: "unsafe" });
});

test("Web Risk: a list that was empty, and that the server no longer has, is unknown", async () => {
  const sha256 = Buffer.from(fullHash("")).toString("base64");
  let newVersionToken = "djE=";
  const client = createClient({
    protocol: "web-risk",
    server: SERVER,
    lists: ["MALWARE"],
    fetch: async () =>
      Response.json({ responseType: "RESET", newVersionToken, checksum: { sha256 } }),
    now: () => NOW,
  });
  await client.update();
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  newVersionToken = "";
  expect((await client.update()).lists).toMatchObject([{ error: { code: "list-unknown" } }]);
});

test("redirects of a store lead to the same host only, and onRequest sees each request", async () => {
  const { fetch, open, asked } = await storeWorld();
  let target = "https://lists.example/base";
  const moving: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (!pathname.startsWith("/moved/")) return fetch(input, init);
    const location = target + pathname.slice("/moved".length);
    return new Response(null, { status: 302, headers: { location } });
  };
  const client = open({ server: "https://lists.example/moved", fetch: moving });
  expect((await client.update()).lists).toMatchObject([{ size: 2 }, { size: 1 }]);
  expect((await client.check("http://evil.example/")).verdict).toBe("unsafe");
  const paths = asked.map(({ path }) => path);
  const moved = paths.filter((path) => path.startsWith("/moved/"));
  expect(moved.map((path) => path.replace("/moved/", "/base/"))).toEqual(
    paths.filter((path) => path.startsWith("/base/")),
  );
  expect(client.status().requests.updates + client.status().requests.searches).toBe(paths.length);
  target = "https://other.example";
  await expect(client.update()).rejects.toMatchObject({
    code: "answer-wrong",
    message: expect.stringContaining(
      "redirects its readers to another server, https://other.example,",
    ),
  });
  expect(asked.every(({ host }) => host === "lists.example")).toBe(true);
  target = "https://lists.example/base";
  const refused = open({
    server: "https://lists.example/moved",
    fetch: moving,
    onRequest: ({ path }) => path.startsWith("/moved/"),
  });
  await expect(refused.update()).rejects.toMatchObject({ code: "request-refused" });
});

describe("searches over v4", () => {
  const LISTS = ["MALWARE/WINDOWS/URL", "SOCIAL_ENGINEERING"];

  /** A client of these lists. `matchFor` makes the match in the answer to each search. */
  async function searching(matchFor: (info: ThreatInfo) => MessageInput<ThreatMatch>) {
    const { fetch, open } = await plainWorld("v4", ["MALWARE", "SOCIAL_ENGINEERING"])();
    const infos: ThreatInfo[] = [];
    const client = open({
      lists: LISTS,
      async fetch(input, init) {
        const { pathname, search } = new URL(String(input));
        if (!pathname.includes("fullHashes")) return fetch(input, init);
        const target = pathname.replace(/^\/base/, "") + search;
        const body = (init?.body ?? undefined) as Uint8Array | undefined;
        const headers = new Headers(init?.headers);
        const request = readRequest({ method: init!.method!, target, headers, body }, [
          findFullHashes,
        ]);
        const info = request.message.threatInfo!;
        infos.push(info);
        const threat = { hash: fullHash("phish.example/") };
        const isListed = info.threatTypes.includes("SOCIAL_ENGINEERING");
        const matches = isListed ? [{ threat, cacheDuration: 1000, ...matchFor(info) }] : [];
        const message = { matches, negativeCacheDuration: 1000 };
        const answer = writeResponse(request.method, message, request.answer);
        return new Response(answer.body, { headers: { "content-type": answer.contentType } });
      },
    });
    await client.update();
    return { infos, verdict: await client.check("http://phish.example/") };
  }

  test("ask about the lists of one platform at a time, whatever platform the match names", async () => {
    const { infos, verdict } = await searching(() => ({
      threatType: "SOCIAL_ENGINEERING",
      platformType: "LINUX",
    }));
    expect(verdict).toMatchObject({ verdict: "unsafe", matches: [{ list: "SOCIAL_ENGINEERING" }] });
    expect(infos).toMatchObject([
      { threatTypes: ["MALWARE"], platformTypes: ["WINDOWS"] },
      { threatTypes: ["SOCIAL_ENGINEERING"], platformTypes: ["ANY_PLATFORM"] },
    ]);
  });

  test.each([undefined, "MALWARE"] as const)(
    "refuse a match for a threat that was not asked for: %s",
    async (threatType) => {
      const { verdict } = await searching(() => (threatType === undefined ? {} : { threatType }));
      expect(verdict).toMatchObject({ verdict: "unsure", error: { code: "answer-wrong" } });
    },
  );
});

test.each([
  ["v4", "MALWARE/ANY_PLATFORM/URL/more"],
  ["v4", "EVIL"],
  ["v4", "MALWARE/TOASTER"],
  ["v4", "HIGH_CONFIDENCE_ALLOWLIST"],
  ["v5", "csda-32b"],
  ["web-risk", "EVIL"],
  ["store", "../x"],
] as const)("%s has no list of threats called %s", (protocol, name) => {
  const keys = protocol === "store" ? { publicKeys: [signer.publicKey] } : {};
  expect(() => createClient({ protocol, server: SERVER, lists: [name], ...keys })).toThrow(
    expect.objectContaining({ code: "option-invalid" }),
  );
});

test("a store needs public keys, and the other protocols have none", () => {
  const create = (options: Partial<ClientOptions>) => () =>
    createClient({ protocol: "store", server: SERVER, lists: ["malware"], ...options });
  expect(create({ publicKeys: [] })).toThrow("anybody could sign");
  expect(create({ publicKeys: ["nonsense"] })).toThrow(
    expect.objectContaining({ code: "option-invalid" }),
  );
  expect(create({})).toThrow(TypeError);
  expect(create({ protocol: "v5", lists: ["mw-4b"], publicKeys: [signer.publicKey] })).toThrow(
    expect.objectContaining({ code: "option-invalid" }),
  );
});

test.each(["v4", "web-risk", "store"] as const)(
  "%s has no procedure that searches other lists than the client's",
  (protocol) => {
    const keys = protocol === "store" ? { publicKeys: [signer.publicKey] } : {};
    const create = (options: Pick<ClientOptions, "procedure" | "lists">) => () =>
      createClient({ protocol, server: SERVER, ...keys, ...options });
    const refused = expect.objectContaining({ code: "option-invalid" });
    const lists = [protocol === "store" ? "malware" : "MALWARE"];
    expect(create({ procedure: "real-time", lists })).toThrow(refused);
    expect(create({ procedure: "local-list", lists })).not.toThrow();
  },
);

test.each(["v4", "web-risk"] as const)(
  "%s does not parse JSON that would become a million arrays",
  async (protocol) => {
    const headers = { "content-type": "application/json" };
    const send = async () => new Response(`{"a":${"[".repeat(2 ** 20)}`, { headers });
    const client = createClient({ protocol, server: SERVER, lists: ["MALWARE"], fetch: send });
    await expect(client.update()).rejects.toMatchObject({
      code: "answer-wrong",
      cause: { code: "too-many-values" },
    });
  },
);

describe("a match that the length of its prefix confirms", () => {
  const LISTED = "http://evil.example/login";

  test.each([
    [4, true, undefined],
    [8, false, "length"],
    [32, false, undefined],
  ])(
    "in a store, with prefixes of %i bytes, is searched for: %s",
    async (prefixBytes, isAsked, by) => {
      const { asked, open } = await storeWorld();
      const client = open({ store: { prefixBytes } });
      await client.update();
      asked.length = 0;
      expect(await client.check("http://good.example/")).toMatchObject({ verdict: "safe" });
      const verdict = await client.check(LISTED);
      expect(verdict).toMatchObject({ verdict: "unsafe", confirmed: true });
      expect(verdict.matches.map((match) => match.by)).toEqual([by]);
      expect(asked.length > 0).toBe(isAsked);
      // An answer of a search is in the cache by now.
      expect(client.checkLocally(LISTED).verdict).toBe("unsafe");
    },
  );

  test("a client that is opened with another length gets this length with its next update", async () => {
    const { clock, open, setMalware } = await storeWorld();
    const storage = memoryStorage();
    const lengths: number[] = [];
    let expected = 4;
    for (const prefixBytes of [8, 4, 32, 8, undefined, 4, 8]) {
      expected = prefixBytes ?? expected;
      const client = open({ store: { prefixBytes }, storage });
      await client.load();
      if (lengths.length > 0) {
        expect(await client.check(LISTED)).toMatchObject({ verdict: "unsafe", confirmed: true });
      }
      clock.time += 60 * MINUTE;
      if (prefixBytes === 32) await setMalware([...MALWARE, "more.example/"]);
      await client.update();
      expect(client.status().storageError).toBe(null);
      expect(client.list("malware")!.lengths.map((each) => each.prefixBytes)).toEqual([expected]);
      expect(await client.check(LISTED)).toMatchObject({ verdict: "unsafe", confirmed: true });
      lengths.push(expected);
    }
  });

  test("a list that an earlier release kept with five bytes has eight after its next update", async () => {
    const { clock, open, setMalware } = await storeWorld();
    const stored = new Map<string, Uint8Array>();
    const storage: ClientStorage = {
      get: async (name) => stored.get(name)?.slice() ?? null,
      put: async (name, bytes) => void stored.set(name, bytes.slice()),
      delete: async (name) => void stored.delete(name),
    };
    await open({ storage, lists: ["malware"], store: { prefixBytes: 8 } }).update();
    const name = [...stored.keys()].find((each) => each.includes("malware"))!;
    const { list, ...facts } = await decodeList(stored.get(name)!);
    const rawHashes = concatBytes(MALWARE.map((text) => fullHash(text).subarray(0, 5)));
    const short = prefixList([{ prefixBytes: 5, rawHashes }], list);
    stored.set(name, await encodeList(facts, short));
    clock.time += 60 * MINUTE;
    await setMalware([...MALWARE, "more.example/"]);
    const client = open({ storage, lists: ["malware"] });
    await client.load();
    expect(client.list("malware")!.lengths).toMatchObject([{ prefixBytes: 5 }]);
    await client.update();
    expect(client.list("malware")!.lengths).toMatchObject([{ prefixBytes: 8, count: 3 }]);
  });

  test("in v5, a list of prefixes of eight bytes asks nothing, and one of four bytes asks", async () => {
    const server = fakeServer({
      "mw-8b": { versions: [["evil.example/"]] },
      "se-4b": { versions: [["phish.example/"]] },
    });
    const client = createClient({
      protocol: "v5",
      server: "https://lists.example",
      lists: ["mw-8b", "se-4b"],
      fetch: server.fetch,
    });
    await client.update();
    server.requests.length = 0;
    const verdict = await client.check(LISTED);
    expect(verdict).toMatchObject({ verdict: "unsafe", confirmed: true });
    expect(verdict.matches).toMatchObject([{ list: "mw-8b", by: "length" }]);
    expect(server.requests).toEqual([]);
    await client.check("http://phish.example/");
    expect(server.requests.length).toBe(1);
  });

  test.each(["v5", "v4", "web-risk"] as const)(
    "only stores let the client choose: %s",
    (protocol) => {
      expect(() =>
        createClient({ protocol, server: SERVER, lists: ["MALWARE"], store: { prefixBytes: 8 } }),
      ).toThrow(/^publicKeys and store are for stores, not for the protocol/);
    },
  );

  test.each([3, 7, 9, 4.5])("a store has no prefixes of %d bytes", async (prefixBytes) => {
    const { open } = await storeWorld();
    expect(() => open({ store: { prefixBytes } })).toThrow(RangeError);
    expect(() => open({ store: { prefixBytes: "8" as never } })).toThrow(TypeError);
  });
});
