import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { publicFetch } from "@x/links/node";
import { afterEach, expect, test, vi } from "vitest";
import { farmServer, tableLookup } from "./redirect-farm.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) close();
});

/** A proxy on this machine that connects every name to `port`, and remembers what it was asked for. */
async function startProxy(port: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, client) => {
    asked.push(request.url!);
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) socket.on("error", () => upstream.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  closers.push(() => proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

const request = () =>
  ({
    method: "GET",
    headers: {},
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(10_000),
  }) as const;

test("requests go through the proxy of the environment, which looks up names", async () => {
  const farm = await farmServer((_, response) => response.end("x"));
  closers.push(() => farm.close());
  const proxy = await startProxy(farm.port);
  for (const name of ["http_proxy", "HTTP_PROXY"]) vi.stubEnv(name, proxy.url);
  for (const name of ["no_proxy", "NO_PROXY"]) vi.stubEnv(name, "direct.test");
  const { lookup, asked } = tableLookup({ "direct.test": [["127.0.0.1"]] });
  const { fetch, close } = publicFetch({ lookup });
  closers.push(() => void close());

  expect((await fetch("http://name.test/a", request())).status).toBe(200);
  expect(proxy.asked).toEqual(["name.test:80"]);
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
});
