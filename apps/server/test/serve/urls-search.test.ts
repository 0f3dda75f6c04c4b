import { decodeMessage } from "@x/wire";
import { searchUrls } from "@x/wire/v5";
import { describe, expect, test } from "vitest";
import { hashApiKey } from "../../src/serve/api-keys.ts";
import { publishedLists } from "../support/published-lists.ts";

const DAY = 24 * 60 * 60 * 1000;
const json = ({ body }: { body: Uint8Array }) => JSON.parse(Buffer.from(body).toString());

const LISTS = {
  malware: ["evil.example/", "both.example/a/", "shared.example/user/"],
  "social-engineering": ["both.example/", "testsafebrowsing.appspot.com/s/phishing.html"],
  intranet: ["own.example/"],
};

function target(urls: readonly string[], rest = ""): string {
  return `/v5/urls:search?${urls.map((url) => `urls=${encodeURIComponent(url)}`).join("&")}${rest}`;
}

async function ask(urls: readonly string[], lists: typeof LISTS = LISTS) {
  const { server } = await publishedLists(lists);
  const reply = await server.get(target(urls, "&alt=json"));
  return { status: reply.status, answer: json(reply) };
}

describe("the bytes of an answer are those that Google sends", () => {
  test("nothing found", async () => {
    const { server } = await publishedLists(LISTS);
    const reply = await server.get(target(["http://good.example/"]));
    expect(reply.headers["Content-Type"]).toBe("application/x-protobuf");
    expect(Buffer.from(reply.body).toString("hex")).toBe("120308ac02");
  });

  test("a threat", async () => {
    const { server } = await publishedLists(LISTS);
    const expression = "testsafebrowsing.appspot.com/s/phishing.html";
    const reply = await server.get(target([`https://${expression}?utm=1`]));
    const threat = `0a310a2c${Buffer.from(expression).toString("hex")}120102`;
    expect(Buffer.from(reply.body).toString("hex")).toBe(`${threat}120308ac02`);
  });
});

test.each([
  ["alt", "&alt=json", {}],
  ["$alt", "&$alt=json", {}],
  ["Accept", "", { accept: "application/json" }],
])("answers in JSON when %s asks for it", async (_, rest, headers) => {
  const { server } = await publishedLists(LISTS);
  const reply = await server.get(target(["http://evil.example/x"], rest), headers);
  expect(reply.headers["Content-Type"]).toBe("application/json; charset=utf-8");
  expect(json(reply)).toEqual({
    threats: [{ url: "evil.example/", threatTypes: ["MALWARE"] }],
    cacheDuration: "300s",
  });
});

describe("finds", () => {
  test.each([
    ["the browser's reading", "http://evil.example\\@good.example/", "evil.example/"],
    ["a URL without a scheme", "sub.evil.example", "evil.example/"],
    ["a path above the URL's", "http://shared.example/user/a/b?c", "shared.example/user/"],
  ])("%s", async (_, url, expression) => {
    expect(await ask([url])).toEqual({
      status: 200,
      answer: {
        threats: [{ url: expression, threatTypes: ["MALWARE"] }],
        cacheDuration: "300s",
      },
    });
  });

  test("every expression of every URL, each once, with the types of all lists", async () => {
    const { answer } = await ask(
      ["http://both.example/a/b", "http://both.example/a/c", "http://evil.example/"],
      { ...LISTS, malware: [...LISTS.malware, "both.example/"] },
    );
    const found = answer.threats.map(
      ({ url, threatTypes }: { url: string; threatTypes: string[] }) =>
        [url, ...threatTypes.sort()].join(" "),
    );
    expect(found.sort()).toEqual([
      "both.example/ MALWARE SOCIAL_ENGINEERING",
      "both.example/a/ MALWARE",
      "evil.example/ MALWARE",
    ]);
  });

  test("a URL on a list with a name of its own", async () => {
    const { answer } = await ask(["http://own.example/"]);
    expect(answer.threats).toEqual([{ url: "own.example/", threatTypes: ["MALWARE"] }]);
  });
});

describe("refuses", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `http://e${i}.example/`);

  test.each([
    ["no URL", [], /at least one URL/],
    ["51 URLs", many(51), /at most 50 URLs/],
    ["an empty URL", [""], /The URL is not a readable URL/],
    ["what is not a URL, beside a listed one", ["evil.example", "http://"], /URL 2 of 2/],
    ["a host that cannot be decided", ["http://ev\u2065il.example/"], /host-undecided/],
    ["a URL that is too long", [`http://good.example/${"a".repeat(2 ** 16)}`], /not a readable/],
  ])("%s, in JSON", async (_, urls, message) => {
    const { status, answer } = await ask(urls);
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT" });
    expect(answer.error.message).toMatch(message);
  });

  test("several URLs, and names them all, so that a client can ask about the others", async () => {
    const urls = [
      "http://evil.example/",
      "http://a b.example/",
      "mailto:x",
      "http://good.example/",
    ];
    const { answer } = await ask(urls);
    expect(answer.error.details).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [
          {
            field: "urls[1]",
            description:
              'The URL "http://a b.example/" has a host that no site can have, so there is no verdict (host-invalid).',
          },
          { field: "urls[2]", description: 'The URL "mailto:x" is not a readable URL.' },
        ],
      },
    ]);
    expect((await ask(urls.filter((_, i) => i !== 1 && i !== 2))).answer.threats).toHaveLength(1);
  });

  test("a URL that was not escaped, because its end would be lost", async () => {
    const { server } = await publishedLists(LISTS);
    const reply = await server.get("/v5/urls:search?urls=http://a.example/?b=c&next=evil.example");
    expect(reply.status).toBe(400);
  });

  test("to answer when a list has expired", async () => {
    let now = Date.now();
    const { server } = await publishedLists({ malware: ["evil.example/"] }, { now: () => now });
    now += 31 * DAY;
    await server.refresh();
    expect((await server.get(target(["http://good.example/"]))).status).toBe(503);
    expect((await server.get(target(["http://evil.example/"]))).status).toBe(503);
  });
});

test("answers 50 URLs", async () => {
  const urls = Array.from({ length: 50 }, (_, i) => `http://e${i}.example/`);
  const { server } = await publishedLists({
    malware: urls.map((url) => url.slice("http://".length)),
  });
  const { body } = await server.get(target(urls));
  expect(
    decodeMessage(searchUrls.response, body).threats.map(({ url }) => `http://${url}`),
  ).toEqual(urls);
});

test("private lists are searched with their key only, and their answers are not shared", async () => {
  const { server } = await publishedLists(LISTS, { keys: `${hashApiKey("a-key")} malware\n` });
  const listed = target(["http://evil.example/"], "&alt=json");
  expect(json(await server.get(listed)).threats).toBeUndefined();
  const opened = await server.get(`${listed}&key=a-key`);
  expect(json(opened).threats).toHaveLength(1);
  expect(opened.headers["Cache-Control"]).toBe("private, no-store");
  expect((await server.get(`${listed}&key=unknown`)).status).toBe(403);
});
