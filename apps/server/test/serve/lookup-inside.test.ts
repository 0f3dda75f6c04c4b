import { memoryStorage } from "@x/list-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { openStream, postLookUp, readStream, rowsOf } from "../support/lookup-server.ts";

let server: LoggedServer;
beforeAll(async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["evil.example/"]);
  server = await startLoggedServer(storage, signer, {});
});
afterAll(() => server.stop());

const wrapped = (url: string) => `https://l.facebook.com/l.php?u=${encodeURIComponent(url)}`;
const listed = wrapped("http://evil.example/a");
const MATCH = {
  list: "malware",
  expression: "evil.example/",
  reading: "both",
  inside: { url: "http://evil.example/a", certainty: "certain", through: ["Facebook"] },
};

test("with disguises=true, the answer names the site that a host imitates", async () => {
  const urls = ["http://paypa1.com/", "http://paypal.com/", "http://evil.example/", "http://"];
  const { body } = await postLookUp(server, { urls }, { query: "?disguises=true" });
  expect(body.verdicts).toMatchObject([
    {
      listed: false,
      matches: [],
      disguises: [
        {
          code: "look-alike",
          resembles: "paypal.com",
          message: "Did you mean paypal.com? It opens paypa1.com.",
        },
      ],
    },
    { listed: false },
    { listed: true },
    { error: {} },
  ]);
  for (const verdict of body.verdicts.slice(1)) expect(verdict).not.toHaveProperty("disguises");
  const plain = await postLookUp(server, { urls: urls.slice(0, 1) });
  expect(plain.body.verdicts).toEqual([{ url: urls[0], listed: false, matches: [] }]);
  expect(await postLookUp(server, { urls }, { query: "?disguises=1" })).toMatchObject({
    status: 400,
  });
});

describe("with unwrap=true", () => {
  test("a URL is listed if a URL inside is, and the match says through what", async () => {
    const urls = [
      listed,
      `view-source:${listed}`,
      "http://evil.example/",
      wrapped("http://good.example/"),
      "https://t.co/abc",
      "http://good.example/?u=http://evil.example/a",
    ];
    const plain = await postLookUp(server, { urls: urls.slice(0, 1) });
    expect(plain.body.verdicts).toEqual([{ url: listed, listed: false, matches: [] }]);
    const { body } = await postLookUp(server, { urls }, { query: "?unwrap=true" });
    const { inside: _, ...own } = MATCH;
    expect(body.verdicts).toEqual([
      { url: urls[0], listed: true, matches: [MATCH] },
      {
        url: urls[1],
        listed: true,
        matches: [{ ...MATCH, inside: { ...MATCH.inside, through: ["view-source", "Facebook"] } }],
      },
      { url: urls[2], listed: true, matches: [own] },
      { url: urls[3], listed: false, matches: [] },
      { url: urls[4], listed: false, matches: [], closed: ["X"] },
      {
        url: urls[5],
        listed: true,
        matches: [{ ...MATCH, inside: { ...MATCH.inside, certainty: "guess", through: [null] } }],
      },
    ]);
  });

  test("what cannot be decided is an error", async () => {
    const many = Array.from({ length: 40 }, (_, i) => `u=http://${i}.example/`).join("&");
    const urls = [
      `http://good.example/?${many}`,
      `http://evil.example/?${many}`,
      wrapped("http://ev\u{2065}il.example/"),
      "view-source:http://good.example/",
    ];
    const { body } = await postLookUp(server, { urls }, { query: "?unwrap=true" });
    expect(
      body.verdicts.map((each: { error?: { code: string } }) => each.error?.code ?? null),
    ).toEqual(["unwrap-limit", null, "host-undecided", "authority-missing"]);
  });

  test("the status of one URL is that of the URLs inside", async () => {
    const status = async (url: string, more = "&unwrap=true") =>
      (await fetch(`${server.origin}/lookup/status?url=${encodeURIComponent(url)}${more}`)).status;
    expect(await status(listed)).toBe(403);
    expect(await status(listed, "")).toBe(200);
    expect(await status(listed, "&unwrap=false")).toBe(200);
    expect(await status(wrapped("http://good.example/"))).toBe(200);
    expect(await status(`http://a.example/?${"x".repeat(9000)}`)).toBe(200);
    for (const wrong of ["&unwrap=1", "&unwrap=", "&unwrap=true&unwrap=false"]) {
      expect(await status(listed, wrong)).toBe(400);
    }
  });

  test("rows of a stream are unwrapped, and their answers stay in proportion", {
    tags: "deep",
  }, async () => {
    const nested = `http://evil.example${"/http://evil.example".repeat(3000)}`;
    const sent = openStream(server, "text/plain", "?unwrap=true");
    sent.end(`${listed}\n\n${`${nested}\n`.repeat(20)}`);
    const { text, isWhole } = await readStream(sent);
    expect(isWhole).toBe(true);
    const rows = rowsOf(text);
    expect(rows).toHaveLength(22);
    expect(rows[0].matches).toEqual([MATCH]);
    expect(rows[2].listed).toBe(true);
    expect(text.length).toBeLessThan(3 * 20 * nested.length);
  });
});
