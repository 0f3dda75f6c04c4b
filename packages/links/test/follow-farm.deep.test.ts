import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type FollowedLink, followLink } from "@x/links/follow";
import { publicFetch } from "@x/links/node";
import { type FarmServer, farmServer, rawServer, tableLookup } from "@x/test-support/redirect-farm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

const CHUNK = Buffer.alloc(2 ** 16, "x");
const GIGABYTE = 2 ** 30;
let sent = 0;

/** Sends a body of any size, as fast as the client takes it. */
function sendMany(response: ServerResponse, bytes: number): void {
  if (response.destroyed || bytes <= 0) {
    response.end();
    return;
  }
  sent += CHUNK.length;
  if (response.write(CHUNK)) setImmediate(sendMany, response, bytes - CHUNK.length);
  else response.once("drain", () => sendMany(response, bytes - CHUNK.length));
}

let farm: FarmServer;
let forbidden: FarmServer;
const closers: (() => void)[] = [];
const bomb = gzipSync(Buffer.alloc(2 ** 26));

beforeAll(async () => {
  farm = await farmServer((url, response, port) => {
    const here = `http://farm.test:${port}`;
    const { pathname, searchParams } = url;
    const redirect = (to: string, status = 302) => {
      // Node.js writes each character of a header as one byte.
      const location = Buffer.from(to).toString("latin1");
      response.writeHead(status, { location, "set-cookie": "a=b; Path=/" }).end("x");
    };
    const page = (html: string | Uint8Array, headers: Record<string, string> = {}) =>
      response.writeHead(200, { "content-type": "text/html", ...headers }).end(html);
    if (pathname === "/to") return redirect(searchParams.get("url")!);
    if (pathname === "/end") return page("<p>end");
    if (pathname === "/loop/a") return redirect("/loop/b#1");
    if (pathname === "/loop/b") return redirect("/loop/a#2");
    if (pathname.startsWith("/hop/")) {
      const left = Number(pathname.slice("/hop/".length));
      return left === 0
        ? page("<p>end")
        : redirect(`/hop/${left - 1}`, [301, 303, 307, 308][left % 4]);
    }
    if (pathname === "/refresh") {
      return response.writeHead(200, { refresh: `0; url=${here}/end` }).end("x");
    }
    if (pathname === "/meta") return page(`<meta http-equiv=Refresh content="1;URL='/end'">`);
    if (pathname === "/drip") {
      response.writeHead(200, { "content-type": "text/html" });
      const timer = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(timer));
      return;
    }
    if (pathname === "/silent") return;
    if (pathname === "/huge") {
      response.writeHead(200, { "content-type": "text/html" });
      return sendMany(response, GIGABYTE);
    }
    if (pathname === "/huge-redirect") {
      response.writeHead(302, { location: "/end" });
      return sendMany(response, GIGABYTE);
    }
    if (pathname === "/huge-file") {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      return sendMany(response, GIGABYTE);
    }
    if (pathname === "/bomb") return page(bomb, { "content-encoding": "gzip" });
    if (pathname === "/bomb2") {
      return page(brotliCompressSync(gzipSync(bomb)), { "content-encoding": "gzip, gzip, br" });
    }
    if (pathname === "/unknown-coding") return page("<p>x", { "content-encoding": "x-secret" });
    if (pathname === "/half") {
      response.writeHead(200, { "content-type": "text/html", "content-length": "100" });
      response.write("<p>x");
      return setImmediate(() => response.destroy());
    }
    response.writeHead(404, { "content-type": "text/html" }).end("<p>not here");
  });
  forbidden = await farmServer((_, response) => response.end("secret"));
});

afterAll(() => {
  farm.close();
  forbidden.close();
  for (const close of closers) close();
});

beforeEach(() => {
  farm.received.length = 0;
  sent = 0;
});

/** Follows a link from the farm, with only the farm's endpoint allowed. */
async function follow(
  link: string,
  options: Partial<Parameters<typeof followLink>[1]> = {},
  table: Parameters<typeof tableLookup>[0] = { "farm.test": [["127.0.0.1"]] },
  ports: readonly number[] = [farm.port],
): Promise<
  FollowedLink & { readonly asked: readonly string[]; readonly checked: readonly string[] }
> {
  const checked: string[] = [];
  const { lookup, asked } = tableLookup(table);
  const allowEndpoints = ports.map((port) => ({ address: "127.0.0.1", port }));
  const { fetch, close } = publicFetch({ allowEndpoints, lookup });
  const check = (url: string) => {
    checked.push(url);
    return { verdict: "safe" as const };
  };
  try {
    return { ...(await followLink(link, { fetch, check, ...options })), asked, checked };
  } finally {
    await close();
  }
}

const at = (path: string) => `http://farm.test:${farm.port}${path}`;
const to = (url: string) => at(`/to?url=${encodeURIComponent(url)}`);

