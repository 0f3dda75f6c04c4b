import { describe, expect, test } from "vitest";
import { prefixesOf, prefixOfText } from "./support/fake-server.ts";
import { KEY, MINUTE, setUp } from "./support/set-up.ts";

describe("the local-list procedure", () => {
  test("a listed URL is unsafe, after a search for its prefix alone", async () => {
    const { client, server } = setUp();
    const { lists } = await client.update();
    expect(lists).toMatchObject([
      { name: "mw-4b", changed: true, added: 2, removed: 0, size: 2, error: null },
      { name: "se-4b", changed: true, added: 1, removed: 0, size: 1, error: null },
    ]);
    const verdict = await client.check("http://login.evil.example/a?b");
    expect(verdict).toMatchObject({
      verdict: "unsafe",
      confirmed: true,
      reason: null,
      local: "listed",
      matches: [
        { list: "mw-4b", threatTypes: ["MALWARE"], expression: "evil.example/", reading: "both" },
      ],
      expires: 1_000_000_000_000 + 5 * MINUTE,
    });
    expect(server.requests).toHaveLength(2);
    expect(prefixesOf(server.requests[1]!)).toEqual([prefixOfText("evil.example/")]);
  });

  test("a URL that is on no list is safe, and nothing leaves", async () => {
    const { client, server } = setUp();
    await client.update();
    expect(await client.check("http://good.example/")).toMatchObject({
      verdict: "safe",
      confirmed: true,
      local: "unlisted",
      matches: [],
    });
    expect(server.requests).toHaveLength(1);
  });

  test("answers are kept as long as the server says, positive and negative ones", async () => {
    const { client, server, clock } = setUp();
    await client.update();
    await client.check("http://evil.example/");
    await client.check("http://evil.example/");
    expect(server.requests).toHaveLength(2);
    expect(client.checkLocally("http://evil.example/").verdict).toBe("unsafe");
    clock.time += 6 * MINUTE;
    expect(client.checkLocally("http://evil.example/")).toMatchObject({
      verdict: "unsure",
      reason: "unconfirmed",
      local: "listed",
    });
    server.lists["mw-4b"]!.versions.push([]);
    expect((await client.check("http://evil.example/")).verdict).toBe("safe");
    expect((await client.check("http://evil.example/")).verdict).toBe("safe");
    expect(server.requests).toHaveLength(3);
  });

  test("before the first update, nothing is safe", async () => {
    const { client } = setUp();
    expect(await client.check("http://good.example/")).toMatchObject({
      verdict: "unsure",
      confirmed: false,
      reason: "not-loaded",
      local: null,
    });
    expect(client.checkLocally("http://good.example/").reason).toBe("not-loaded");
  });

  test("a server that cannot be asked leaves the verdict open", async () => {
    const { client, server } = setUp();
    await client.update();
    server.instead = () => {
      throw new TypeError(
        `failed to fetch https://lists.example/?key=${encodeURIComponent(KEY)} ${KEY}`,
      );
    };
    const verdict = await client.check("http://evil.example/");
    expect(verdict).toMatchObject({
      verdict: "unsure",
      confirmed: false,
      reason: "server-unreachable",
      local: "listed",
      matches: [{ list: "mw-4b", threatTypes: ["MALWARE"] }],
    });
    expect(String((verdict.error as Error).message)).not.toMatch(/s3cret/);
    expect(await client.check("http://good.example/")).toMatchObject({ verdict: "safe" });
  });

  test("onError: safe does what the published procedure does", async () => {
    const { client, server } = setUp({ onError: "safe" });
    await client.update();
    server.instead = () => new Response("", { status: 503 });
    expect(await client.check("http://evil.example/")).toMatchObject({
      verdict: "safe",
      confirmed: false,
      reason: "server-unreachable",
    });
  });
});

test("tokens are sent back, and differences applied", async () => {
  const { client, server } = setUp();
  await client.update();
  server.lists["mw-4b"]!.versions.push(["evil.example/", "new.example/"]);
  const { lists } = await client.update();
  expect(lists).toMatchObject([
    { name: "mw-4b", changed: true, added: 1, removed: 1, size: 2 },
    { name: "se-4b", changed: false, added: 0, removed: 0, size: 1 },
  ]);
  expect(server.requests[1]!.searchParams.getAll("version")).toHaveLength(2);
  expect((await client.check("http://new.example/")).verdict).toBe("unsafe");
});
