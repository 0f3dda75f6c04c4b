import type { CanonicalUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import {
  type ClientVerdict,
  createClient,
  createLookup,
  type Lookup,
  type LookupOptions,
} from "@x/client";
import { expressions } from "@x/expressions";
import { writeResponse } from "@x/wire";
import { searchUrls } from "@x/wire/v5";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeServer, prefixesOf, prefixOfText } from "./support/fake-server.ts";
import { BREAKING, LYING } from "./support/network-faults.ts";
import { START } from "./support/set-up.ts";
import { startTurns, type Turns } from "./support/turns.ts";

const SENDS = ["hash-prefixes", "urls"] as const;
const KEY = "s3cret/+key";

function setUp(options: Partial<LookupOptions> = {}) {
  const server = fakeServer({
    "mw-4b": { versions: [["evil.example/", "bad.example/path", "both.example/"]] },
    "se-4b": {
      versions: [["both.example/"]],
      details: [{ threatType: "SOCIAL_ENGINEERING", attributes: [] }],
    },
  });
  const clock = { time: START };
  const lookup = createLookup({
    server: "https://lists.example",
    key: KEY,
    fetch: server.fetch,
    now: () => clock.time,
    random: () => 0.5,
    ...options,
  });
  return { server, clock, lookup };
}

const urlsOf = (url: URL) => url.searchParams.getAll("urls");

async function checkAll(lookup: Lookup, urls: readonly string[]): Promise<ClientVerdict[]> {
  const verdicts: ClientVerdict[] = [];
  for await (const verdict of lookup.checkMany(urls)) verdicts.push(verdict);
  return verdicts;
}

