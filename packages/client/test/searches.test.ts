import { fullHash } from "@x/sha256-prefix";
import { writeResponse } from "@x/wire";
import { searchHashes } from "@x/wire/v5";
import { describe, expect, test } from "vitest";
import { prefixesOf, prefixOfText } from "./support/fake-server.ts";
import { KEY, type SetUp, setUp } from "./support/set-up.ts";

const names = Array.from({ length: 70 }, (_, i) => `listed${i}.example/`);

test("checkMany yields verdicts in order, and joins searches of at most 30 prefixes", async () => {
  const { client, server } = setUp({ lists: ["mw-4b"] });
  server.lists["mw-4b"]!.versions.push(names);
  await client.update();
  async function* urls() {
    for (const name of names) yield* [`http://${name}`, "http://good.example/"];
    yield "mailto:x";
  }
  const verdicts: string[] = [];
  for await (const { verdict } of client.checkMany(urls())) verdicts.push(verdict);
  expect(verdicts).toEqual([...names.flatMap(() => ["unsafe", "safe"]), "unsure"]);
  const counts = server.requests.slice(1).map((url) => prefixesOf(url).length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(30);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(70);
  const all = [...names.map((name) => `http://${name}`)];
  for await (const { verdict } of client.checkMany(all)) expect(verdict).toBe("unsafe");
  await expect(client.checkMany("http://a.example/" as never).next()).rejects.toThrow(TypeError);
});

test("searches for the same prefix are joined", async () => {
  const { client, server } = setUp();
  await client.update();
  const verdicts = await Promise.all(
    Array.from({ length: 10 }, (_, i) => client.check(`http://evil.example/${i}`)),
  );
  expect(verdicts.every(({ verdict }) => verdict === "unsafe")).toBe(true);
  expect(server.requests).toHaveLength(2);
});

test("an answer with a full hash that was not asked for is refused", async () => {
  const { client, server } = setUp();
  await client.update();
  const search = server.fetch;
  server.instead = async (url) => {
    const other = new URL(url);
    other.searchParams.append(
      "hashPrefixes",
      Buffer.from(prefixOfText("phish.example/"), "hex").toString("base64"),
    );
    server.instead = null;
    return search(other);
  };
  expect(await client.check("http://evil.example/")).toMatchObject({
    verdict: "unsure",
    reason: "server-unreachable",
    error: { code: "answer-wrong" },
  });
});

test("threats that do not count yet are left out, and those of frames only count there", async () => {
  const { client, server } = setUp({ lists: ["canary-4b", "frame-4b"] });
  server.lists["canary-4b"] = {
    versions: [["canary.example/"]],
    details: [{ threatType: "MALWARE", attributes: ["CANARY"] }],
  };
  server.lists["frame-4b"] = {
    versions: [["frame.example/"]],
    details: [{ threatType: "MALWARE", attributes: ["FRAME_ONLY"] }],
  };
  await client.update();
  expect((await client.check("http://canary.example/")).verdict).toBe("safe");
  expect((await client.check("http://frame.example/")).verdict).toBe("safe");
  expect((await client.check("http://frame.example/", { frame: true })).verdict).toBe("unsafe");
});

test("a listed URL stays listed for as long as the answer holds, even if it leaves the list", async () => {
  const { client, server, clock } = setUp();
  await client.update();
  await client.check("http://evil.example/");
  server.lists["mw-4b"]!.versions.push(["bad.example/path"]);
  await client.update();
  expect(client.checkLocally("http://evil.example/").verdict).toBe("unsafe");
  clock.time += 300_000;
  expect(client.checkLocally("http://evil.example/").verdict).toBe("safe");
  expect((await client.check("http://evil.example/")).verdict).toBe("safe");
  expect(server.requests).toHaveLength(3);
});

test("onRequest sees what leaves, and can refuse it", async () => {
  const seen: object[] = [];
  let isAllowed = true;
  const { client, server } = setUp({
    onRequest: (request) => {
      seen.push(request);
      return isAllowed;
    },
  });
  await client.update();
  expect(seen[0]).toMatchObject({ method: "GET", host: "lists.example", body: null });
  const [url] = server.requests;
  expect(seen[0]).toMatchObject({ path: url!.pathname + url!.search });
  isAllowed = false;
  expect(await client.check("http://evil.example/")).toMatchObject({
    verdict: "unsure",
    reason: "request-refused",
  });
  expect(server.requests).toHaveLength(1);
  expect(client.status().requests).toMatchObject({ updates: 1, searches: 0, refused: 1 });
});

test("a search does not leave when its only caller gives up in onRequest", async () => {
  const controller = new AbortController();
  const { client, server } = setUp({
    onRequest: ({ path }) => {
      if (path.includes("search")) controller.abort(new Error("given up"));
    },
  });
  await client.update();
  const check = client.check("http://evil.example/", { signal: controller.signal });
  await expect(check).rejects.toThrow("given up");
  await client.stop();
  expect(server.requests).toHaveLength(1);
});

test("an answer that is too long is not read to its end", async () => {
  const { client, server } = setUp();
  const piece = new Uint8Array(2 ** 20);
  let sent = 0;
  server.instead = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += piece.length;
          controller.enqueue(piece);
        },
      }),
      { headers: { "content-type": "application/x-protobuf" } },
    );
  await expect(client.update()).rejects.toMatchObject({ code: "answer-too-long" });
  expect(sent).toBeLessThan(140 * 2 ** 20);
});

