import dns from "node:dns";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isSameServer } from "@x/list-store/transport";
import { loopbackProxy } from "@x/test-support/loopback-proxy";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { conditional, type Feed, newFeed } from "../support/feed.ts";
import { newOperator, type Operator } from "../support/operator.ts";

/** The addresses that the resolver returns for a host, one for each lookup. */
const addresses = new Map<string, string[]>();
const resolve = dns.lookup;
type Done = (error: Error | null, found: readonly dns.LookupAddress[]) => void;
const fakeLookup = ((...args: [host: string, options: object, done: Done]) => {
  const [host, , done] = args;
  const given = addresses.get(host);
  if (given === undefined) return Reflect.apply(resolve, dns, args);
  const address = given.length > 1 ? given.shift()! : given[0]!;
  return done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
}) as typeof dns.lookup;

let operator: Operator;
let feed: Feed;
beforeEach(async () => {
  vi.spyOn(dns, "lookup").mockImplementation(fakeLookup);
  operator = await newOperator();
  feed = await newFeed();
});
afterEach(async () => {
  await feed.close();
  operator.remove();
  addresses.clear();
  vi.restoreAllMocks();
});

const LIST = "http://a.example/\nhttp://b.example/\n";
const publish = (...args: string[]) => operator.publish(`malware=${feed.url}`, ...args);
const copies = () => {
  const folder = join(operator.path, "lists.fetched");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};
const header = (name: string) => feed.requests.map(({ headers }) => headers[name]);

/** Expects that the received contents are refused with a message, and that the copy and the list stay as they are. */
async function expectRefused(sentence: RegExp, ...args: string[]): Promise<void> {
  const before = copies().map((file) => readFileSync(file, "latin1"));
  const { status, stdout, stderr } = await publish(...args);
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: "malware: unchanged at version 1, 2 entries\n",
  });
  expect(stderr).toMatch(sentence);
  expect(stderr).toMatch(/; the last good copy, of 20\S+Z, stays in use\n/);
  expect(copies().map((file) => readFileSync(file, "latin1"))).toEqual(before);
  expect(await operator.log("malware")).toHaveLength(1);
}

describe("a source that is a URL", () => {
  test("is published, and fetched again only if it has changed", { tags: "deep" }, async () => {
    feed.answer(conditional(LIST, '"1"'));
    expect((await publish()).stdout).toMatch(/version 1, 2 entries/);
    expect(await publish()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/version 1/),
    });
    expect(header("if-none-match")).toEqual([undefined, '"1"']);
    feed.answer(conditional(`${LIST}http://c.example/\n`, '"2"'));
    expect((await publish()).stdout).toMatch(/version 2, 3 entries/);
  });

  test("is asked for by its modification time, and by whatever it calls its entity tag", async () => {
    const time = "Wed, 21 Oct 2015 07:28:00 GMT";
    feed.send(LIST, { "last-modified": time, etag: "no-quotes \u00e9" });
    await publish();
    await publish();
    expect(header("if-modified-since")).toEqual([undefined, time]);
    expect(header("if-none-match")).toEqual([undefined, "no-quotes \u00e9"]);
  });

  test("is read again when its contents change under the same entity tag", async () => {
    feed.send(LIST, { etag: '"1"' });
    await publish();
    feed.send("http://c.example/\n", { etag: '"1"' });
    expect((await publish()).stdout).toMatch(/version 2, 1 entry/);
  });

  test("is fetched as a whole once a day, and when the clock has gone back", {
    tags: "deep",
  }, async () => {
    feed.answer(conditional(LIST, '"1"'));
    const before = Date.now();
    await publish();
    const now = Date.now();
    const clock = vi.spyOn(Date, "now");
    for (const hours of [12, 25, 13]) {
      clock.mockReturnValue(now + hours * 3_600_000);
      await publish("--dry-run");
    }
    clock.mockReturnValue(before - 1000);
    await publish("--dry-run");
    clock.mockRestore();
    expect(header("if-none-match")).toEqual([undefined, '"1"', undefined, '"1"', undefined]);
  });

  test("is kept where only its owner can read it", async () => {
    feed.send(LIST);
    await publish();
    expect(copies()).toHaveLength(1);
    expect(statSync(join(operator.path, "lists.fetched")).mode & 0o777).toBe(0o700);
    expect(statSync(copies()[0]!).mode & 0o777).toBe(0o600);
  });

  test("can be mixed with files, and be in several lists", async () => {
    operator.write("more.txt", "http://c.example/");
    feed.send(LIST);
    const { stdout } = await publish("malware=more.txt", `intranet=${feed.url}`);
    expect(stdout).toMatch(/malware: version 1, 3 entries/);
    expect(stdout).toMatch(/intranet: version 1, 2 entries/);
    expect(feed.requests).toHaveLength(1);
  });

  test("works with --input and --dry-run, which keeps nothing", async () => {
    feed.send("0.0.0.0 a.example\n");
    const { status, stdout } = await publish("--dry-run", "--input", "hosts");
    expect(status).toBe(0);
    expect(stdout).toMatch(/would be version 1, 1 entry/);
    expect(copies()).toEqual([]);
  });

  test.each([
    ["Content-Encoding", "/urls.txt", { "content-encoding": "gzip" }, gzipSync(LIST)],
    ["a file", "/urls.txt.gz", {}, gzipSync(LIST)],
    ["both", "/urls.txt.gz", { "content-encoding": "gzip" }, gzipSync(gzipSync(LIST))],
    [
      "two members",
      "/urls.gz",
      {},
      Buffer.concat([gzipSync(LIST), gzipSync("http://c.example/\n")]),
    ],
  ])("is unpacked: gzip as %s", async (_, path, headers, body) => {
    feed.send(body, headers as Record<string, string>);
    const url = feed.url.replace("/urls.txt", path);
    expect((await operator.publish(`malware=${url}`)).stdout).toMatch(/version 1, [23] entries/);
  });

  test("may begin with a byte order mark", async () => {
    feed.send(`\ufeff${LIST}`);
    expect((await publish()).stdout).toMatch(/version 1, 2 entries/);
  });
});