describe.each(SENDS)("sends %s:", (sends) => {
  test("a host that no site can have is listed if a suffix of it is", async () => {
    const { lookup } = setUp({ sends });
    const verdicts = await checkAll(lookup, [
      "HTTP://'😀。evil.example",
      "http://'a.'b.evil.example/c",
      "http://'a.good.example/",
      `http://'${"a.'".repeat(9)}.evil.example/`,
    ]);
    expect(verdicts.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ["unsafe", null],
      ["unsafe", null],
      ["unsure", "url-invalid"],
      ["unsafe", null],
    ]);
  });

  test("a listed URL is unsafe, any other safe", async () => {
    const { lookup, clock } = setUp({ sends });
    expect(await lookup.check("http://login.evil.example/a?b")).toMatchObject({
      verdict: "unsafe",
      confirmed: true,
      reason: null,
      local: null,
      matches: [
        { list: null, threatTypes: ["MALWARE"], expression: "evil.example/", reading: "both" },
      ],
      expires: clock.time + 300_000,
      error: null,
    });
    expect(await lookup.check("http://bad.example/")).toMatchObject({
      verdict: "safe",
      confirmed: true,
      matches: [],
      expires: clock.time + 300_000,
    });
    const { matches } = await lookup.check("http://both.example/");
    expect(matches.flatMap(({ threatTypes }) => threatTypes).sort()).toEqual([
      "MALWARE",
      "SOCIAL_ENGINEERING",
    ]);
  });

  test("both readings count", async () => {
    const { lookup } = setUp({ sends });
    const { verdict, matches } = await lookup.check("http://evil.example\\@good.example/");
    expect(verdict).toBe("unsafe");
    expect(matches).toMatchObject([{ expression: "evil.example/", reading: "browser" }]);
  });

  test("an answer is kept for as long as the server says", async () => {
    const { lookup, server, clock } = setUp({ sends });
    for (const url of ["http://evil.example/", "http://good.example/"]) {
      const first = await lookup.check(url);
      const asked = server.requests.length;
      clock.time += 299_999;
      expect(await lookup.check(url)).toEqual(first);
      expect(server.requests).toHaveLength(asked);
      clock.time += 1;
      expect((await lookup.check(url)).verdict).toBe(first.verdict);
      expect(server.requests).toHaveLength(asked + 1);
      // After the clock was set back, the age of an answer is not known.
      clock.time -= 10_000;
      await lookup.check(url);
      expect(server.requests).toHaveLength(asked + 2);
    }
  });

  test("the answers about 65 536 URLs are kept, and the oldest are given up", {
    tags: "deep",
    timeout: 120_000,
  }, async () => {
    const { lookup, server } = setUp({ sends });
    const urls = Array.from({ length: 65_536 }, (_, i) => `http://h${i}/`);
    await checkAll(lookup, urls);
    const asked = server.requests.length;
    await lookup.check(urls[0]!);
    expect(server.requests).toHaveLength(asked);
    await lookup.check("http://one.more/");
    await lookup.check(urls.at(-1)!);
    expect(server.requests).toHaveLength(asked + 1);
    await lookup.check(urls[0]!);
    expect(server.requests).toHaveLength(asked + 2);
  });

  test("checks at the same time share requests", async () => {
    const { lookup, server } = setUp({ sends });
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, () => lookup.check("http://evil.example/")),
    );
    expect(verdicts.every(({ verdict }) => verdict === "unsafe")).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  test("checkMany yields a verdict for each URL, in order, and what is no URL is unsure", async () => {
    const { lookup } = setUp({ sends });
    const urls = Array.from({ length: 300 }, (_, i) =>
      i % 7 === 0 ? "mailto:x" : i % 3 === 0 ? `http://evil.example/${i}` : `http://e${i}.example/`,
    );
    const verdicts = await checkAll(lookup, urls);
    expect(verdicts.map(({ url }) => url)).toEqual(urls);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(
      urls.map((_, i) => (i % 7 === 0 ? "unsure" : i % 3 === 0 ? "unsafe" : "safe")),
    );
    expect(verdicts[0]).toMatchObject({ reason: "url-invalid" });
  });

  test("an undecided host is never safe", async () => {
    const { lookup } = setUp({ sends });
    expect(await lookup.check("http://ev\u2065il.example/")).toMatchObject({
      verdict: "unsure",
      reason: "url-undecided",
    });
    await expect(lookup.check(5 as never)).rejects.toThrow(TypeError);
    await expect(lookup.checkMany("http://a.example/" as never).next()).rejects.toThrow(TypeError);
  });

  test("onRequest sees each request, and may refuse it", async () => {
    const paths: string[] = [];
    const { lookup, server } = setUp({
      sends,
      onRequest: ({ path }) => {
        paths.push(path);
        return false;
      },
    });
    expect(await lookup.check("http://evil.example/")).toMatchObject({
      verdict: "unsure",
      reason: "request-refused",
    });
    expect(paths).toHaveLength(1);
    expect(server.requests).toHaveLength(0);
  });

  test("a signal ends a check", async () => {
    const { lookup, server } = setUp({ sends });
    server.instead = () => new Promise(() => {});
    const controller = new AbortController();
    const checking = lookup.check("http://evil.example/", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(checking).rejects.toThrow("enough");
  });

  test("no error shows the key", async () => {
    const { lookup, server } = setUp({ sends });
    server.instead = (url) => {
      throw new TypeError(`Failed to fetch ${url}`);
    };
    const { error } = await lookup.check("http://evil.example/");
    expect(error).toMatchObject({ code: "server-unreachable" });
    expect(String(error)).not.toContain("s3cret");
  });

  describe("never safe with the fault", () => {
    const more: typeof BREAKING = {
      "JSON where protobuf belongs": () =>
        new Response('{"cacheDuration":"300s"}', {
          headers: { "content-type": "application/json" },
        }),
      "JSON without its content type": () => new Response('{"cacheDuration":"300s"}'),
      "400 in JSON": () => new Response('{"error":{"code":400}}', { status: 400 }),
      "a redirect": () =>
        new Response(null, { status: 302, headers: { location: "https://other.example/" } }),
      "429 with Retry-After": () =>
        new Response(null, { status: 429, headers: { "retry-after": "30" } }),
    };
    let turns: Turns;
    beforeEach(() => {
      turns = startTurns(() => 0.5);
    });
    afterEach(() => turns.end());

    const faults = { ...BREAKING, ...more, cut: LYING["a truncated answer"]! };
    test.each(Object.entries(faults))("%s", async (name, fault) => {
      const { server, lookup } = setUp({ sends });
      const { fetch } = fakeServer(server.lists);
      server.instead = (input, init) => {
        const pause = () => turns.take(() => {});
        const world = { random: () => 0.5, init, earlier: [], checksums: [], pause };
        return fault(() => fetch(input, init), world);
      };
      const found = await turns.until(lookup.check("http://evil.example/"));
      if (name === "slow") expect(found.verdict).toBe("unsafe");
      else expect(found).toMatchObject({ verdict: "unsure", reason: "server-unreachable" });
    });
  });
});

