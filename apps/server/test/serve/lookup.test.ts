import { memoryStorage, type Signer, type Storage } from "@x/list-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  hashesOf,
  newSigner,
  publisher,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { openStream, postLookUp, readStream, rowsOf } from "../support/lookup-server.ts";

const KEY = "a-key";
let signer: Signer;
let storage: Storage;
let server: LoggedServer;

beforeAll(async () => {
  signer = await newSigner();
  storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["evil.example/", "evil.example/bad/", "both.example/"]);
  await publish("phishing", ["phish.example/", "both.example/"]);
  await publish("intranet", ["inside.example/"]);
  await publish("high-confidence-allowlist", ["good.example/"]);
  server = await startLoggedServer(storage, signer, {
    keys: `${hashApiKey(KEY)} intranet`,
    poll: 20,
  });
});
afterAll(() => server.stop());

const match = (list: string, expression: string, reading = "both") => ({
  list,
  expression,
  reading,
});
const status = async (query: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(`${server.origin}/lookup/status${query}`, { headers })).status;
const urlQuery = (url: string) => `?url=${encodeURIComponent(url)}`;

describe("POST /lookup with JSON", () => {
  test("gives one verdict for each URL, in their order", async () => {
    const urls = ["http://evil.example/bad/x", "good.example", "mailto:x", "https://both.example/"];
    const { status, body } = await postLookUp(server, { urls });
    expect(status).toBe(200);
    expect(body).toEqual({
      verdicts: [
        {
          url: urls[0],
          listed: true,
          matches: [match("malware", "evil.example/"), match("malware", "evil.example/bad/")],
        },
        { url: urls[1], listed: false, matches: [] },
        {
          url: urls[2],
          error: { code: "authority-missing", message: expect.stringContaining('"mailto:x"') },
        },
        {
          url: urls[3],
          listed: true,
          matches: [match("malware", "both.example/"), match("phishing", "both.example/")],
        },
      ],
    });
  });

  test("reads each URL as the specification and as browsers do", async () => {
    const { body } = await postLookUp(server, {
      urls: ["http://evil.example\\@good.example/", "http://good.example\\@evil.example/"],
    });
    expect(body.verdicts.map(({ matches }: { matches: unknown[] }) => matches)).toEqual([
      [match("malware", "evil.example/", "browser")],
      [match("malware", "evil.example/", "specification")],
    ]);
  });

  test("searches only the lists that are named", async () => {
    const urls = ["http://both.example/", "http://evil.example/"];
    const { body } = await postLookUp(server, { urls }, { query: "?lists=phishing" });
    expect(body.verdicts).toEqual([
      { url: urls[0], listed: true, matches: [match("phishing", "both.example/")] },
      { url: urls[1], listed: false, matches: [] },
    ]);
    const two = await postLookUp(server, { urls }, { query: "?lists=phishing,malware" });
    expect(two.body.verdicts[1].listed).toBe(true);
  });

  test("never searches a list of safe sites", async () => {
    const { body } = await postLookUp(server, { urls: ["http://good.example/"] });
    expect(body.verdicts[0]).toMatchObject({ listed: false, matches: [] });
    const named = "?lists=malware,high-confidence-allowlist";
    expect((await postLookUp(server, { urls: ["b.c"] }, { query: named })).status).toBe(400);
  });

  test("searches a private list only for its key, which must be right", async () => {
    const urls = ["http://inside.example/"];
    const listed = async (query: string, headers = {}) => {
      const { status, body } = await postLookUp(server, { urls }, { query, headers });
      return status === 200 ? body.verdicts[0].listed : status;
    };
    expect(await listed("")).toBe(false);
    expect(await listed(`?key=${KEY}`)).toBe(true);
    expect(await listed("", { "X-Goog-Api-Key": KEY })).toBe(true);
    expect(await listed(`?key=${KEY}&lists=intranet`)).toBe(true);
    expect(await listed("?lists=intranet")).toBe(400);
    expect(await listed("?key=another")).toBe(400);
  });

  test("is for nobody else", async () => {
    const { headers } = await postLookUp(server, { urls: ["http://evil.example/"] });
    expect(headers.get("cache-control")).toBe("private, no-store");
  });

  test("answers no URLs with no verdicts", async () => {
    expect((await postLookUp(server, { urls: [] })).body).toEqual({ verdicts: [] });
  });

  test("follows additions and removals", async () => {
    const publish = publisher(storage, signer);
    const listed = async (url: string) =>
      (await postLookUp(server, { urls: [url] })).body.verdicts[0].listed;
    await publish("changing", ["first.example/"]);
    await expect.poll(() => listed("http://first.example/")).toBe(true);
    await publish("changing", ["second.example/"]);
    await expect.poll(() => listed("http://second.example/")).toBe(true);
    expect(await listed("http://first.example/")).toBe(false);
  });
});

