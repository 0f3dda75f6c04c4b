import { loopbackProxy } from "@x/test-support/loopback-proxy";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../run.ts";
import { type ListServer, startListServer } from "./list-server.ts";

const DISPATCHER = Symbol.for("undici.globalDispatcher.1");
const globals = globalThis as unknown as Record<symbol, unknown>;
const before = globals[DISPATCHER];
const folder = temporaryFolder();
let server: ListServer;
let proxy: Awaited<ReturnType<typeof loopbackProxy>>;
beforeEach(async () => {
  server = await startListServer();
  proxy = await loopbackProxy(new URL(server.url).host);
  vi.stubEnv("HTTP_PROXY", `http://${proxy.address}`);
});
afterEach(() => {
  globals[DISPATCHER] = before;
  vi.unstubAllEnvs();
  proxy.close();
  server.close();
});

const EVIL = "http://evil.example/";
const env = () => ({ HTTP_PROXY: process.env["HTTP_PROXY"]! });
const check = (url: string) => {
  const place = ["--server", url, "--lists", "mw-4b", "--database", folder.path("database")];
  return run(["check", ...place, EVIL], { env: env() });
};

test("a server is asked through the proxy that the environment names", async () => {
  expect(await check("http://lists.invalid")).toMatchObject({ status: 1, stderr: "" });
  expect(proxy.asked).toHaveLength(2);
  for (const line of proxy.asked) expect(line).toMatch(/^GET http:\/\/lists\.invalid\/v5\//);
});

test("a server in NO_PROXY is asked directly", async () => {
  vi.stubEnv("NO_PROXY", "127.0.0.1");
  expect(await check(server.url)).toMatchObject({ status: 1, stderr: "" });
  expect(proxy.asked).toEqual([]);
});

test("a proxy that is not an HTTP proxy is a failure, and its password is not shown", async () => {
  vi.stubEnv("HTTP_PROXY", "socks5://user:secret@127.0.0.1:1");
  const { status, stderr } = await run(["canon", "a.example"], { env: env() });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^urlhash: HTTP_PROXY, .* must be the URL of an HTTP proxy/);
  expect(stderr).not.toContain("secret");
});
