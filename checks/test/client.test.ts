import { type Client, type ClientOptions, createClient } from "@x/client";
import { exactExpression } from "@x/expressions";
import { serveInMemory } from "@x/server";
import { fullHash } from "@x/sha256-prefix";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The client of `@x/client` against the server of `@x/server`. */

const LISTED = ["http://evil.example/", "http://bad.example/path/"];
let origin: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const malware = LISTED.map((url) => fullHash(exactExpression(url)));
  ({ origin, stop } = await serveInMemory({ lists: { malware }, port: 0 }));
});

afterAll(() => stop());

async function updated(procedure: ClientOptions["procedure"]): Promise<Client> {
  const lists = ["mw-4b", "gc-32b"];
  const client = createClient({ protocol: "v5", server: origin, lists, procedure });
  await client.update();
  return client;
}

describe.each(["local-list", "real-time"] as const)("%s", (procedure) => {
  test("finds what is listed, and nothing else", async () => {
    const client = await updated(procedure);
    const urls = [
      ...LISTED,
      "http://www.evil.example/a",
      "http://good.example/",
      "http://bad.example/",
    ];
    const verdicts: string[] = [];
    for await (const { verdict, confirmed } of client.checkMany(urls)) {
      expect(confirmed).toBe(true);
      verdicts.push(verdict);
    }
    expect(verdicts).toEqual(["unsafe", "unsafe", "unsafe", "safe", "safe"]);
    expect(await client.check(LISTED[0]!)).toMatchObject({
      verdict: "unsafe",
      matches: [{ threatTypes: ["MALWARE"], expression: "evil.example/" }],
    });
    await client.stop();
  });
});

test("a second update changes nothing", async () => {
  const client = await updated("local-list");
  const { lists } = await client.update();
  expect(lists).toMatchObject([
    { name: "mw-4b", changed: false, size: 2, error: null },
    { name: "gc-32b", changed: false, size: 0, error: { code: "list-unknown" } },
  ]);
});
