import { type CheckAnswer, followLink } from "@x/links/follow";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

type Page = ResponseInit & { readonly html?: string | Uint8Array<ArrayBuffer> };

/** A web of pages in memory. */
function web(pages: Readonly<Record<string, Page>>) {
  const requested: string[] = [];
  return {
    requested,
    fetch: async (url: string): Promise<Response> => {
      requested.push(url);
      const { html = null, ...init } = pages[url] ?? { status: 404 };
      const headers = new Headers(init.headers);
      if (html !== null && !headers.has("content-type")) headers.set("content-type", "text/html");
      return new Response(html, { ...init, headers });
    },
  };
}

type FollowOptions = Parameters<typeof followLink>[1];

const safe = () => ({ verdict: "safe" as const });

async function follow(
  pages: Readonly<Record<string, Page>>,
  options: Partial<FollowOptions> = {},
  link = "http://a.example/",
) {
  const { fetch, requested } = web(pages);
  return { ...(await followLink(link, { fetch, check: safe, ...options })), requested };
}

describe("where a page leads", () => {
  const to = (html: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    follow({ "http://a.example/": { html, headers } }, { maxHops: 0 }).then(
      ({ hops }) => hops[1]?.url ?? null,
    );

  test.each([
    ['<meta http-equiv="refresh" content="0; url=http://b.example/">', "http://b.example/"],
    ["<META HTTP-EQUIV=REFRESH CONTENT=0;URL=/x>", "http://a.example/x"],
    [`<meta content="5,url='/x y'z" http-equiv='refresh'>`, "http://a.example/x%20y"],
    ['<meta http-equiv="refresh" content="0 /x">', "http://a.example/x"],
    ['<meta http-equiv="refresh" content=".5;/x">', "http://a.example/x"],
    ["<meta http-equiv=refresh content='0;url=&#104;ttp://b.example'>", "http://b.example/"],
    ["<meta http-equiv=refresh content=' 0 ; URL = \"/x'>", "http://a.example/x"],
    ["<noscript><meta http-equiv=refresh content=0;/x></noscript>", "http://a.example/x"],
    ["<base href=//c.example/d/><meta http-equiv=refresh content=0;x>", "http://c.example/d/x"],
    ["<base href='http://['><meta http-equiv=refresh content=0;x>", "http://a.example/x"],
    ["<svg><style><meta http-equiv=refresh content=0;/x>", "http://a.example/x"],
    ["<constructor><meta http-equiv=refresh content=0;/x>", "http://a.example/x"],
    ["<svg/><style><meta http-equiv=refresh content=0;/x></style>", null],
    ["<svg><desc><style><meta http-equiv=refresh content=0;/x></style></desc>", null],
    ["<svg><desc></desc><title><meta http-equiv=refresh content=0;/x>", "http://a.example/x"],
    ["<svg></svg><title><meta http-equiv=refresh content=0;/x></title>", null],
    ["<body><p>late</p><meta http-equiv=refresh content=0;/x>", "http://a.example/x"],
    [
      "<meta http-equiv=refresh content=300><meta http-equiv=refresh content=0;/x>",
      "http://a.example/x",
    ],
    ["<meta http-equiv=refresh content=300>", null],
    ["<meta http-equiv=refresh content='0;url='>", null],
    ["<meta http-equiv=refresh content=url=/x>", null],
    ["<meta http-equiv=refresh content=0x/y>", null],
    ["<meta http-equiv=refresh>", null],
    ["<meta name=refresh content=0;/x>", null],
    ["<!-- <meta http-equiv=refresh content=0;/x> -->", null],
    ["<script>'<meta http-equiv=refresh content=0;/x>'</script>", null],
    ["<title><meta http-equiv=refresh content=0;/x></title>", null],
    ["<textarea><meta http-equiv=refresh content=0;/x>", null],
    ["<p>plain", null],
    ["", null],
  ])("%s", async (html, url) => {
    expect(await to(html)).toBe(url);
  });

  test("in other encodings", async () => {
    const html = "<meta http-equiv=refresh content=0;/x>";
    const utf16 = Uint8Array.from([...html].flatMap((character) => [character.charCodeAt(0), 0]));
    const found = "http://a.example/x";
    expect(await to(utf16, { "content-type": "text/html; charset=utf-16" })).toBe(found);
    expect(await to(Uint8Array.from([0xff, 0xfe, ...utf16]))).toBe(found);
    expect(await to(Uint8Array.from([0xfe, 0xff, 0, ...utf16.slice(0, -1)]))).toBe(found);
    expect(await to(html, { "content-type": 'text/html; charset="no-such"' })).toBe(found);
  });

  test("only pages are read, whatever the header Refresh says", async () => {
    const html = "<meta http-equiv=refresh content=0;/x>";
    expect(await to(html, { "content-type": "text/plain" })).toBeNull();
    expect(await to(html, { "content-type": "application/xhtml+xml" })).toBe("http://a.example/x");
    expect(await to("x", { "content-type": "text/plain", refresh: "0;url=/y" })).toBe(
      "http://a.example/y",
    );
  });

  test("Location counts only with the status of a redirect", async () => {
    const at = (status: number) =>
      follow({ "http://a.example/": { status, headers: { location: "/x" } } }, { maxHops: 0 });
    for (const status of [301, 302, 303, 307, 308]) {
      expect((await at(status)).hops[1]).toMatchObject({ via: "location", reason: "hops" });
    }
    for (const status of [200, 201, 300, 304, 404]) expect((await at(status)).hops).toHaveLength(1);
  });
});

describe("what check says", () => {
  const pages = {
    "http://a.example/": { status: 302, headers: { location: "http://b.example/" } },
    "http://b.example/": { html: "<p>" },
  };

  test.each([
    ["unsafe", "unsafe", null],
    ["unsure", "unsure", "check-unsure"],
    ["anything", "unsure", "check-unsure"],
  ])("%s about the second URL", async (answer, verdict, reason) => {
    const check = (url: string) =>
      (url === "http://b.example/" ? { verdict: answer } : safe()) as CheckAnswer;
    const result = await follow(pages, { check });
    expect(result).toMatchObject({ verdict, reason });
    expect(result.requested).toEqual(["http://a.example/"]);
  });

  test.each([
    () => {
      throw new Error("no list");
    },
    () => Promise.reject(new Error("no list")),
    () => undefined as never,
  ])("an error or nothing is no verdict", async (check) => {
    const { verdict, reason, hops, requested } = await follow(pages, { check });
    expect([verdict, reason, requested]).toEqual(["unsure", "check-failed", []]);
    expect(hops[0]).toMatchObject({ verdict: null, answer: null, error: expect.any(Error) });
  });

  test("is in the result", async () => {
    const check = async (url: string) => ({ verdict: "safe" as const, of: url });
    const { fetch } = web(pages);
    const { hops } = await followLink("http://a.example/", { fetch, check });
    expect(hops.map(({ answer }) => answer?.of)).toEqual([
      "http://a.example/",
      "http://b.example/",
    ]);
  });

  test("about the text of a link, too, if other programs read another host in it", async () => {
    const listed = (host: string) => (url: string) => ({
      verdict: new URL(url).hostname === host ? ("unsafe" as const) : ("safe" as const),
    });
    const link = "http://b.example\\@c.example/";
    for (const host of ["b.example", "c.example"]) {
      const { verdict, requested } = await follow(pages, { check: listed(host) }, link);
      expect([verdict, requested]).toEqual(["unsafe", []]);
    }
    expect((await follow(pages, {}, link)).hops[0]!.url).toBe("http://b.example/@c.example/");
  });
});

describe("a hop", () => {
  test("says how it differs from the one before", async () => {
    const chain = [
      "http://a.example/",
      "https://a.example/",
      "https://a.example:8443/./",
      "https://www.a.example/",
      "https://www.a.example/b",
      "https://www.a.example/b?c",
    ];
    const pages = Object.fromEntries(
      chain.map((url, i) => [url, { status: 301, headers: { location: chain[i + 1] ?? "x:" } }]),
    );
    const fixed = { ...pages, "https://a.example:8443/": pages["https://a.example:8443/./"]! };
    const { hops, reason } = await follow(fixed);
    expect(hops.map(({ difference }) => difference)).toEqual([
      null,
      "scheme",
      "none",
      "host",
      "path",
      "query",
      null,
    ]);
    expect(reason).toBe("scheme-unsupported");
  });
});

test.each([
  ["a.example", "http://a.example/"],
  [" http:\\\\A.example ", "http://a.example/"],
  ["http://user@a.example/#x", "http://a.example/"],
  ["mailto:x@a.example", null],
  ["file:///etc/passwd", null],
  ["http://[", null],
  ["", null],
])("the link %j", async (link, url) => {
  const { hops, requested, verdict } = await follow(
    { "http://a.example/": { html: "" } },
    {},
    link,
  );
  expect(requested).toEqual(url === null ? [] : [url]);
  expect(verdict).toBe(url === null ? "unsure" : "safe");
  if (url !== null) expect(hops[0]).toMatchObject({ url, written: link });
});

test("a redirect that the platform hides is no end", async () => {
  const hidden = { status: 0, type: "opaqueredirect", headers: new Headers(), body: null };
  const { verdict, reason } = await followLink("http://a.example/", {
    fetch: async () => hidden,
    check: safe,
  });
  expect([verdict, reason]).toEqual(["unsure", "redirect-hidden"]);
});

test("a fetch that throws or never answers", async () => {
  const failed = await followLink("http://a.example/", {
    fetch: () => {
      throw new Error("no");
    },
    check: safe,
  });
  expect(failed).toMatchObject({ verdict: "unsure", reason: "request-failed" });
  const aborter = new AbortController();
  const waiting = followLink("http://a.example/", {
    fetch: () => {
      aborter.abort();
      return new Promise<never>(() => {});
    },
    check: safe,
    signal: aborter.signal,
  });
  expect(await waiting).toMatchObject({ verdict: "unsure", reason: "aborted" });
  const aborted = await follow({}, { signal: AbortSignal.abort() });
  expect(aborted).toMatchObject({ verdict: "unsure", reason: "aborted", requested: [] });
});

test("wrong arguments", async () => {
  const { fetch } = web({});
  // @ts-expect-error
  await expect(followLink(1, { fetch, check: safe })).rejects.toThrow(TypeError);
  // @ts-expect-error
  await expect(followLink("x", { fetch })).rejects.toThrow("check must be a function");
  // @ts-expect-error
  await expect(followLink("x", { check: safe })).rejects.toThrow("fetch must be a function");
  const wrong: readonly Partial<FollowOptions>[] = [
    { maxHops: -1 },
    { maxHops: 1.5 },
    { maxBytes: Number.POSITIVE_INFINITY },
    { timeout: 0 },
  ];
  for (const limits of wrong) await expect(follow({}, limits)).rejects.toThrow(RangeError);
  // @ts-expect-error
  await expect(follow({}, { timeout: "1" })).rejects.toThrow(TypeError);
});

test("any web: nothing unchecked is requested, and only an ended chain is safe", async () => {
  const hosts = ["a.example", "b.example", "c.example"];
  const url = fc.constantFrom(
    ...hosts.map((host) => `http://${host}/`),
    "/",
    "//c.example",
    "x:",
    "http://[",
  );
  const page = fc.oneof(
    url.map((location): Page => ({ status: 302, headers: { location } })),
    url.map((to): Page => ({ headers: { refresh: `0;url=${to}` }, html: "" })),
    url.map((to): Page => ({ html: `<meta http-equiv=refresh content='0;${to}'>` })),
    fc.constantFrom<Page>({ html: "end" }, { status: 500 }),
  );
  const verdict = fc.constantFrom<CheckAnswer["verdict"]>(
    "safe",
    "safe",
    "safe",
    "unsafe",
    "unsure",
  );
  let ended = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(page, page, page),
      fc.tuple(verdict, verdict, verdict),
      async (all, says) => {
        const pages = Object.fromEntries(hosts.map((host, i) => [`http://${host}/`, all[i]!]));
        const asked: string[] = [];
        const check = (given: string) => {
          asked.push(given);
          return { verdict: says[hosts.indexOf(new URL(given).host)]! };
        };
        const { verdict: result, reason, hops, requested } = await follow(pages, { check });
        expect(new Set(requested).size).toBe(requested.length);
        for (const each of requested) {
          expect(asked).toContain(each);
          expect(check(each).verdict).toBe("safe");
        }
        expect(reason === null).toBe(result !== "unsure");
        if (result === "unsafe") expect(hops.at(-1)!.verdict).toBe("unsafe");
        if (result === "safe") {
          expect(pages[hops.at(-1)!.url!]).toEqual({ html: "end" });
          ended++;
        }
      },
    ),
    { numRuns: sampleSize(2000, 200) },
  );
  expect(ended).toBeGreaterThan(0);
});

describe("pages take time linear in their length", () => {
  test.each([
    ["tags", "<svg><desc>"],
    ["attributes", "<meta a=b http-equiv=refresh "],
    ["one attribute", "&amp"],
    ["an unfinished tag", ' x="'],
    ["an unfinished comment", "<!--"],
  ])("%s", async (_name, part) => {
    const finder = await import("../src/follow/request-hop.ts");
    expectLinearGrowth(
      (html: string) => finder.refreshFinder().push(html, true),
      (length) => `<meta content="${part.repeat(length / part.length)}`,
    );
  });
});