describe("what came is refused, and the last good copy stays:", () => {
  beforeEach(async () => {
    feed.send(LIST, { etag: '"1"' });
    await publish();
  });

  test.each([
    ["a web page", "<!doctype html><title>Just a moment...</title>", /HTML/i],
    ["nothing", "", /sent an empty file;/],
    ["blank lines", "\n\n", /no entries|empty/],
    ["an error in plain text", "Service temporarily unavailable\n", /in no known format/],
    [
      "a line that is no entry",
      `${"http://a.example/\n".repeat(9)}http://a b.example/\n`,
      /:10: .* was refused/,
    ],
    ["UTF-16", Buffer.from(`\ufeff${LIST}`, "utf16le"), /UTF-16/],
    [
      "a list cut in its last line",
      "http://a.example/\nhttp://b.exa",
      /ends in the middle of a line/,
    ],
  ])("%s", async (_, body, sentence) => {
    feed.send(body);
    await expectRefused(sentence);
  });

  test("a web page with --input and --skip-bad", { tags: "deep" }, async () => {
    feed.send("<!doctype html>\n<title>Sorry</title>\n<p>a.example</p>\n");
    await expectRefused(/HTML|refused/i, "--input", "urls", "--set", "skip-bad=true");
  });

  test("a body that ends before its length", async () => {
    feed.answer((_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write(LIST, () => response.destroy());
    });
    await expectRefused(/the connection was cut/);
  });

  test("gzip that was cut, and gzip that is damaged", { tags: "deep" }, async () => {
    const packed = gzipSync(LIST);
    feed.send(packed.subarray(0, packed.length - 9), { "content-encoding": "gzip" });
    await expectRefused(/was cut short: its gzip data ends early/);
    const damaged = Uint8Array.from(packed, (byte, i) =>
      i === packed.length - 6 ? byte ^ 1 : byte,
    );
    feed.send(damaged);
    await expectRefused(/sent damaged gzip data/);
    const second = gzipSync("http://c.example/\n");
    second[0] = 0;
    feed.send(Buffer.concat([gzipSync(LIST), second]));
    await expectRefused(/sent damaged gzip data/);
    // The second part is sent in a separate piece.
    feed.answer((_, response) => {
      response.write(gzipSync(LIST), () => setImmediate(() => response.end(second)));
    });
    await expectRefused(/sent damaged gzip data/);
  });

  test("an encoding that was not asked for", { tags: "deep" }, async () => {
    feed.send(LIST, { "content-encoding": "br" });
    await expectRefused(/is encoded as "br"/);
  });

  test.each([404, 500, 206, 204])("status %i", { tags: "deep" }, async (status) => {
    feed.answer((_, response) => response.writeHead(status).end(status === 204 ? "" : LIST));
    await expectRefused(new RegExp(`answered ${status} `));
  });

  test("an endless body, and an endless one in gzip", { tags: "deep" }, async () => {
    feed.answer((_, response) => {
      const line = Buffer.from("http://a.example/\n".repeat(4096));
      const more = () => {
        while (!response.destroyed && response.write(line));
        if (!response.destroyed) response.once("drain", more);
      };
      response.writeHead(200);
      more();
    });
    await expectRefused(/is larger than 1MB \(fetch\.size\)/, "--set", "fetch.size=1MB");
    feed.send(gzipSync(Buffer.alloc(50_000_000, "\n")), { "content-encoding": "gzip" });
    await expectRefused(/is larger than 1MB/, "--set", "fetch.size=1MB");
    feed.send(gzipSync(gzipSync(Buffer.alloc(50_000_000, "\n"))), { "content-encoding": "gzip" });
    await expectRefused(/is larger than 1MB/, "--set", "fetch.size=1MB");
  });

  test("a body that comes one byte at a time, and one that never begins", {
    tags: "deep",
  }, async () => {
    feed.answer((_, response) => {
      const timer = setInterval(() => response.write("\n"), 50);
      response.once("close", () => clearInterval(timer));
    });
    await expectRefused(/took longer than 1 second \(fetch\.time\)/, "--set", "fetch.time=1s");
    feed.answer(() => {});
    await expectRefused(/took longer than 1 second/, "--set", "fetch.time=1s");
  });

  test.each([
    ["garbage", "SSH-2.0-OpenSSH_9.2\r\n", /could not be fetched: Parse Error/],
    ["nothing", "", /the connection was cut/],
    [
      "another protocol",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      /closed the connection without an answer/,
    ],
    [
      "two lengths",
      `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n${LIST}`,
      /Parse Error/,
    ],
    [
      "a length and pieces",
      `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${LIST}`,
      /Parse Error/,
    ],
    [
      "a piece that was cut",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n${LIST}`,
      /the connection was cut/,
    ],
    [
      "a last piece that is missing",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n24\r\n${LIST}\r\n`,
      /the connection was cut/,
    ],
    [
      "endless headers",
      `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}\r\n`,
      /Parse Error: Header overflow/,
    ],
  ])("a server that answers with %s", { tags: "deep" }, async (_, answer, sentence) => {
    feed.answer(({ socket }) => void socket.end(answer));
    await expectRefused(sentence);
  });

  test("a server that answers only that it goes on", { tags: "deep" }, async () => {
    feed.answer(({ socket }) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
      socket.once("close", () => clearInterval(timer));
    });
    await expectRefused(/took longer than 1 second/, "--set", "fetch.time=1s");
  });

  test("a server that is away", { tags: "deep" }, async () => {
    await feed.close();
    await expectRefused(/could not be fetched: port \d+ of \S+ refuses connections/);
    feed = await newFeed();
  });
});