describe("a host that cannot be decided", () => {
  /** If browsers drop U+2065 in the future, they open evil.example here. */
  const undecided = ["http://ev\u2065il.example/", "http://good.example\\@ev%E2%81%A5il.example"];
  /** By the specification, the host is evil.example, whatever browsers do with U+2065. */
  const listed = "http://a\u2065\\@evil.example/";
  const isError = {
    error: { code: "host-undecided", message: expect.stringContaining("there is no verdict") },
  };

  test("is an error in a list of URLs, unless a reading is listed", async () => {
    const urls = ["http://good.example/", ...undecided, listed];
    const { status, body } = await postLookUp(server, { urls });
    expect(status).toBe(200);
    expect(body.verdicts).toEqual([
      { url: urls[0], listed: false, matches: [] },
      ...undecided.map((url) => ({ url, ...isError })),
      {
        url: listed,
        listed: true,
        matches: [match("malware", "evil.example/", "specification")],
      },
    ]);
  });

  test.each(["text/plain", "application/x-ndjson"])("is an error in rows: %s", async (type) => {
    const sent = openStream(server, type);
    const rows = undecided.map((url) => (type === "text/plain" ? url : JSON.stringify({ url })));
    sent.end(`${rows.join("\n")}\n`);
    const { status, text } = await readStream(sent);
    expect(status).toBe(200);
    expect(rowsOf(text)).toEqual(undecided.map((url) => ({ url, ...isError })));
  });

  test("is never a status of 200", async () => {
    for (const url of undecided) {
      expect(await status(urlQuery(url))).toBe(400);
      expect(await status("", { "X-Original-URL": encodeURI(url) })).toBe(400);
    }
    expect(await status(urlQuery(listed))).toBe(403);
  });

  test("is an error when what is listed is on a list that was not asked", async () => {
    const query = "?lists=phishing";
    const { body } = await postLookUp(server, { urls: [listed] }, { query });
    expect(body.verdicts).toEqual([{ url: listed, ...isError }]);
  });
});

describe("a host that no site can have", () => {
  const odd = ['http://evil.example"', "http://evil.example&sp", "http__evil.example/path"];
  const isError = {
    error: { code: "host-invalid", message: expect.stringContaining("do not treat it as safe") },
  };

  test("is an error, and never a status of 200", async () => {
    const { status: code, body } = await postLookUp(server, { urls: odd });
    expect(code).toBe(200);
    expect(body.verdicts).toEqual(odd.map((url) => ({ url, ...isError })));
    for (const url of odd) expect(await status(urlQuery(url))).toBe(400);
  });
});