/** Makes the next answer list `text`, and `count` other full hashes with the same prefix, of these types of threats. */
function addHashes(
  { server }: Pick<SetUp, "server">,
  text: string,
  count: number,
  types: readonly string[],
): void {
  const first = fullHash(text);
  const detailOf = (threatType: string) => ({ threatType, attributes: [] });
  server.instead = () => {
    server.instead = null;
    const fullHashes = Array.from({ length: count }, (_, i) => {
      const hash = first.slice();
      new DataView(hash.buffer).setUint32(4, i);
      return { fullHash: hash, fullHashDetails: types.map(detailOf) };
    });
    const listed = { fullHash: first, fullHashDetails: [detailOf("MALWARE")] };
    const message = { fullHashes: [listed, ...fullHashes] };
    const { body } = writeResponse(
      searchHashes,
      { ...message, cacheDuration: 300_000 } as never,
      { format: "protobuf" } as never,
    );
    return new Response(body, { headers: { "content-type": "application/x-protobuf" } });
  };
}

test("an answer with many full hashes of one prefix takes no longer than others", {
  tags: "deep",
}, async () => {
  const { client, server } = setUp();
  await client.update();
  addHashes({ server }, "evil.example/", 30_000, ["MALWARE"]);
  expect((await client.check("http://evil.example/")).verdict).toBe("unsafe");
  // The listed hashes of the cache are part of each new snapshot.
  server.lists["mw-4b"]!.versions.push(["bad.example/path"]);
  await client.update();
  expect(client.checkLocally("http://evil.example/").verdict).toBe("unsafe");
});

test("an answer that the cache gives up during a search still counts", {
  tags: "deep",
}, async () => {
  const { client, server } = setUp();
  await client.update();
  await client.check("http://evil.example/");
  addHashes({ server }, "bad.example/path", 65_534, []);
  const verdicts = [];
  const urls = ["http://evil.example/", "http://bad.example/path"];
  for await (const { verdict, reason } of client.checkMany(urls)) verdicts.push([verdict, reason]);
  expect(verdicts).toEqual(urls.map(() => ["unsafe", null]));
  expect(server.requests).toHaveLength(3);
  await client.check("http://evil.example/");
  expect(server.requests).toHaveLength(4);
});

test("a redirect is not followed, and nothing shows the key", async () => {
  const { client, server } = setUp();
  let init: RequestInit = {};
  server.instead = (_, given) => {
    init = given;
    return new Response(null, { status: 403 });
  };
  await expect(client.update()).rejects.toMatchObject({ code: "server-refused", status: 403 });
  // Not "error", which Cloudflare's Workers do not support.
  expect(init).toMatchObject({ redirect: "manual", credentials: "omit" });
  server.instead = () =>
    new Response(null, { status: 302, headers: { location: "https://other.example/" } });
  await expect(client.update()).rejects.toMatchObject({
    code: "server-refused",
    status: 302,
    message: "The server redirects requests (status 302), which is not followed",
  });
  expect(JSON.stringify(client.status())).not.toContain("s3cret");
});

describe("a connection that was closed while it was idle", () => {
  const closed = (code: string) =>
    Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error(code), { code }),
    });

  test.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])(
    "is replaced after %s, once",
    async (code) => {
      const { client, server } = setUp();
      await client.update();
      server.requests.length = 0;
      server.instead = () => {
        if (server.requests.length > 1) return null;
        throw closed(code);
      };
      expect((await client.check("http://evil.example/")).verdict).toBe("unsafe");
      expect(server.requests).toHaveLength(2);
      expect(client.status().searches.failures).toBe(0);
      server.requests.length = 0;
      server.instead = () => {
        throw closed(code);
      };
      expect(await client.check("http://phish.example/")).toMatchObject({
        verdict: "unsure",
        error: { code: "server-unreachable", status: null },
      });
      expect(server.requests).toHaveLength(2);
    },
  );

  test("is not a server that refuses connections", async () => {
    const { client, server } = setUp();
    await client.update();
    server.requests.length = 0;
    server.instead = () => {
      throw closed("ECONNREFUSED");
    };
    expect((await client.check("http://evil.example/")).verdict).toBe("unsure");
    expect(server.requests).toHaveLength(1);
  });
});

test("no message shows the key, however it is escaped", async () => {
  const { client, server } = setUp();
  for (const written of [KEY, "s3cret%2F%2Bkey", "s3cret%2f%2bkey"]) {
    server.instead = () => {
      throw new TypeError(`Failed to fetch https://lists.example/?key=${written}`);
    };
    const error = await client.update().catch((each) => each);
    expect(error.message, written).toContain("key=…");
  }
});

test("an answer without its duration is about the full hashes in it, and about no other prefix", async () => {
  const { client, server } = setUp();
  await client.update();
  const hash = fullHash("evil.example/");
  server.instead = () => {
    const fullHashDetails = [{ threatType: "MALWARE" as const, attributes: [] }];
    const message = { fullHashes: [{ fullHash: hash, fullHashDetails }] };
    const { body } = writeResponse(searchHashes, message, { format: "protobuf", enums: "names" });
    return new Response(body, { headers: { "content-type": "application/x-protobuf" } });
  };
  const urls = ["http://evil.example/", "http://bad.example/path"];
  const verdicts = [];
  for await (const { verdict, reason, error } of client.checkMany(urls)) {
    verdicts.push([verdict, reason, error !== null && "code" in error ? error.code : null]);
  }
  expect(verdicts).toEqual([
    ["unsafe", null, null],
    ["unsure", "server-unreachable", "answer-wrong"],
  ]);
});