test.each([
  ["the column of dates", ["column: host, date-column: other"], "2026-11-01"],
  ["the second of two columns", ["column: host", "column: other"], "c.example"],
])("a table without %s is refused, and the other sources go on", async (_, ways, value) => {
  const sources = ways.map((way) => `{source: ${feed.url}, where: all, ${way}}`);
  const table = (column: string) => feed.send(`host,${column}\na.example,${value}\n`);
  operator.write("urlhash-server.yaml", `lists: {malware: {sources: [${sources}, more.txt]}}`);
  operator.write("more.txt", "http://b.example/");
  table("other");
  const first = await operator.publish();
  expect(first.stdout).toMatch(/version 1/);
  table("another");
  operator.write("more.txt", "http://b.example/", "http://d.example/");
  const { stdout, stderr } = await operator.publish();
  expect(stdout).toMatch(/version 2/);
  expect(stderr).toMatch(/the last good copy, of 20\S+Z, stays in use/);
});

test("an answer that nothing has changed, to a request that did not ask, is refused", async () => {
  feed.answer((_, response) => response.writeHead(304).end());
  const { status, stderr } = await publish();
  expect(status).toBe(1);
  expect(stderr).toMatch(/although it was not asked; there is no good copy of it yet/);
});

test("a list that ends in the middle of a line is published when the operator removes the copy", {
  tags: "deep",
}, async () => {
  feed.send(LIST);
  await publish();
  feed.send("http://c.example/");
  const [, file] = /remove (\S+);/.exec((await publish()).stderr) ?? [];
  expect(copies()).toEqual([file]);
  rmSync(file!);
  expect((await publish()).stdout).toMatch(/version 2, 1 entry/);
});