describe("a chain", () => {
  test.each(["/end", "/to?url=/end", "/refresh", "/meta"])("that ends: %s", async (path) => {
    const { verdict, reason, hops, checked } = await follow(at(path));
    expect([verdict, reason]).toEqual(["safe", null]);
    expect(hops.at(-1)).toMatchObject({ url: at("/end"), status: 200, verdict: "safe" });
    expect(checked).toEqual(hops.map(({ url }) => url));
    expect(farm.received).toHaveLength(hops.length);
  });

  test("that loops", async () => {
    const { verdict, reason, hops } = await follow(at("/loop/a"));
    expect([verdict, reason]).toEqual(["unsure", "loop"]);
    expect(hops.map(({ status }) => status)).toEqual([302, 302, null]);
    expect(farm.received).toHaveLength(2);
  });

  test("of 1 000 hops", async () => {
    const { verdict, reason } = await follow(at("/hop/1000"));
    expect([verdict, reason]).toEqual(["unsure", "hops"]);
    expect(farm.received).toHaveLength(21);
    const long = await follow(at("/hop/200"), { maxHops: 200 });
    expect([long.verdict, long.hops.length]).toEqual(["safe", 201]);
  });

  test("whose last server answers with an error", async () => {
    const { verdict, reason } = await follow(to("/missing"));
    expect([verdict, reason]).toEqual(["unsure", "status"]);
  });

  test("that ends in the middle of a page", async () => {
    const { verdict, reason } = await follow(at("/half"));
    expect([verdict, reason]).toEqual(["unsure", "request-failed"]);
  });
});

describe("limits", () => {
  test.each(["/drip", "/silent"])("of time: %s", async (path) => {
    const { verdict, reason } = await follow(at(path), { timeout: 150 });
    expect([verdict, reason]).toEqual(["unsure", "time"]);
  });

  test("of time, for a check that never answers", async () => {
    const check = () => new Promise<never>(() => {});
    const { verdict, reason, hops } = await follow(at("/end"), { check, timeout: 50 });
    expect([verdict, reason, hops.length]).toEqual(["unsure", "time", 1]);
    expect(farm.received).toEqual([]);
  });

  test.each(["/huge", "/bomb", "/bomb2"])("of bytes: %s", async (path) => {
    const { verdict, reason } = await follow(at(path));
    expect([verdict, reason]).toEqual(["unsure", "bytes"]);
    expect(sent).toBeLessThan(2 ** 26);
  });

  test.each(["/huge-redirect", "/huge-file"])(
    "bodies without a redirect are not read: %s",
    async (path) => {
      const { verdict } = await follow(at(path));
      expect(verdict).toBe("safe");
      expect(sent).toBeLessThan(2 ** 26);
    },
  );

  test("a coding that cannot be read", async () => {
    const { verdict, reason } = await follow(at("/unknown-coding"));
    expect([verdict, reason]).toEqual(["unsure", "encoding-unknown"]);
  });
});

describe("nothing is contacted that must not be", () => {
  /** Hosts that browsers read as 127.0.0.1. */
  const SPELLINGS = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7F.0.0.0x1",
    "0x7f.1",
    "017700000001",
    "0177.0.0.01",
    "１２７.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "0.0.0.0",
    "0",
    "[::]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[fe80::1]",
    "[fc00::1]",
    "[ff02::1]",
    "[::ffff:169.254.169.254]",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
  ];

  test.each(SPELLINGS)("by number: %s", async (host) => {
    const target = `http://${host}:${forbidden.port}/`;
    for (const link of [target, to(target)]) {
      const { verdict, reason, hops, asked } = await follow(link);
      expect([verdict, reason]).toEqual(["unsure", "address-refused"]);
      expect(hops.at(-1)!.status).toBeNull();
      expect(asked.filter((each) => each !== "farm.test")).toEqual([]);
    }
    expect(forbidden.received).toEqual([]);
  });

  test.each([
    ["127.0.0.1"],
    ["10.0.0.1", "::1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["fe80::1%lo"],
    ["not an address"],
    [],
  ])("by a name with the addresses %s", async (...addresses) => {
    const link = to(`http://private.test:${forbidden.port}/`);
    const table = { "farm.test": [["127.0.0.1"]], "private.test": [addresses] };
    const { verdict, reason } = await follow(link, {}, table);
    expect([verdict, reason]).toEqual(["unsure", "address-refused"]);
    expect(forbidden.received).toEqual([]);
  });

  test("by a name that has an allowed address first and a private one second", async () => {
    const table = { "farm.test": [["127.0.0.1"], ["127.0.0.2"]] };
    const { verdict, reason, hops, asked } = await follow(to("/end"), {}, table);
    expect([verdict, reason]).toEqual(["unsure", "address-refused"]);
    expect(hops.map(({ status }) => status)).toEqual([302, null]);
    expect(asked).toHaveLength(2);
  });

  test("by a name that has both: only the allowed address is used", async () => {
    const { verdict } = await follow(at("/end"), {}, { "farm.test": [["127.0.0.2", "127.0.0.1"]] });
    expect(verdict).toBe("safe");
  });

  test.each([
    "file:///etc/passwd",
    "ftp://farm.test/",
    "javascript:alert(1)",
    "data:text/html,<meta http-equiv=refresh content=0;url=//x>",
    "view-source:http://farm.test/",
    "ws://farm.test/",
    "about:blank",
    "mailto:a@b.example",
  ])("with another scheme: %s", async (url) => {
    const { verdict, reason, hops } = await follow(to(url));
    expect([verdict, reason]).toEqual(["unsure", "scheme-unsupported"]);
    expect(hops.at(-1)).toMatchObject({ written: url, verdict: null, status: null });
    expect(farm.received).toHaveLength(1);
  });

  test("that is listed", async () => {
    const listed = `http://evil.test:${forbidden.port}/`;
    const check = (url: string) => ({
      verdict: url === listed ? ("unsafe" as const) : ("safe" as const),
    });
    const { verdict, reason, hops, asked } = await follow(to(listed), { check });
    expect([verdict, reason]).toEqual(["unsafe", null]);
    expect(hops.at(-1)).toMatchObject({ url: listed, verdict: "unsafe", status: null });
    expect(asked).toEqual(["farm.test"]);
  });
});

