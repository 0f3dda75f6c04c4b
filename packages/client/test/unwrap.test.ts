import { type ClientVerdict, createLookup } from "@x/client";
import { unwrapLink } from "@x/links/unwrap";
import { describe, expect, test } from "vitest";
import { fakeServer } from "./support/fake-server.ts";
import { START } from "./support/set-up.ts";

const wrapped = (url: string) => `https://l.facebook.com/l.php?u=${encodeURIComponent(url)}`;

function setUp() {
  const server = fakeServer({ "mw-4b": { versions: [["evil.example/"]] } });
  const { check, checkMany } = createLookup({
    server: "https://lists.example",
    fetch: server.fetch,
    now: () => START,
    random: () => 0.5,
  });
  return { server, check, checkMany };
}

describe("with unwrap", () => {
  test("a listed URL inside makes a URL unsafe, and the match says through what", async () => {
    const { check, server } = setUp();
    const url = wrapped("http://evil.example/a");
    expect((await check(url)).verdict).toBe("safe");
    const verdict = await check(url, { unwrap: unwrapLink });
    expect(verdict).toMatchObject({ url, verdict: "unsafe", confirmed: true, reason: null });
    expect(verdict.matches).toMatchObject([
      { expression: "evil.example/", inner: { url: "http://evil.example/a", wrapper: "Facebook" } },
    ]);
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  test.each([
    ["http://good.example/", "safe", null],
    ["http://evil.example/", "unsafe", null],
    [wrapped("http://good.example/"), "safe", null],
    [wrapped("http://ev\u{2065}il.example/"), "unsure", "url-undecided"],
    ["http://good.example/?u=http://a_%20b.example/", "safe", null],
    ["view-source:http://evil.example/", "unsafe", null],
    ["view-source:http://good.example/", "unsure", "url-invalid"],
    [`http://good.example/?${"u=http://a.example/".repeat(9000)}`, "unsure", "unwrap-limit"],
  ])("%.60s", async (url, expected, because) => {
    const { check } = setUp();
    const { verdict, reason, confirmed } = await check(url, { unwrap: unwrapLink });
    expect([verdict, reason]).toEqual([expected, because]);
    expect(confirmed).toBe(because === null);
  });

  test("many at once, in order", async () => {
    const { checkMany } = setUp();
    const urls = [wrapped("http://evil.example/"), "http://good.example/", "http://evil.example/"];
    const verdicts: ClientVerdict[] = [];
    for await (const verdict of checkMany(urls, { unwrap: unwrapLink })) verdicts.push(verdict);
    expect(verdicts.map(({ url }) => url)).toEqual(urls);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["unsafe", "safe", "unsafe"]);
    expect(verdicts.map(({ matches }) => matches[0]?.inner?.url)).toEqual([
      "http://evil.example/",
      undefined,
      undefined,
    ]);
  });

  test("anything but a function is a TypeError", async () => {
    const { check, checkMany } = setUp();
    // @ts-expect-error
    await expect(check("http://a.example/", { unwrap: true })).rejects.toThrow("unwrap must be");
    // @ts-expect-error
    await expect(checkMany(["http://a.example/"], { unwrap: 1 }).next()).rejects.toThrow(TypeError);
  });
});