describe("GET /lookup/status", () => {
  test.each([
    ["a listed URL", "http://evil.example/x", 403],
    ["one that is not listed", "http://good.example/x?a=b&c=d#e", 200],
    ["one that only browsers open at a listed host", "http://evil.example\\@good.example/", 403],
    ["text that is not a URL", "mailto:x", 400],
    ["nothing", "", 400],
  ])("%s, in the query and in the header", async (_, url, expected) => {
    expect(await status(urlQuery(url))).toBe(expected);
    expect(await status("", { "X-Original-URL": url })).toBe(expected);
  });

  test("answers HEAD, too", async () => {
    const target = `${server.origin}/lookup/status${urlQuery("http://evil.example/")}`;
    expect((await fetch(target, { method: "HEAD" })).status).toBe(403);
  });

  test("takes the header as bytes", async () => {
    const publish = publisher(storage, signer);
    await publish("bytes", ["good.example/%E9"]);
    await expect
      .poll(() => status("?lists=bytes", { "X-Original-URL": "http://good.example/\u00e9" }))
      .toBe(403);
  });

  test("refuses no URL and two different ones", async () => {
    const good = "http://good.example/";
    const evil = "http://evil.example/";
    expect(await status("")).toBe(400);
    expect(await status(urlQuery(good), { "X-Original-URL": evil })).toBe(400);
    expect(await status(`${urlQuery(good)}&url=${encodeURIComponent(evil)}`)).toBe(400);
    expect(await status(urlQuery(good), { "X-Original-URL": good })).toBe(200);
  });

  test("refuses a URL whose query was not escaped", async () => {
    expect(await status("?url=http://good.example/?a=b&c=d")).toBe(400);
  });

  test("never answers 403 for a wrong list or key", async () => {
    expect(await status(`${urlQuery("http://good.example/")}&lists=nothing`)).toBe(400);
    expect(await status(`${urlQuery("http://good.example/")}&key=wrong`)).toBe(400);
  });
});