describe("what is sent", () => {
  test("no cookies, no credentials, no referrer", async () => {
    const link = `http://user:secret@farm.test:${farm.port}/to?url=${encodeURIComponent(`http://user:secret@farm.test:${farm.port}/loop/a`)}`;
    const { hops } = await follow(link, { userAgent: "link-check" });
    expect(hops[0]!.url).toMatch(/^http:\/\/farm\.test:\d+\/to/);
    expect(hops[1]!.url).toBe(at("/loop/a"));
    expect(farm.received.length).toBeGreaterThan(2);
    for (const { headers } of farm.received) {
      expect(Object.keys(headers)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/cookie|authorization|referer/)]),
      );
      expect(headers["user-agent"]).toBe("link-check");
    }
  });

  test("no header from a Location", async () => {
    await follow(to("/end?%0d%0aX-Injected:%20yes"));
    await follow(to("/end?\u010d\u010aX-Injected: yes"));
    expect(farm.received).toHaveLength(4);
    for (const { headers } of farm.received) expect(headers).not.toHaveProperty("x-injected");
  });
});

describe("the bytes of a Location", () => {
  const answers = [
    ["UTF-8", Buffer.from("/é"), "/%C3%A9"],
    ["not UTF-8", Buffer.from([0x2f, 0xff, 0xfe]), "/%FF%FE"],
    ["a space and a quotation mark", Buffer.from('/a b"c'), "/a%20b%22c"],
    ["a tab", Buffer.from("/a\tb"), "/ab"],
    ["a backslash", Buffer.from("\\\\farm.test\\c"), null],
  ] as const;

  test.each(answers)("%s", async (_name, location, path) => {
    const { port, close } = await rawServer(
      Buffer.concat([
        Buffer.from("HTTP/1.1 302 Found\r\nLocation: "),
        location,
        Buffer.from("\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
      ]),
    );
    closers.push(close);
    const table = { "raw.test": [["127.0.0.1"]] };
    const { hops } = await follow(`http://raw.test:${port}/`, { maxHops: 0 }, table, [port]);
    const url = path === null ? "http://farm.test/c" : `http://raw.test:${port}${path}`;
    expect(hops.at(-1)).toMatchObject({ url, reason: "hops" });
  });

  test.each([
    Buffer.from([0x68, 0x74, 0x74, 0x70, 0x3a, 0x2f, 0x2f, 0xff, 0x2f]),
    Buffer.from("http://a b/"),
  ])("in a host that is not valid: %s", async (location) => {
    const head = Buffer.from("HTTP/1.1 301 Moved\r\nLocation: ");
    const end = Buffer.from("\r\nContent-Length: 0\r\n\r\n");
    const { port, close } = await rawServer(Buffer.concat([head, location, end]));
    closers.push(close);
    const table = { "raw.test": [["127.0.0.1"]] };
    const { verdict, reason, hops } = await follow(`http://raw.test:${port}/`, {}, table, [port]);
    expect([verdict, reason, hops.length]).toEqual(["unsure", "url-invalid", 2]);
  });
});

describe("publicFetch", () => {
  test.each(["localhost", "", "127.0.0.1:80", "0x7f.1"])("takes no names: %j", (address) => {
    expect(() => publicFetch({ allowEndpoints: [{ address, port: 80 }] })).toThrow(TypeError);
  });

  test.each([0, 65536, 1.5, Number.NaN])("takes only ports: %d", (port) => {
    expect(() => publicFetch({ allowEndpoints: [{ address: "127.0.0.1", port }] })).toThrow(
      RangeError,
    );
  });

  test("allows one port, not the whole address", async () => {
    const { fetch, close } = publicFetch({
      allowEndpoints: [{ address: "::ffff:127.0.0.1", port: farm.port }],
    });
    const request = {
      method: "GET",
      headers: {},
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(10_000),
    } as const;
    const { status } = await fetch(`http://127.0.0.1:${farm.port}/end`, request);
    expect(status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${forbidden.port}/`, request)).rejects.toThrow(
      "127.0.0.1 is not a public address",
    );
    await close();
  });
});