describe("redirects", () => {
  const redirect = (location: string, status = 302) =>
    feed.answer((request, response) => {
      if (request.url === "/urls.txt") response.writeHead(status, { location }).end();
      else response.end(LIST);
    });

  test.each([301, 302, 303, 307, 308])(
    "on the same server are followed: %i",
    { tags: "deep" },
    async (status) => {
      redirect("/other.txt", status);
      expect((await publish()).stdout).toMatch(/version 1/);
    },
  );

  test("send the entity tag only to the URL that gave it", { tags: "deep" }, async () => {
    let to = "/1.txt";
    feed.answer((request, response) => {
      if (request.url === "/urls.txt") response.writeHead(302, { location: to }).end();
      else response.writeHead(200, { etag: '"1"' }).end(LIST);
    });
    await publish();
    await publish();
    to = "/2.txt";
    await publish();
    const sent = [undefined, undefined, undefined, '"1"', undefined, undefined];
    expect(header("if-none-match")).toEqual(sent);
  });

  test.each([
    [
      "http://other.example/",
      /redirects to http:\/\/other\.example\/, another host; .*add other\.example to fetch\.redirects-to/,
    ],
    ["http://localhost/", /another host/],
    ["http://127.0.0.1:1/", /another port/],
    ["file:///etc/passwd", /redirects to "file:", which is not fetched/],
    ["data:text/plain,http://a.example/", /redirects to "data:"/],
    ["http://[", /something that is not a URL/],
    ["/urls.txt", /redirects more than 5 times/],
  ])("to %s are refused", async (location, sentence) => {
    redirect(location);
    const { status, stderr } = await publish();
    expect(status).toBe(1);
    expect(stderr).toMatch(sentence);
  });

  test("to a host that is allowed are followed, without the credentials", {
    tags: "deep",
  }, async () => {
    const other = await newFeed();
    other.send(LIST);
    addresses.set("cdn.example", ["127.0.0.1"]);
    feed.answer((_, response) =>
      response.writeHead(302, { location: `http://x:y@cdn.example:${other.port}/` }).end(),
    );
    const url = feed.url.replace("//", "//user:secret@");
    const run = (...args: string[]) =>
      operator.publish(`malware=${url}`, "--set", "fetch.redirects-to=cdn.example", ...args);
    expect((await run()).stderr).toMatch(
      /because cdn\.example has the private address 127\.0\.0\.1/,
    );
    expect((await run("--set", "fetch.private-hosts=CDN.example")).stdout).toMatch(/version 1/);
    expect(header("authorization")[0]).toBe(`Basic ${btoa("user:secret")}`);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await other.close();
  });
});

describe("addresses", () => {
  const url = () => `http://feed.example:${feed.port}/urls.txt`;
  beforeEach(() => feed.send(LIST));

  // The tests of @x/links have all kinds of private addresses.
  test.each(["127.0.0.1", "169.254.169.254", "::ffff:a00:1", "fe80::1%lo"])(
    "%s is not connected to, unless the host is allowed",
    async (address) => {
      addresses.set("feed.example", [address]);
      const { status, stderr } = await operator.publish(`malware=${url()}`);
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /feed\.example has the private address \S+; .*add feed\.example to fetch\.private-hosts/,
      );
      expect(feed.requests).toEqual([]);
    },
  );

  test("a host that is allowed may have a private address", { tags: "deep" }, async () => {
    addresses.set("feed.example", ["127.0.0.1"]);
    operator.write(
      "urlhash-server.yaml",
      "fetch: { private-hosts: [intranet.example, feed.example] }",
    );
    expect((await operator.publish(`malware=${url()}`)).stdout).toMatch(/version 1/);
  });

  test("a host is looked up once, so it cannot get another address after the check", {
    tags: "deep",
  }, async () => {
    addresses.set("feed.example", ["127.0.0.1", "10.0.0.1"]);
    await operator.publish(`malware=${url()}`, "--set", "fetch.private-hosts=feed.example");
    expect(feed.requests).toHaveLength(1);
    expect(addresses.get("feed.example")).toEqual(["10.0.0.1"]);
  });

  test("localhost needs no permission, but only for this machine", { tags: "deep" }, async () => {
    const local = `malware=http://localhost:${feed.port}/urls.txt`;
    addresses.set("localhost", ["10.0.0.1"]);
    expect((await operator.publish(local)).stderr).toMatch(/localhost has the private address/);
    addresses.set("localhost", ["127.0.0.1"]);
    expect((await operator.publish(local)).stdout).toMatch(/version 1/);
  });
});

