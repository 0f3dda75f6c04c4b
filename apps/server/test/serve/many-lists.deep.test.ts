import { memoryStorage } from "@x/list-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { lookUpStream, PIECE, readTextRow } from "../../src/serve/lookup/lookup-stream.ts";
import { newCounts } from "../../src/serve/lookup/verdict-json.ts";
import type { RunningServer } from "../../src/serve/server.ts";
import { startLoggedServer } from "../support/logged-server.ts";
import { openStream, postLookUp, readStream, rowsOf } from "../support/lookup-server.ts";
import { testServer } from "../support/serving.ts";

/* Lookups of URLs that are on very many lists. */

const LISTS = 40;
const LONG = `long.example/${"x".repeat(3000)}`;
const storage = memoryStorage();
const signer = await newSigner();
let server: RunningServer;

beforeAll(async () => {
  const publish = publisher(storage, signer);
  for (let i = 0; i < LISTS; i++) await publish(`list${i}`, ["evil.example/", LONG]);
  server = await startLoggedServer(storage, signer);
});
afterAll(() => server.stop());

interface Verdict {
  readonly listed: boolean;
  readonly matches: readonly { readonly list: string; readonly expression: string }[];
  readonly more?: number;
}

const summaryOf = ({ listed, matches, more }: Verdict) => ({
  listed,
  more,
  expressions: [...new Set(matches.map(({ expression }) => expression))],
  lists: new Set(matches.map(({ list }) => list)).size,
});

test("an answer names some of the matches, and counts the others", async () => {
  const urls = ["http://evil.example/", "http://good.example/", `http://${LONG}`];
  const expected = [
    { listed: true, more: LISTS - 32, expressions: ["evil.example/"], lists: 32 },
    { listed: false, more: undefined, expressions: [], lists: 0 },
    // There is room for only one name of this length.
    { listed: true, more: LISTS - 1, expressions: [LONG], lists: 1 },
  ];
  const { body } = await postLookUp(server, { urls });
  expect(body.verdicts.map(summaryOf)).toEqual(expected);

  const stream = openStream(server, "text/plain");
  stream.end(urls.join("\n"));
  expect(rowsOf((await readStream(stream)).text).map(summaryOf)).toEqual(expected);

  const [url] = urls;
  const status = await fetch(`${server.origin}/lookup/status?url=${encodeURIComponent(url!)}`);
  expect(status.status).toBe(403);
  expect(summaryOf(await status.json())).toEqual(expected[0]);
});

test("the URL inside a URL has a part of the same matches", async () => {
  const inside = (outer: string, inner: string) => `http://${outer}/?u=http://${inner}`;
  const urls = [
    inside("evil.example", "evil.example/"),
    inside("good.example", "evil.example/"),
    inside("good.example", LONG),
  ];
  const { body } = await postLookUp(server, { urls }, { query: "?unwrap=true" });
  expect(body.verdicts.map(summaryOf)).toEqual([
    { listed: true, more: 2 * LISTS - 32, expressions: ["evil.example/"], lists: 32 },
    { listed: true, more: LISTS - 32, expressions: ["evil.example/"], lists: 32 },
    { listed: true, more: LISTS - 1, expressions: [LONG], lists: 1 },
  ]);
});

test("a request that names a few lists gets all of their matches", async () => {
  const query = "?lists=list3,list39";
  const { body } = await postLookUp(server, { urls: ["http://evil.example/"] }, { query });
  expect(summaryOf(body.verdicts[0])).toEqual({
    ...{ listed: true, more: undefined, expressions: ["evil.example/"], lists: 2 },
  });
});

test("a stream has only a small part of its answer in memory", async () => {
  const { answering, refresh } = testServer(storage, [signer.publicKey]);
  await refresh();
  const urls = Array.from({ length: 2000 }, (_, i) => `http://${i}.evil.example/\n`);
  const body = (async function* () {
    yield Buffer.from(urls.join(""));
  })();
  const parameters = {
    key: null,
    network: () => "",
    names: null,
    urls: [],
    unwrap: false,
    disguises: false,
  };
  let text = "";
  let longest = 0;
  for await (const piece of lookUpStream(body, readTextRow, parameters, answering, newCounts())) {
    longest = Math.max(longest, piece.length);
    text += Buffer.from(piece).toString();
  }
  const rows = text.split("\n").slice(0, -1);
  expect(rows).toHaveLength(urls.length);
  const row = Math.max(...rows.map((each) => each.length));
  expect(row).toBeGreaterThan(2000);
  expect(longest).toBeLessThanOrEqual(PIECE + row);
});

test("while URLs on many lists are looked up, others are answered", async () => {
  const urls = Array.from({ length: 1000 }, (_, i) => `http://${i}.evil.example/`);
  let isDone = false;
  const answer = postLookUp(server, { urls }).finally(() => {
    isDone = true;
  });
  let others = 0;
  while (!isDone) {
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    if (!isDone) others++;
  }
  const { body } = await answer;
  expect(body.verdicts.every(({ more }: Verdict) => more === LISTS - 32)).toBe(true);
  // Each part of the lookup leaves time for at least one other request, but some come too late to be counted.
  expect(others).toBeGreaterThan(10);
});