test("hash prefixes are all that is sent by default", async () => {
  const { lookup, server } = setUp();
  await lookup.check("https://user:secret@sub.evil.example:8443/path/page?q=private#part");
  const [request] = server.requests;
  expect(server.requests).toHaveLength(1);
  expect([...new Set(request!.searchParams.keys())].sort()).toEqual(["hashPrefixes", "key"]);
  expect(request!.pathname).toBe("/v5/hashes:search");
  const expected = [
    "sub.evil.example/path/page?q=private",
    "sub.evil.example/path/page",
    "sub.evil.example/",
    "sub.evil.example/path/",
    "evil.example/path/page?q=private",
    "evil.example/path/page",
    "evil.example/",
    "evil.example/path/",
  ];
  expect(prefixesOf(request!).sort()).toEqual(expected.map(prefixOfText).sort());
});

test("URLs are sent without user name, password, port and fragment, and in each reading", async () => {
  const { lookup, server } = setUp({ sends: "urls" });
  await lookup.check("https://user:secret@good.example:8443/a/../b?q#part");
  await lookup.check("http://evil.example\\@good.example/");
  expect(server.requests.map(urlsOf)).toEqual([
    ["https://good.example/b?q"],
    ["http://good.example/", "http://evil.example/@good.example/"],
  ]);
});

test("a server that reads what is sent in both ways finds what the client would", {
  tags: "deep",
}, async () => {
  const piece = fc.constantFrom(
    ..."ab1./\\?#@:%&",
    "%5C",
    "%255c",
    "%2F",
    "%40",
    "\u00e9",
    ";",
    '"',
  );
  const urls = fc
    .tuple(fc.constantFrom("", "http://", "https:"), fc.array(piece, { maxLength: 12 }))
    .map(([scheme, pieces]) => `${scheme}${pieces[0] ?? ""}a.test${pieces.slice(1).join("")}`);
  const readingsOf = (url: string): CanonicalUrl[] => {
    const { specification, browser, firefox } = readUrl(url);
    return [specification, browser, firefox].filter((each) => each !== null);
  };
  // Hosts that no site can have, or that no list has in this form, are not sent. Their suffixes are.
  const canBeSent = (expression: string): boolean => {
    const host = expression.slice(0, expression.indexOf("/"));
    const { specification, problem } = readUrl(`http://${host.replaceAll("\\", "%5C")}/`);
    return problem === null && specification?.host === host;
  };
  const expressionsOf = (some: readonly string[]) => {
    const all = some.flatMap(readingsOf).flatMap((each) => expressions(each));
    return [...new Set(all)].filter(canBeSent).sort();
  };
  let backslashes = 0;
  await fc.assert(
    fc.asyncProperty(urls, async (url) => {
      const { lookup, server } = setUp({ sends: "urls" });
      if ((await lookup.check(url)).reason !== null) return;
      const sent = server.requests.flatMap(urlsOf);
      if (sent.some((each) => each.includes("%5C"))) backslashes++;
      expect(expressionsOf(sent)).toEqual(expressionsOf([url]));
    }),
    { numRuns: 20000 },
  );
  expect(backslashes).toBeGreaterThan(20);
});