describe("the last good copy", () => {
  test("is checked when it is read, and says what to do when it is damaged", {
    tags: "deep",
  }, async () => {
    feed.answer(conditional(LIST, '"1"'));
    await publish();
    const [file] = copies();
    const text = readFileSync(file!, "utf8");
    writeFileSync(file!, text.replace("b.example", "c.example"));
    const { status, stdout, stderr } = await publish();
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe(
      `urlhash-server: The copy ${file} of a source is damaged: remove it, so that the source is fetched again\n`,
    );
    rmSync(file!);
    expect((await publish()).stdout).toMatch(/unchanged at version 1, 2 entries/);
  });

  test.each(["null", "7", "{}", '{"bytes":38}', "[]", "", '"'])(
    "is fetched again when its first line is %j",
    { tags: "deep" },
    async (line) => {
      feed.answer(conditional(LIST, '"1"'));
      await publish();
      const [file] = copies();
      const text = readFileSync(file!, "utf8");
      writeFileSync(file!, `${line.padEnd(4095)}\n${text.slice(4096)}`);
      expect(await publish()).toMatchObject({ status: 0, stderr: "" });
      expect(header("if-none-match")).toEqual([undefined, undefined]);
      expect(JSON.parse(readFileSync(file!, "utf8").slice(0, 4096))).toMatchObject({ bytes: 36 });
    },
  );
});

test.each([
  ["http://a.example/x", "http://a.example/y", true],
  ["http://a.example/", "https://a.example/", true],
  ["https://a.example:8443/", "https://a.example:8443/", true],
  ["http://a.example/", "https://a.example:8443/", false],
  ["http://a.example:8080/", "https://a.example/", false],
  ["http://a.example:8080/", "https://a.example:8080/", false],
  ["https://a.example/", "http://a.example/", false],
  ["http://a.example/", "https://b.example/", false],
])("credentials for %s are sent to %s: %s", (named, url, expected) => {
  expect(isSameServer(new URL(named), new URL(url))).toBe(expected);
});

describe("credentials", () => {
  test("and the values of a query are never printed, and only the server gets them", {
    tags: "deep",
  }, async () => {
    feed.answer((_, response) => response.writeHead(401).end());
    const url = feed.url.replace("//", "//us%20er:s3cret%C3%A9@");
    const seen: string[] = [];
    const run = async (source: string, ...args: string[]) => {
      const { stdout, stderr } = await operator.publish(source, "--set", "metrics=m.prom", ...args);
      seen.push(stdout, stderr, operator.read("m.prom"));
    };
    await run(`malware=${url}?token=t0ken&t0ken#t0ken`);
    expect(header("authorization")).toEqual([
      `Basic ${Buffer.from("us er:s3creté").toString("base64")}`,
    ]);
    expect(feed.requests[0]!.url).toBe("/urls.txt?token=t0ken&t0ken");
    feed.send(LIST);
    await run(`malware=${url}?token=t0ken`);
    feed.send("not a list\n");
    await run(`malware=${url}?token=t0ken`);
    expect(seen.join("")).toContain("/urls.txt?token=…");
    for (const file of copies()) seen.push(file, readFileSync(file, "utf8"));
    for (const bad of [
      "http://u:s3cret@[/",
      "ftp://u:s3cret@a/",
      "http://u:s3cret%zz@a.example/",
      "https:/u:s3cret@a.example/",
      "https:u:s3cret@a.example/",
      "HTTP:///u:s3cret@a.example/",
    ]) {
      const { status, stdout, stderr } = await operator.publish(`malware=${bad}`);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(/A source of malware is not a URL with http or https, such as /);
      seen.push(stderr);
    }
    for (const bad of [
      `${url}?x=1`,
      `=${url}`,
      "https:/u:s3cret@a.example/?x=1",
      "malware:https://u:s3cret@a.example/",
      "malware:https://u:s3cret@a.example/?x=1",
    ]) {
      const { status, stderr } = await operator.publish(bad);
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringMatching(/^urlhash-server: Expected NAME=SOURCE, such as /),
      });
      seen.push(stderr);
    }
    expect(seen.join("")).not.toMatch(/s3cret|t0ken/);
  });
});

