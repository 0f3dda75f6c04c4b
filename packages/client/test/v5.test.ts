import * as all from "@x/client";
import { type Client, createClient, type ListJob } from "@x/client";
import * as v5 from "@x/client/v5";
import { expect, test } from "vitest";
import { fakeServer } from "./support/fake-server.ts";

test("the client of v5 alone does what the one of all protocols does", async () => {
  const options = () => ({
    protocol: "v5" as const,
    server: "https://lists.example",
    lists: ["mw-4b"],
    fetch: fakeServer({ "mw-4b": { versions: [["evil.example/"]] } }).fetch,
    now: () => 1_000_000_000_000,
  });
  const verdicts = async (client: Client) => {
    const { lists } = await client.update();
    const checked = ["http://evil.example/", "http://good.example/"].map((url) =>
      client.check(url),
    );
    return [lists, await Promise.all(checked)];
  };
  expect(await verdicts(v5.createClient(options()))).toEqual(
    await verdicts(createClient(options())),
  );
});

test("the client of v5 alone has no other protocol", () => {
  const options = { protocol: "v4" as const, server: "https://lists.example", lists: ["MALWARE"] };
  expect(() => v5.createClient(options)).toThrow(TypeError);
  expect(() => v5.applyListJob({ protocol: "v4" } as ListJob)).toThrow(TypeError);
  expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(v5)));
});