test("URLs are sent at most 50 at a time, and long ones apart", async () => {
  const { lookup, server } = setUp({ sends: "urls" });
  await checkAll(
    lookup,
    Array.from({ length: 120 }, (_, i) => `http://e${i}.example/`),
  );
  expect(server.requests.map((url) => urlsOf(url).length)).toEqual([50, 50, 20]);
  server.requests.length = 0;
  const long = Array.from({ length: 4 }, (_, i) => `http://l${i}.example/${"a".repeat(3000)}`);
  await checkAll(lookup, [...long, `http://m.example/${"a".repeat(20_000)}`]);
  expect(server.requests.map((url) => urlsOf(url).length)).toEqual([2, 2, 1]);
});

test("a reading whose host no site can have is not sent", async () => {
  const { lookup, server } = setUp({ sends: "urls" });
  expect((await lookup.check("http://evil.example\\")).verdict).toBe("unsafe");
  expect((await lookup.check("http://good.example\\")).verdict).toBe("safe");
  expect((await lookup.check('http://good.example"/')).reason).toBe("url-invalid");
  expect(server.requests.flatMap(urlsOf)).toEqual(["http://evil.example/", "http://good.example/"]);
});

describe("a URL that the server refuses", () => {
  const urls = Array.from(
    { length: 60 },
    (_, i) => `http://${i % 2 ? "evil" : "good"}.example/${i}`,
  );
  const refuse = (server: ReturnType<typeof fakeServer>, isRefused: (url: string) => boolean) => {
    server.instead = (url) =>
      urlsOf(url).some(isRefused) ? new Response(null, { status: 400 }) : null;
  };

  test.each(["unsure", "safe"] as const)(
    "leaves the others their answers, with onError: %j",
    { tags: "deep" },
    async (onError) => {
      await fc.assert(
        fc.asyncProperty(fc.subarray(urls, { minLength: 1, maxLength: 4 }), async (refused) => {
          const { lookup, server } = setUp({ sends: "urls", onError });
          refuse(server, (url) => refused.includes(url));
          for (const [i, { verdict, reason }] of (await checkAll(lookup, urls)).entries()) {
            const isRefused = refused.includes(urls[i]!);
            expect(verdict).toBe(isRefused ? "unsure" : i % 2 ? "unsafe" : "safe");
            expect(reason).toBe(isRefused ? "server-unreachable" : null);
          }
        }),
        { numRuns: 50 },
      );
    },
  );

  test("starts no pause", async () => {
    const { lookup, server } = setUp({ sends: "urls" });
    refuse(server, (url) => url.includes("good"));
    for (let i = 0; i < 5; i++) {
      expect(await lookup.check(`http://good.example/${i}`)).toMatchObject({
        verdict: "unsure",
        reason: "server-unreachable",
        error: { code: "server-refused", status: 400 },
      });
    }
    expect((await lookup.check("http://evil.example/")).verdict).toBe("unsafe");
  });

  test("among many of its kind does not cost many requests", async () => {
    const { lookup, server } = setUp({ sends: "urls" });
    refuse(server, () => true);
    const verdicts = await checkAll(lookup, urls.slice(0, 50));
    expect(verdicts.every(({ verdict }) => verdict === "unsure")).toBe(true);
    expect(server.requests.length).toBeLessThan(60);
  });

  test("is not to blame for a refused key", async () => {
    const { lookup, server } = setUp({ sends: "urls" });
    server.instead = () => new Response(null, { status: 403 });
    await checkAll(lookup, urls.slice(0, 50));
    expect(server.requests).toHaveLength(1);
  });
});

