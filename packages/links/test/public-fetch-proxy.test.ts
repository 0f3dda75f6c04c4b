import { publicFetch } from "@x/links/node";
import { loopbackProxy } from "@x/test-support/loopback-proxy";
import { farmServer, tableLookup } from "@x/test-support/redirect-farm";
import { afterEach, expect, test, vi } from "vitest";

const closers: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) close();
});

const request = () =>
  ({
    method: "GET",
    headers: {},
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(10_000),
  }) as const;

test.each(["http_proxy", "ALL_PROXY"])(
  "requests go through the proxy in %s, which looks up names",
  async (variable) => {
    const farm = await farmServer((_, response) => response.end("x"));
    closers.push(() => farm.close());
    const proxy = await loopbackProxy(`127.0.0.1:${farm.port}`);
    closers.push(() => proxy.close());
    for (const name of ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]) {
      vi.stubEnv(name, name === variable ? `http://${proxy.address}` : undefined);
    }
    for (const name of ["no_proxy", "NO_PROXY"]) vi.stubEnv(name, "direct.test");
    const { lookup, asked } = tableLookup({ "direct.test": [["127.0.0.1"]] });
    const { fetch, close } = publicFetch({ lookup });
    closers.push(() => void close());

    expect((await fetch("http://name.test/a", request())).status).toBe(200);
    expect(proxy.asked).toEqual(["GET http://name.test/a"]);
    expect(asked).toEqual([]);

    // Addresses in URLs are refused without asking the proxy.
    const isRefused = expect.objectContaining({ code: "address-refused" });
    for (const host of [
      "127.0.0.1",
      "0x7f.1",
      "[::1]",
      "169.254.169.254",
      "localhost",
      "a.localhost.",
    ]) {
      await expect(fetch(`http://${host}/`, request())).rejects.toEqual(isRefused);
    }
    // Names that do not go through the proxy are looked up and checked.
    await expect(fetch(`http://direct.test:${farm.port}/`, request())).rejects.toMatchObject({
      cause: isRefused,
    });
    expect(asked).toEqual(["direct.test"]);
    expect(proxy.asked).toHaveLength(1);
    expect(farm.received.map(({ url }) => url)).toEqual(["/a"]);
  },
);

test("a variable that names no HTTP proxy is an error, and its password is not shown", async () => {
  vi.stubEnv("http_proxy", "socks5://user:secret@127.0.0.1:1");
  const { fetch, close } = publicFetch();
  closers.push(() => void close());
  const error = await fetch("http://name.test/", request()).catch((thrown: unknown) => thrown);
  const messages = [error, (error as Error).cause].map(String).join(" ");
  expect(messages).toMatch(/must be the URL of an HTTP proxy/);
  expect(messages).not.toContain("secret");
});
