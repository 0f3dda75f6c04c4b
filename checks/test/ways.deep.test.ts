import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readUrl } from "@x/canon/readings";
import { main } from "@x/cli";
import { type ClientOptions, createClient, createLookup } from "@x/client";
import { exactExpression } from "@x/expressions";
import { foreignLine } from "@x/list-source";
import { generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
import { checker, type UrlVerdict } from "@x/lookup";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { serveInMemory } from "@x/server";
import { fullHash } from "@x/sha256-prefix";
import { record } from "@x/test-support/process-streams";
import { sampleSize } from "@x/test-support/sample-size";
import { words } from "@x/test-support/words";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { column, connect, makeTable } from "../../packages/duckdb/test/database.ts";

/*
 * All ways to check a URL read it alike: each gives the same answer, and none says "not listed" where another cannot.
 */

type Answer = "listed" | "not listed" | "error";
/** Gives one answer for each URL, in order. */
type Way = (urls: readonly string[]) => Promise<readonly Answer[]> | readonly Answer[];

const FULL_HASHES = ["http://evil.com/", "http://bad.example/path"].map((url) =>
  fullHash(exactExpression(url)),
);
const LIST = prefixList(FULL_HASHES, { name: "malware", prefixBytes: 32 });
const ways = new Map<string, Way>();
const stops: (() => unknown)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

const answerOf = ({ matches, error }: UrlVerdict<unknown>): Answer =>
  error !== null ? "error" : matches.length > 0 ? "listed" : "not listed";

/** Plain lines, so that the first odd lines do not make a whole file look like one of another format. */
const PLAIN: readonly string[] = Array.from({ length: 400 }, (_, i) => `http://good${i}.com/`);

/**
 * One URL per line. The ways that read lines have names that end in `LINES`, and are not asked about texts with line
 * ends.
 */
const linesOf = (urls: readonly string[]): string => [...PLAIN, ...urls].join("\n");
const LINES = ", lines";

/** Asks about one URL after the other. */
const each =
  (answer: (url: string) => Promise<Answer> | Answer): Way =>
  (urls) =>
    Promise.all(urls.map((url) => answer(url)));

beforeAll(async () => {
  const { origin, stop } = await serveInMemory({ lists: { malware: FULL_HASHES }, port: 0 });
  stops.push(stop);
  addCheckers();
  await addClients(origin);
  addServer(origin);
  await addCommand();
  await addDatabase();
});

function addCheckers(): void {
  for (const engine of ["webassembly", "javascript"] as const) {
    const { check, checkMany, scan } = checker(LIST, { engine });
    ways.set(`check, ${engine}`, (urls) =>
      urls.map((url) => {
        try {
          return check(url).length > 0 ? "listed" : "not listed";
        } catch {
          return "error";
        }
      }),
    );
    ways.set(`checkMany, ${engine}`, (urls) => [...checkMany(urls)].map(answerOf));
    ways.set(`scan, ${engine}${LINES}`, (urls) => {
      const lines = Buffer.from(linesOf(urls));
      return scan(lines, { all: true }).verdicts.slice(PLAIN.length).map(answerOf);
    });
  }
}

async function addClients(server: string): Promise<void> {
  const add = (
    name: string,
    { checkMany }: { checkMany(urls: readonly string[]): AsyncIterable<{ verdict: string }> },
  ) =>
    ways.set(name, async (urls) => {
      const answers: Answer[] = [];
      for await (const { verdict } of checkMany(urls)) {
        answers.push(verdict === "unsafe" ? "listed" : verdict === "safe" ? "not listed" : "error");
      }
      return answers;
    });
  for (const [protocol, list] of [
    ["v5", "mw-4b"],
    ["v4", "MALWARE"],
    ["web-risk", "MALWARE"],
  ] as const) {
    const client = createClient({ protocol, server, lists: [list] } as ClientOptions);
    stops.push(client.stop);
    await client.update();
    add(`a client of ${protocol}`, client);
  }
  const store = createClient(await storeOptions());
  stops.push(store.stop);
  await store.update();
  add("a client of a store", store);
  for (const sends of ["hash-prefixes", "urls"] as const) {
    add(`a lookup that sends ${sends}`, createLookup({ server, sends }));
  }
}

async function storeOptions(): Promise<ClientOptions> {
  const storage = memoryStorage();
  const signer = await signerOf(await generateSigningKey("ways"));
  const publicKeys = [signer.publicKey];
  const lifetime = 24 * 60 * 60 * 1000;
  await publish({
    ...{ storage, list: "malware", fullHashes: FULL_HASHES, signer, publicKeys, lifetime },
  });
  return {
    protocol: "store",
    server: "https://store.example/",
    publicKeys,
    lists: ["malware"],
    fetch: async (input) => {
      const bytes = await storage.get(new URL(String(input)).pathname.slice(1));
      return new Response(bytes === null ? null : new Uint8Array(bytes), {
        status: bytes === null ? 404 : 200,
      });
    },
  };
}

/**
 * A URL as requests can have it: without half surrogate pairs, which `encodeURIComponent` and the JSON of protobufs
 * refuse. U+FFFD takes their place, as in UTF-8, so the readings of the URL stay the same.
 */
const wellFormed = (url: string): string => Buffer.from(url).toString();

function addServer(origin: string): void {
  const post = (path: string, body: string, type = "application/json") =>
    fetch(origin + path, { method: "POST", body, headers: { "content-type": type } });
  const answerIn = ({ listed, error }: { listed?: boolean; error?: unknown }): Answer =>
    error !== undefined ? "error" : listed ? "listed" : "not listed";
  ways.set("/lookup", async (urls) => {
    const { verdicts } = await (await post("/lookup", JSON.stringify({ urls }))).json();
    return verdicts.map(answerIn);
  });
  ways.set(`/lookup${LINES}`, async (urls) => {
    const rows = (await (await post("/lookup", linesOf(urls), "text/plain")).text()).split("\n");
    return rows.slice(PLAIN.length, -1).map((row) => answerIn(JSON.parse(row)));
  });
  ways.set(
    "/lookup/status",
    each(async (url) => {
      const { status } = await fetch(
        `${origin}/lookup/status?url=${encodeURIComponent(wellFormed(url))}`,
      );
      return status === 400 ? "error" : status === 403 ? "listed" : "not listed";
    }),
  );
  const found = async (response: Response): Promise<Answer> => {
    if (response.status === 400) return "error";
    const { threats, threat, matches } = await response.json();
    return (threats ?? threat ?? matches) ? "listed" : "not listed";
  };
  ways.set(
    "urls:search",
    each(async (url) =>
      found(
        await fetch(
          `${origin}/v5/urls:search?alt=json&urls=${encodeURIComponent(wellFormed(url))}`,
        ),
      ),
    ),
  );
  ways.set(
    "uris:search",
    each(async (url) =>
      found(
        await fetch(
          `${origin}/v1/uris:search?threatTypes=MALWARE&uri=${encodeURIComponent(wellFormed(url))}`,
        ),
      ),
    ),
  );
  ways.set(
    "threatMatches:find",
    each(async (url) => {
      const threatInfo = {
        threatTypes: ["MALWARE"],
        threatEntryTypes: ["URL"],
        threatEntries: [{ url: wellFormed(url) }],
      };
      return found(await post("/v4/threatMatches:find", JSON.stringify({ threatInfo })));
    }),
  );
}

async function addCommand(): Promise<void> {
  const list = join(await mkdtemp(join(tmpdir(), "ways-")), "malware.list");
  await writeFile(list, encodePrefixList(LIST));
  const run = async (stdin: string, ...args: string[]) => {
    const all = ["check", "--list", list, "--ndjson", "--no-unwrap", ...args];
    const { stdout } = await record((io) => main(all, io), { stdin });
    // A blank line has no record.
    const answers: Answer[] = [];
    for (const text of stdout.split("\n").slice(0, -1)) {
      const { line, argument, listed } = JSON.parse(text);
      answers[(line ?? argument) - 1] =
        listed === undefined ? "error" : listed ? "listed" : "not listed";
    }
    return answers;
  };
  ways.set("urlhash check", (urls) => run("", "--", ...urls));
  ways.set(`urlhash check${LINES}`, async (urls) => {
    const answers = await run(linesOf(urls));
    return urls.map((_, i) => answers[PLAIN.length + i] ?? "error");
  });
}

async function addDatabase(): Promise<void> {
  const connection = await connect({ checker: checker(LIST) });
  stops.push(() => connection.closeSync());
  ways.set("url_listed", async (urls) => {
    // DuckDB's interface for JavaScript leaves out a byte order mark at the start of a string, which the blank
    // prevents.
    const texts = urls.map((url) => url.replace(/^\ufeff/, " \ufeff"));
    await makeTable(connection, texts);
    const listed = await column(connection, "SELECT url_listed(text) FROM t ORDER BY n");
    return listed.map((value) => (value === null ? "error" : value ? "listed" : "not listed"));
  });
}

/** Checks URLs in all ways, and returns the answers of the first way. */
async function answersTo(urls: readonly string[]): Promise<readonly Answer[]> {
  let expected: readonly Answer[] | null = null;
  for (const [name, way] of ways) {
    const asked = name.endsWith(LINES) ? urls.filter((url) => !/[\r\n]/.test(url)) : urls;
    const answers = await way(asked);
    expected ??= answers;
    expect(
      asked.map((url, i) => `${JSON.stringify(url)}: ${answers[i]}`),
      name,
    ).toEqual(asked.map((url) => `${JSON.stringify(url)}: ${expected![urls.indexOf(url)]}`));
  }
  return expected!;
}

/** Odd spellings of a URL. The host is listed or not. */
const SPELLINGS: readonly ((host: string) => string)[] = [
  ...[...words(`_ __ * - + ~ 1 . ( < " ' | \\ • \u200b`), "", "`", "\u00a0", "\ufeff"].map(
    (mark) => (host: string) => `${mark}http://${host}${mark}`,
  ),
  ...words("_ * - + ~ $ @@ • →").map((mark) => (host: string) => `${mark}${host}`),
  ...[...words("see: URL: url= x- 9 www. evil.com:// user@"), "see ", "u ser@"].map(
    (before) => (host: string) => `${before}http://${host}/`,
  ),
  ...[
    ...words(`
  hxxp:// hXXps:// meow:// h**p:// htp:// http_:// http:/ http: http:\\\\ http// http__ HTTP://
  foo:// // view-source:http:// http://http:// http://x-http:// http://http// %68ttp:// ｈttp://
  http：// ftp:// wss:// blob:http:// mailto:x@
  `),
    "ht tp://",
    "http ://",
    "http: //",
  ].map((scheme) => (host: string) => `${scheme}${host}/`),
  ...[
    "h\tttp://%",
    "http\t://%",
    "http://\t%/",
    "http://%\t/x",
    "http://%/\tx",
    "http://%/x\ty",
    "http://%/?q=\tx",
    "http://%/#\tx",
    "http://%/\t#x",
    "\thttp://%/",
    "http://%/\t",
    "%\tx",
    "%/x\ty",
    "http://%\tx",
    "http://%/x\ry\nz",
  ].map((pattern) => (host: string) => pattern.replace("%", host)),
  ...[
    ...words(`
  \\ \\b /\\b %00 %20 %2f %23 " ) > , ; ! & &amp;b .. ./ ? # : :80 :099 :65536 :x :80:80 @ \u3002
  \uff0e ,http://b.com/ /,http://b.com/ /?a,http://b.com/ ;b.com |b.com /x|y /x,y /<b> /{} \u00ad
  \u200d \u2065
  `),
    "\0",
    "/\0",
    "\u2028/",
    "/\u2028",
    "\u00a0/",
    "/a b",
    " /a",
    "/ http://b.com",
    "/#a b",
    "/# http://b.com",
    "\x7f",
  ].map((after) => (host: string) => `http://${host}${after}`),
  ...[...words("\\. [.] (.) [dot] \\u002e %2e \u3002 .."), " . ", " dot ", ".\t"].flatMap((dot) => [
    (host: string) => host.replace(".", dot),
    (host: string) => `http://${host.replace(".", dot)}/`,
  ]),
  (host) => `http://good.com\\@${host}/`,
  (host) => `http://${host}\\@good.com/`,
  (host) => `<a href="http://${host}/">`,
  (host) => `[a](http://${host}/)`,
  (host) => `{"url":"http://${host}/"}`,
  (host) => `0.0.0.0 ${host}`,
  (host) => `||${host}^`,
  (host) => `*.${host}`,
  (host) => `a,http://${host}/`,
  (host) => `http://xn--a.${host}/`,
  (host) => `http://${host}.xn--/`,
];
/** Texts without a host, or with an address. */
const OTHERS = [
  ...words(`
  http:// http:/// http://. ://evil.com /// ? # . javascript:alert(1) data:,x urn:isbn:1 tel:1 ::1
  [::1] http://[::1 http://[1.2.3.4]/ http://256.1.1.1/ http://1.2.3.4.5/ 1.2.3.4/24
  HTTP://'😀。evil.com http://'a.good.com/ http://0x7f.1/ http:\\/\\/evil.com\\/ _http://good.com_ http://good.com\\ hxxp://good.com/
  hxxp://evil.com/ d41d8cd98f00b204e9800998ecf8427e deadbeef
  47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= ##.banner <p> evil.com/</a> good.com/</a> \ud800
  good.com/\ud800 good\ud800.com http://good.com/\udc00 http://evil.com/?\udc00
  `),
  "http://good.com/x\ty",
  "good\r.com",
  "ev\nil.com",
  "\r\ngood.com\r\n",
];

/** The ways that read lines of any kind, and so refuse some texts that the other ways read as a URL. */
const PROGRAMS: ReadonlySet<string> = new Set([
  ...["urlhash check", `urlhash check${LINES}`, "/lookup", `/lookup${LINES}`, "url_listed"],
]);

/**
 * Whether only the programs that read lines (the command, `/lookup` and SQL) refuse a text that other ways read as a
 * URL. Browsers open these texts with `http://` before them, so the other ways answer for the URL that opens:
 * `evil.com##.ad` is a rule of an Adblock list, and also evil.com with a fragment; `http://evil-dot-com/` is a defanged
 * host, and also a name in a local network. The programs expect lists and reports as their input, so they are stricter.
 */
const isRefusedAsLine = (text: string): boolean => {
  const { browser, problem } = readUrl(text);
  const code = foreignLine(Buffer.from(text))?.code ?? "";
  return browser !== null && problem === null && ["defanged", "adblock-rule"].includes(code);
};

test("where only programs refuse a text, all other ways agree, and no program says that it is not listed", async () => {
  const hosts = ["evil.com", "good.com"];
  const urls = [
    ...SPELLINGS.flatMap((spell) => hosts.map(spell)),
    ...OTHERS,
    ...hosts.flatMap((host) => [
      ...[`${host}##.ad`, `http://${host}/#@#.ad`, `${host}#?#div`, `http://${host}/a[.]b`],
      ...[
        `http://${host}/a(dot)b`,
        `http://${host}/?a[.]=1`,
        `http://${host.replace(".", "-dot-")}/`,
      ],
    ]),
  ].filter((url) => isRefusedAsLine(url) && !/[\r\n]/.test(url));
  expect(urls.length).toBeGreaterThan(8);
  let expected: readonly Answer[] | null = null;
  for (const [name, way] of ways) {
    const answers = await way(urls);
    if (PROGRAMS.has(name)) {
      const unlisted = urls.filter((_, i) => answers[i] === "not listed");
      expect(unlisted, name).toEqual([]);
      continue;
    }
    expected ??= answers;
    expect([name, ...answers]).toEqual([name, ...expected]);
  }
  expect(new Set(expected)).toEqual(new Set(["listed", "not listed"]));
});

test("odd URLs have the same answer in every way", async () => {
  const urls = [
    ...SPELLINGS.flatMap((spell) => ["evil.com", "good.com"].map(spell)),
    ...OTHERS,
  ].filter((url) => !isRefusedAsLine(url));
  const answers = await answersTo(urls);
  expect(ways.size).toBeGreaterThanOrEqual(21);
  for (const answer of ["listed", "not listed", "error"] as const) {
    expect(answers.filter((each) => each === answer).length, answer).toBeGreaterThan(20);
  }
  expect(answers[urls.indexOf("_http://good.com_")]).toBe("error");
  expect(answers[urls.indexOf("http://good.com/x\ty")]).toBe("error");
  expect(answers[urls.indexOf("hxxp://good.com/")]).toBe("error");
  expect(answers[urls.indexOf("hxxp://evil.com/")]).toBe("listed");
  expect(answers[urls.indexOf("deadbeef")]).toBe("error");
  expect(answers[urls.indexOf("http://good.com\\")]).toBe("not listed");
});

test("texts drawn from pieces of URLs have the same answer in every way", async () => {
  const piece = fc.constantFrom(
    ...words("evil.com good.com bad.example http https hxxp ftp x www. a 1 127.1"),
    ...words(":// : // / \\ ? # @ . .. - _ * = & % , ; | ! ~"),
    ..." \t\0\x01\x7f\u00a0\ufeff\u200b\u3002\u00b7\u00e9\u2065",
    ...words("( ) < > [ ] { } \" ' ` %2f %00 %09 %40 %2e %ff :80 :99999"),
    ...words("xn-- \u0378 dot [.] path \ud83d\ude00 0x7f"),
  );
  const beginning = fc.constantFrom(
    "",
    ...words("http:// https: // _ HTTP:// hxxp:// http://evil.com evil.com http://good.com/"),
  );
  const text = fc
    .tuple(beginning, fc.array(piece, { minLength: 1, maxLength: 7 }))
    .map(([start, pieces]) => start + pieces.join(""))
    .filter((url) => url.trim() !== "" && url !== "-" && !isRefusedAsLine(url));
  const seen = new Map<Answer, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 50, maxLength: 50 }), async (urls) => {
      for (const answer of await answersTo(urls)) seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }),
    { numRuns: sampleSize(20, 1), seed: 57, endOnFailure: true },
  );
  expect(seen.size).toBe(3);
});