test("the metrics say which source is not the newest", { tags: "deep" }, async () => {
  feed.send(LIST);
  await publish("--set", "metrics=m.prom");
  expect(operator.read("m.prom")).toContain(
    `urlhash_publish_source_failed{list="malware",source="${feed.url}"} 0\n`,
  );
  feed.send("");
  await publish("--set", "metrics=m.prom");
  expect(operator.read("m.prom")).toContain(
    `urlhash_publish_source_failed{list="malware",source="${feed.url}"} 1\n`,
  );
  expect(operator.read("m.prom")).toMatch(/source_checked_timestamp_seconds\{.*\} \d{10}\n/);
});

test("the metrics have one sample for sources that are shown alike, with the worst of them", {
  tags: "deep",
}, async () => {
  feed.send(LIST);
  const both = (...args: string[]) =>
    operator.publish(`malware=${feed.url}?list=a`, `malware=${feed.url}?list=b`, ...args);
  const samples = () => operator.read("m.prom").match(/^urlhash_publish_source_\w+\{.*/gm);
  const labels = `{list="malware",source="${feed.url}?list=…"}`;
  await both("--set", "metrics=m.prom");
  expect(samples()).toEqual([
    `urlhash_publish_source_failed${labels} 0`,
    expect.stringContaining(`urlhash_publish_source_checked_timestamp_seconds${labels} `),
  ]);
  // The first of the two requests fails.
  feed.answer((request, response) =>
    response.writeHead(request.url!.endsWith("a") ? 500 : 200).end(LIST),
  );
  await both("--set", "metrics=m.prom");
  expect(samples()?.[0]).toBe(`urlhash_publish_source_failed${labels} 1`);
});

test.each([
  ["--set", "fetch.every=0s"],
  ["--set", "fetch.every=999d"],
  ["--set", "fetch.time=0s"],
  ["--set", "fetch.size=10"],
  ["--set", "fetch.size=0MB"],
  ["--set", "fetch.private-hosts=http://a/"],
  ["--set", "fetch.redirects-to=[a,,b]"],
])("%s %s is refused", async (option, value) => {
  const { status, stderr } = await publish(option, value);
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(option) });
});

describe("a proxy in the environment", () => {
  const source = "http://feed.invalid/urls.txt";
  let proxy: Awaited<ReturnType<typeof loopbackProxy>>;
  beforeEach(async () => {
    feed.send(LIST);
    proxy = await loopbackProxy(new URL(feed.url).host);
    vi.stubEnv("HTTP_PROXY", `http://${proxy.address}`);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    proxy.close();
  });

  test("sources are fetched through it, from hosts that only the proxy knows", {
    tags: "deep",
  }, async () => {
    const ran = await operator.publish(`malware=${source}`);
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/version 1, 2 entries/) });
    expect(proxy.asked).toEqual([`GET ${source}`]);
  });

  test("NO_PROXY leaves hosts out", { tags: "deep" }, async () => {
    vi.stubEnv("NO_PROXY", "127.0.0.1,localhost");
    expect(await publish()).toMatchObject({ status: 0 });
    expect(proxy.asked).toEqual([]);
  });

  test("a host that has a private address here is refused", async () => {
    addresses.set("feed.invalid", ["10.0.0.5"]);
    const { status, stderr } = await operator.publish(`malware=${source}`);
    expect(status).toBe(1);
    expect(stderr).toMatch(/feed\.invalid has the private address 10\.0\.0\.5/);
    expect(proxy.asked).toEqual([]);
  });
});