describe("an answer about URLs", () => {
  const answerWith = (server: ReturnType<typeof fakeServer>, threats: object[]) => {
    server.instead = () => {
      const message = { threats, cacheDuration: 300_000 };
      const { body, contentType } = writeResponse(searchUrls, message, {
        format: "protobuf",
        enums: "names",
      });
      return new Response(body, { headers: { "content-type": contentType } });
    };
  };

  test.each([
    ["an expression", "evil.example/"],
    ["a URL", "http://evil.example/"],
    ["more labels than ours", "b.c.d.e.f.evil.example/x"],
  ])("may name %s", async (_, url) => {
    const { lookup, server } = setUp({ sends: "urls" });
    answerWith(server, [{ url, threatTypes: ["MALWARE"] }]);
    const { verdict, matches } = await lookup.check("http://a.b.c.d.e.f.evil.example/x/y");
    expect(verdict).toBe("unsafe");
    expect(matches).toHaveLength(1);
  });

  test("with a threat type that is not known is still listed", async () => {
    const { lookup, server } = setUp({ sends: "urls" });
    answerWith(server, [{ url: "evil.example/", threatTypes: [] }]);
    expect(await lookup.check("http://evil.example/")).toMatchObject({
      verdict: "unsafe",
      matches: [{ threatTypes: ["THREAT_TYPE_UNSPECIFIED"] }],
    });
  });

  test.each(["other.example/", "vil.example/", "evil.example/z", "", "mailto:x"])(
    "with the threat %j, which no requested URL has, is an error",
    async (url) => {
      const { lookup, server } = setUp({ sends: "urls" });
      answerWith(server, [{ url, threatTypes: ["MALWARE"] }]);
      expect(await lookup.check("http://evil.example/x")).toMatchObject({
        verdict: "unsure",
        error: { code: "answer-wrong" },
      });
    },
  );
});

test('with onError: "safe", a server that fails makes URLs safe, and undecided ones not', async () => {
  for (const sends of SENDS) {
    const { lookup, server } = setUp({ sends, onError: "safe" });
    server.instead = () => new Response(null, { status: 500 });
    expect(await lookup.check("http://evil.example/")).toMatchObject({
      verdict: "safe",
      confirmed: false,
      reason: "server-unreachable",
    });
    expect((await lookup.check("http://ev\u2065il.example/")).verdict).toBe("unsure");
  }
});

test("both ways of asking, and a client without lists, give the same verdicts", {
  tags: "deep",
}, async () => {
  const hosts = fc.constantFrom("evil.example", "bad.example", "good.example", "both.example");
  const urls = fc
    .tuple(
      fc.constantFrom("", "http://", "https://u:p@", "http:\\\\", "//"),
      fc.constantFrom("", "www.", "evil.example\\@", "%65"),
      hosts,
      fc.constantFrom("", "/", "/path", "/path?q#f", "/a/../path", ":8080/path", "."),
    )
    .map((parts) => parts.join(""));
  const listed = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(urls, { maxLength: 20 }), async (some) => {
      const { server, lookup } = setUp();
      const others = [
        setUp({ sends: "urls" }).lookup,
        createClient({
          protocol: "v5",
          procedure: "real-time",
          lists: ["gc-32b"],
          server: "https://lists.example",
          fetch: server.fetch,
        }),
      ];
      const facts = (verdicts: readonly ClientVerdict[]) =>
        verdicts.map(({ url, verdict, reason, matches }) => ({
          url,
          verdict,
          reason,
          expressions: matches.map(({ expression, reading }) => `${expression} ${reading}`).sort(),
        }));
      const expected = facts(await checkAll(lookup, some));
      for (const { verdict } of expected) listed.add(verdict);
      for (const other of others) expect(facts(await checkAll(other, some))).toEqual(expected);
    }),
    { numRuns: 100 },
  );
  expect([...listed].sort()).toEqual(["safe", "unsafe"]);
});

test("options are checked", () => {
  const create = (options: object) => () =>
    createLookup({ server: "https://lists.example", ...options });
  for (const wrong of [
    { sends: "nothing" },
    { onError: "maybe" },
    { key: 5 },
    { fetch: 5 },
    { now: 5 },
    { random: 5 },
    { onRequest: 5 },
    { registrableDomain: 5 },
    { timeout: "1" },
  ]) {
    expect(create(wrong), JSON.stringify(wrong)).toThrow(TypeError);
  }
  expect(create({ timeout: 0 })).toThrow(RangeError);
  expect(create({ server: "lists.example" })).toThrow(/absolute URL/);
});
