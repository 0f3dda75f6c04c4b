import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type InMemoryServer, serveInMemory } from "@x/server";
import { fullHash } from "@x/sha256-prefix";
import { build, defaultClientConditions, type Rollup } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openUrl, useBrowser } from "./open-page.ts";

/* A page that asks a server of another origin. The test is in this app, because it has the browser. */

/** The page's copy of `@x/client`. */
declare const client: typeof import("../../../../packages/client/src/index.ts");

const PAGE = `<!doctype html><link rel=icon href=data:,>
<script type=module>import * as client from "/client.js"; globalThis.client = client</script>`;

const CLIENT = fileURLToPath(new URL("../../../../packages/client/src/index.ts", import.meta.url));

let lists: InMemoryServer;
let site: Server;
let url = "";

/** `@x/client` as one script for browsers. */
async function bundledClient(): Promise<string> {
  const [built] = (await build({
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["@x/source", ...defaultClientConditions] },
    build: {
      write: false,
      target: "es2022",
      lib: { entry: CLIENT, formats: ["es"] },
      rollupOptions: { output: { codeSplitting: false } },
    },
  })) as Rollup.RollupOutput[];
  return built!.output[0].code;
}

useBrowser();
beforeAll(async () => {
  const script = await bundledClient();
  lists = await serveInMemory({ lists: { malware: [fullHash("evil.example/")] }, port: 0 });
  site = createServer((request, response) => {
    const isScript = request.url === "/client.js";
    response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await lists.stop();
});

test.each(["hash-prefixes", "urls"] as const)("createLookup sends %s", async (sends) => {
  const { page, requests } = await openUrl(url);
  const verdicts = await page.evaluate(
    async ({ server, sends }) => {
      const { check } = client.createLookup({ server, sends });
      const asked = ["http://evil.example/x", "http://good.example/"].map((each) => check(each));
      return (await Promise.all(asked)).map(({ verdict, reason }) => [verdict, reason]);
    },
    { server: lists.origin, sends },
  );
  expect(verdicts).toEqual([
    ["unsafe", null],
    ["safe", null],
  ]);
  expect(requests.some((each) => each.startsWith(lists.origin))).toBe(true);
});

test.each([
  ["v5", "mw-4b"],
  ["v4", "MALWARE"],
  ["web-risk", "MALWARE"],
] as const)("createClient keeps a list over %s, and confirms matches", async (protocol, list) => {
  const { page } = await openUrl(url);
  const found = await page.evaluate(
    async ({ server, protocol, list }) => {
      const kept = client.createClient({ protocol, server, lists: [list], key: "a key" });
      const { lists } = await kept.update();
      const { verdict, confirmed } = await kept.check("http://evil.example/x");
      return { size: lists[0]!.size, verdict, confirmed };
    },
    { server: lists.origin, protocol, list },
  );
  expect(found).toEqual({ size: 1, verdict: "unsafe", confirmed: true });
});

test("fetch may send a key in its header and JSON, and read errors", async () => {
  const { page, troubles } = await openUrl(url);
  const answers = await page.evaluate(async (server) => {
    const body = JSON.stringify({ urls: ["http://evil.example/"] });
    const json = { "Content-Type": "application/json" };
    const lookUp = (headers: Record<string, string>) =>
      fetch(`${server}/lookup`, { method: "POST", headers, body });
    const answers = [
      await lookUp(json),
      await lookUp({ ...json, "X-Goog-Api-Key": "unknown" }),
      await fetch(`${server}/v5/hashes:search?alt=json`, { headers: { "X-Goog-Api-Key": "x" } }),
      await fetch(`${server}/nothing`),
    ];
    return Promise.all(answers.map(async (each) => [each.status, await each.text()]));
  }, lists.origin);
  expect(answers).toMatchObject([
    [200, expect.stringContaining('"listed":true')],
    [400, expect.stringContaining("opens no list")],
    [400, expect.stringContaining("hashPrefixes")],
    [404, expect.any(String)],
  ]);
  // The browser reports statuses other than 200 on the console.
  expect(troubles.every((each) => /status of 40[04]/.test(each))).toBe(true);
  troubles.length = 0;
});
