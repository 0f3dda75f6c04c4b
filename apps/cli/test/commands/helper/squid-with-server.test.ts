import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, expect, test } from "vitest";
import { run } from "../../run.ts";

const folder = temporaryFolder();
let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

type Answer = (urls: readonly string[], request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server that answers lookups, and returns its address. */
async function serve(answer: Answer): Promise<string> {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    answer((JSON.parse(body) as { urls: string[] }).urls, request, response);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the answer of a server that has evil.example on its list. */
function verdicts(urls: readonly string[]): string {
  const verdict = (url: string): object => {
    if (url.includes("//[")) return { url, error: { code: "host-invalid", message: "no" } };
    const listed = url.includes("evil.example");
    const match = { list: "malware", expression: "evil.example/", reading: "both" };
    return { url, listed, matches: listed ? [match] : [] };
  };
  return JSON.stringify({ verdicts: urls.map(verdict) });
}

const LINES =
  "1 http://evil.example/%2561 -\n2 http://good.example/ -\n3 http://[/ -\n4 evil.example:443 -\n";

test("asks POST /lookup, with the URLs as they are, and the key from a file", async () => {
  const requests: unknown[] = [];
  const origin = await serve((urls, { method, url, headers }, response) => {
    requests.push([method, url, headers["content-type"], headers["x-goog-api-key"], urls]);
    response.end(verdicts(urls));
  });
  const key = folder.write("key", "  secret-key\n");
  // Squid never sends an unescaped "[", but the server decides what a URL is.
  const ran = await run(["helper", "squid", "--server", origin, "--key-file", key], {
    stdin: LINES,
  });
  expect(ran).toEqual({
    status: 0,
    stdout: `1 OK tag=listed message="evil.example/ is on malware"
2 ERR
3 OK tag=unreadable message="no verdict: no site can have this host (host-invalid)"
4 OK tag=listed message="evil.example/ is on malware"
`,
    stderr: "",
  });
  const urls = [
    "http://evil.example/%2561",
    "http://good.example/",
    "http://[/",
    "https://evil.example/",
  ];
  expect(requests).toEqual([["POST", "/lookup", "application/json", "secret-key", urls]]);
});

test("takes the key from the environment, and keeps the path of the server", async () => {
  const requests: unknown[] = [];
  const origin = await serve((urls, { url, headers }, response) => {
    requests.push([url, headers["x-goog-api-key"]]);
    response.end(verdicts(urls));
  });
  const env = { URLHASH_SERVER_KEY: "k" };
  await run(["helper", "squid", "--server", `${origin}/lists`], { stdin: LINES, env });
  expect(requests).toEqual([["/lists/lookup", "k"]]);
});

test("asks about a thousand URLs at a time", async () => {
  const sizes: number[] = [];
  const origin = await serve((urls, _, response) => {
    sizes.push(urls.length);
    response.end(verdicts(urls));
  });
  const stdin = Array.from({ length: 2500 }, (_, i) => `${i} http://a.example/${i} -\n`).join("");
  const ran = await run(["helper", "squid", "--server", origin], { stdin });
  expect(ran.stdout.match(/^\d+ ERR$/gm)).toHaveLength(2500);
  expect(sizes).toEqual([1000, 1000, 500]);
});

test.each<[string, Answer, string]>([
  ["an error", (_, __, response) => response.writeHead(503).end("{}"), "its status is 503"],
  ["a refusal", (_, __, response) => response.writeHead(403).end("{}"), "its status is 403"],
  ["no JSON", (_, __, response) => response.end("<html>"), "its answer is not JSON"],
  ["another JSON", (_, __, response) => response.end("[]"), "its answer is not a list of verdicts"],
  ["null", (_, __, response) => response.end("null"), "its answer is not a list of verdicts"],
  [
    "too few verdicts",
    (urls, _, response) => response.end(verdicts(urls.slice(1))),
    "its answer is not a list of verdicts",
  ],
  [
    "verdicts that are none",
    (urls, _, response) => response.end(JSON.stringify({ verdicts: urls.map(() => ({})) })),
    "its answer is not a list of verdicts",
  ],
  [
    "a redirect",
    (_, __, response) => response.writeHead(302, { Location: "/elsewhere" }).end(),
    "unexpected redirect",
  ],
  ["a cut answer", (_, { socket }) => socket.destroy(), "other side closed"],
  [
    "an endless answer",
    (_, __, response) => {
      const more = (): void => {
        while (response.write(" ".repeat(65_536)));
        response.once("drain", more);
      };
      more();
    },
    "its answer is too long",
  ],
  ["no answer", () => {}, "no answer in time"],
])("checks nothing while the server gives %s", { tags: "deep" }, async (_, answer, problem) => {
  const origin = await serve(answer);
  const timeout = problem === "no answer in time" ? "1s" : "1m";
  const argv = ["helper", "squid", "--server", origin, "--timeout", timeout];
  const stdin = [LINES, LINES].map((text) => Buffer.from(text));
  const ran = await run(argv, { stdin });
  const each = [1, 2, 3, 4].map((i) => `${i} BH message="the list server does not answer"\n`);
  expect(ran.stdout).toBe([...each, ...each].join(""));
  expect(ran.stderr).toBe(`urlhash: ${origin}: ${problem}: no URLs are checked in the meantime\n`);
});

test("says when the server answers again", async () => {
  let count = 0;
  const origin = await serve((urls, _, response) => {
    if (count++ === 0) response.writeHead(500).end();
    else response.end(verdicts(urls));
  });
  const stdin = [1, 1001].map((start) =>
    Buffer.from(
      Array.from({ length: 1000 }, (_, i) => `${start + i} http://evil.example/ -\n`).join(""),
    ),
  );
  const ran = await run(["helper", "squid", "--server", origin, "--tag-unchecked"], { stdin });
  expect(ran.stdout.match(/ OK tag=unchecked /g)).toHaveLength(1000);
  expect(ran.stdout.match(/ OK tag=listed /g)).toHaveLength(1000);
  expect(ran.stderr).toBe(
    `urlhash: ${origin}: its status is 500: no URLs are checked in the meantime\nurlhash: ${origin} answers again\n`,
  );
});
