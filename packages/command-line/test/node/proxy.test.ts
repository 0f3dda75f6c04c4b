import { type Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { namesProxy } from "@x/command-line/node";
import { proxyAgent, useProxies } from "@x/command-line/proxy";
import { type LoopbackProxy, loopbackProxy } from "@x/test-support/loopback-proxy";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

let site: string;
let server: Server;
let proxy: LoopbackProxy;

const before = getGlobalDispatcher();
beforeEach(async () => {
  for (const name of ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toUpperCase(), undefined);
  }
  server = createServer(({ url }, answer) => void answer.end(`site ${url}`));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  site = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await loopbackProxy(site);
});
afterEach(() => {
  setGlobalDispatcher(before);
  vi.unstubAllEnvs();
  proxy.close();
  server.closeAllConnections();
  server.close();
});

const fetchText = async (url: string) => (await fetch(url)).text();

function requestText(url: string): Promise<string> {
  const agent = (proxyAgent(new URL(url)) as Agent | null) ?? false;
  return new Promise((resolve, reject) => {
    request(url, { agent }, async (message) => {
      let text = "";
      for await (const piece of message) text += piece;
      resolve(text);
    })
      .on("error", reject)
      .end();
  });
}

test.each([
  ["HTTP_PROXY", "http://"],
  ["http_proxy", ""],
  ["ALL_PROXY", "http://"],
])("%s: fetch and requests go through the proxy", async (name, scheme) => {
  vi.stubEnv(name, `${scheme}${proxy.address}`);
  expect(namesProxy(process.env)).toBe(true);
  useProxies();
  const url = "http://lists.invalid/a?b";
  expect(await fetchText(url)).toBe("site /a?b");
  expect(await requestText(url)).toBe("site /a?b");
  expect(proxy.asked).toEqual([`GET ${url}`, `GET ${url}`]);
});

test("the credentials of the proxy are sent to it", async () => {
  vi.stubEnv("HTTP_PROXY", `http://user:p%40ss@${proxy.address}`);
  useProxies();
  await fetchText("http://lists.invalid/");
  await requestText("http://lists.invalid/");
  const basic = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
  expect(proxy.asked).toHaveLength(2);
  for (const line of proxy.asked) expect(line.endsWith(basic)).toBe(true);
});

test("https goes through a tunnel", async () => {
  vi.stubEnv("HTTPS_PROXY", proxy.address);
  useProxies();
  // The site behind the tunnel speaks no TLS.
  await expect(fetch("https://lists.invalid/")).rejects.toThrow();
  expect(proxy.asked).toEqual(["CONNECT lists.invalid:443"]);
});

test.each(["127.0.0.1", "*", "other.example,127.0.0.1"])("NO_PROXY=%s", async (none) => {
  vi.stubEnv("HTTP_PROXY", `http://${proxy.address}`);
  vi.stubEnv("NO_PROXY", none);
  useProxies();
  expect(await fetchText(`http://${site}/x`)).toBe("site /x");
  expect(await requestText(`http://${site}/y`)).toBe("site /y");
  expect(proxy.asked).toEqual([]);
});

test("without variables, nothing is named", () => {
  expect(namesProxy({ NO_PROXY: "a" })).toBe(false);
  expect(proxyAgent(new URL("http://lists.invalid/"))).toBeNull();
});

test.each(["socks5://user:secret@127.0.0.1:1", "http://user:secret@ x"])("refuses %s", (value) => {
  vi.stubEnv("HTTPS_PROXY", value);
  const message = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
    return "";
  };
  for (const run of [useProxies, () => proxyAgent(new URL("https://lists.invalid/"))]) {
    expect(message(run)).toMatch(/^Failure: HTTP_PROXY, .* must be the URL of an HTTP proxy/);
    expect(message(run)).not.toContain("secret");
  }
});