describe("streams", () => {
  const text = "http://evil.example/\n\nmailto:x\r\nhttp://good.example/\nboth.example";

  test("text: one row for each line, including blank ones", async () => {
    const sent = openStream(server, "text/plain; charset=utf-8");
    // The text is sent in pieces of one character.
    for (const character of text) sent.write(character);
    sent.end();
    const answer = await readStream(sent);
    expect(answer).toMatchObject({ status: 200, isWhole: true });
    expect(rowsOf(answer.text)).toEqual([
      { url: "http://evil.example/", listed: true, matches: [match("malware", "evil.example/")] },
      { url: null, error: { code: "line-blank", message: expect.any(String) } },
      { url: "mailto:x", error: { code: "authority-missing", message: expect.any(String) } },
      { url: "http://good.example/", listed: false, matches: [] },
      {
        url: "both.example",
        listed: true,
        matches: [
          match("malware", "both.example/", "both"),
          match("phishing", "both.example/", "both"),
        ],
      },
    ]);
  });

  test("NDJSON: one row for each line, also for those that are not rows", async () => {
    const lines = [
      '{"url": "http://evil.example/"}',
      '"http://evil.example/"',
      '{"url": 1}',
      '{"url": "http://good.example/", "id": 1}',
      "",
      "{",
      "null",
      '{"url": "http://good.example/\\n\\ud800"}',
      '{"url": "http://good.example/"}',
    ];
    const sent = openStream(server, "application/x-ndjson", "?lists=malware");
    sent.end(lines.join("\n"));
    const rows = rowsOf((await readStream(sent)).text);
    expect(rows.map(({ url, listed, error }) => [url, listed ?? error.code])).toEqual([
      ["http://evil.example/", true],
      [null, "row-malformed"],
      [null, "row-malformed"],
      [null, "row-malformed"],
      [null, "line-blank"],
      [null, "row-malformed"],
      [null, "row-malformed"],
      ["http://good.example/\n\ud800", expect.anything()],
      ["http://good.example/", false],
    ]);
  });

  test("say of a line of text what it looks like, unless it is listed", async () => {
    const lines = [
      "0.0.0.0 evil.example",
      "||evil.example^",
      "2026-01-01,http://evil.example/,phishing",
      '{"url":"http://evil.example/"}',
      "http://evil.example/ and more",
      "http://good.example/a b",
      "good.example",
    ];
    const sent = openStream(server, "text/plain");
    sent.end(lines.join("\n"));
    const rows = rowsOf((await readStream(sent)).text);
    expect(rows.map(({ url }) => url)).toEqual(lines);
    expect(rows.map(({ listed, error }) => listed ?? error.code)).toEqual([
      "hosts-line",
      "adblock-rule",
      "comma-separated",
      "json-line",
      true,
      false,
      false,
    ]);
    expect(rows[0].error.message).toBe("Expected a URL. This looks like a line of a hosts file.");
  });

  test("say of a row or a value what it looks like, unless it is listed", async () => {
    const urls = [
      "evilDOTexample",
      "h@@p://evil.example/",
      "http://evil-dot-example/",
      "httpx://good.example/",
      String.raw`evil\u002eexample`,
      "0.0.0.0 evil.example",
      "http://good.example/ http://evil.example/",
      "http://evil.example/<b>",
      "http://good.example/<b>",
    ];
    const expected = [
      "defanged",
      "defanged",
      "defanged",
      "defanged",
      "defanged",
      "host-invalid",
      "url-unclear",
      true,
      false,
    ];
    const sent = openStream(server, "application/x-ndjson");
    sent.end(urls.map((url) => JSON.stringify({ url })).join("\n"));
    const rows = rowsOf((await readStream(sent)).text);
    const { body } = await postLookUp(server, { urls });
    for (const verdicts of [rows, body.verdicts]) {
      expect(verdicts.map(({ url }: { url: string }) => url)).toEqual(urls);
      expect(
        verdicts.map(({ listed, error }: (typeof rows)[number]) => listed ?? error.code),
      ).toEqual(expected);
    }
  });

  test("answer each row as soon as it is there", async () => {
    const sent = openStream(server, "text/plain");
    const answers: string[] = [];
    sent.on("response", (response) => response.on("data", (piece) => answers.push(String(piece))));
    for (const url of ["http://evil.example/", "http://good.example/"]) {
      const before = answers.length;
      sent.write(`${url}\n`);
      await expect.poll(() => answers.length).toBe(before + 1);
      expect(JSON.parse(answers.at(-1)!).url).toBe(url);
    }
    sent.end();
  });

  test("200 000 rows, and others are answered meanwhile", { tags: "deep" }, async () => {
    const count = 200_000;
    const sent = openStream(server, "text/plain");
    let isOver = false;
    const received = readStream(sent).finally(() => {
      isOver = true;
    });
    const rows = Array.from({ length: count }, (_, i) =>
      i % 1000 === 0 ? `http://evil.example/${i}` : `http://host${i}.example/`,
    );
    sent.end(rows.join("\n"));
    expect((await postLookUp(server, { urls: ["http://evil.example/"] })).status).toBe(200);
    expect(isOver).toBe(false);
    const { text, isWhole } = await received;
    expect(isWhole).toBe(true);
    const answers = rowsOf(text);
    expect(answers.length).toBe(count);
    expect(answers.every(({ url }, i) => url === rows[i])).toBe(true);
    expect(answers.filter(({ listed }) => listed).length).toBe(count / 1000);
  });

  test("a body that is empty has no rows", async () => {
    const sent = openStream(server, "application/x-ndjson");
    sent.end();
    expect(await readStream(sent)).toEqual({ status: 200, text: "", isWhole: true });
  });
});

describe("a list that may not be served", () => {
  const answers = async (other: LoggedServer, query = "", url = "http://good.example/") => {
    const sent = openStream(other, "text/plain", query);
    const streamed = readStream(sent);
    sent.end(`${url}\n`);
    const target = `${other.origin}/lookup/status?url=${encodeURIComponent(url)}&${query.slice(1)}`;
    return [
      (await postLookUp(other, { urls: [url] }, { query })).status,
      (await streamed).status,
      (await fetch(target)).status,
    ];
  };

  test("is 503 everywhere, unless it is not searched or another list has the URL", async () => {
    const now = Date.now() - 90_000;
    const own = memoryStorage();
    await publisher(own, signer)("malware", ["evil.example/"]);
    await publisher(own, signer)("old", ["evil.example/"], { lifetime: 60_000, now: () => now });
    const other = await startLoggedServer(own, signer, { poll: 20 });
    // A stream gets 200 because later rows may have verdicts.
    expect(await answers(other)).toEqual([503, 200, 503]);
    expect(await answers(other, "?lists=old")).toEqual([503, 503, 503]);
    expect(await answers(other, "?lists=malware")).toEqual([200, 200, 200]);
    const evil = "http://evil.example/";
    expect(await answers(other, "", evil)).toEqual([200, 200, 403]);
    expect((await postLookUp(other, { urls: [evil, "mailto:x"] })).status).toBe(200);
    expect((await postLookUp(other, { urls: ["mailto:x", "http://good.example/"] })).status).toBe(
      503,
    );
    await other.stop();
  });

  test("takes no verdict away from URLs that it does not matter for", async () => {
    const now = Date.now() - 90_000;
    const own = memoryStorage();
    await publisher(own, signer)("malware", ["evil.example/"]);
    await publisher(own, signer)("old", ["past.example/"], { lifetime: 60_000, now: () => now });
    const other = await startLoggedServer(own, signer, { poll: 20 });
    const urls = ["http://evil.example/", "http://good.example/", "mailto:x"];
    const { status, body } = await postLookUp(other, { urls });
    expect(status).toBe(200);
    const rows = [
      { url: urls[0], listed: true },
      { url: urls[1], error: { code: "list-unavailable", list: "old" } },
      { url: urls[2], error: { code: "authority-missing" } },
    ];
    expect(body.verdicts).toMatchObject(rows);
    const sent = openStream(other, "text/plain");
    const received = readStream(sent);
    sent.end(`${urls.join("\n")}\n`);
    const { text, isWhole } = await received;
    expect(isWhole).toBe(true);
    expect(rowsOf(text)).toMatchObject(rows);
    const metrics = await (await fetch(`${other.origin}/metrics`)).text();
    expect(metrics).toMatch(/\{verdict="list-unavailable"\} 2\n/);
    await other.stop();
  });

  test("no list at all is 503, too", async () => {
    const other = await startLoggedServer(memoryStorage(), signer, { poll: 20 });
    expect(await answers(other)).toEqual([503, 503, 503]);
    await other.stop();
  });

  /** A store whose full hashes are damaged. */
  async function damagedStore(): Promise<Storage> {
    const own = memoryStorage();
    await publisher(own, signer)("malware", ["evil.example/"]);
    return {
      ...own,
      async get(key) {
        const bytes = await own.get(key);
        // Only shards consist of full hashes and nothing else.
        const isShard = bytes !== null && Buffer.from(bytes).equals(hashesOf(["evil.example/"]));
        return isShard ? Buffer.alloc(32) : bytes;
      },
    };
  }

  test("full hashes that cannot be read are 503", async () => {
    const other = await startLoggedServer(await damagedStore(), signer, { poll: 20 });
    expect((await postLookUp(other, { urls: ["http://good.example/"] })).status).toBe(200);
    expect((await postLookUp(other, { urls: ["http://evil.example/"] })).status).toBe(503);
    await other.stop();
  });

  test("full hashes that cannot be read take no verdict away from other URLs", async () => {
    const other = await startLoggedServer(await damagedStore(), signer, { poll: 20 });
    const urls = ["http://good.example/", "http://evil.example/", "http://fine.example/"];
    const rows = [
      { url: urls[0], listed: false },
      { url: urls[1], error: { code: "list-unavailable", list: "malware" } },
      { url: urls[2], listed: false },
    ];
    expect((await postLookUp(other, { urls })).body.verdicts).toMatchObject(rows);
    const sent = openStream(other, "text/plain");
    const received = readStream(sent);
    sent.end(`${urls.join("\n")}\n`);
    expect(rowsOf((await received).text)).toMatchObject(rows);
    await other.stop();
  });
});

test("what was looked up is counted, and never logged", async () => {
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  for (const verdict of ["listed", "not-listed", "not-a-url"]) {
    expect(metrics).toMatch(
      new RegExp(`urlhash_looked_up_urls_total\\{verdict="${verdict}"\\} [1-9]`),
    );
  }
  for (const route of ["lookup", "lookup.stream", "lookup.status"]) {
    expect(server.log()).toContain(`"route":"${route}"`);
  }
  expect(server.log()).not.toContain(".example");
});
