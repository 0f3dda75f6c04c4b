import { exactExpression } from "@x/expressions";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import { makeUrls } from "@x/test-support/url-corpus";
import { expect, test } from "vitest";
import { column, connect, makeTable } from "./database.ts";

/** Makes a URL that is read in an unusual way. */
const DISGUISES: readonly ((url: string) => string | null)[] = [
  (url) => url.toUpperCase(),
  (url) => url.replace("://", "://good.example\\@"),
  (url) => url.replace("://", "://user:p%40ss@"),
  (url) => ` \t${url}\r\n`,
  (url) => url.replace(/\//g, "\\"),
  (url) => url.replace(/[aeiou]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (url) => url.replace("://", "://ｗｗｗ."),
  (url) => url.replace("://", "://ev\u{2065}il."),
  (url) => `\ufeff${url}`,
  (url) => `mailto:${url}`,
  () => "",
  () => null,
];

test("the functions give the verdicts of checkMany, row by row", async () => {
  const urls = makeUrls(sampleSize(100_000));
  const disguised = urls.map((url, i) =>
    i % 3 === 0 ? DISGUISES[(i / 3) % DISGUISES.length]!(url) : url,
  );
  const lists = ["a", "b"].map((name, which) =>
    prefixList(
      urls
        .filter((_, i) => i % 20 === which)
        .map((url) => fullHash(exactExpression(new URL(url).host))),
      { name, prefixBytes: which === 0 ? 32 : 4 },
    ),
  );
  const plain = checker(lists);
  const connection = await connect({ checker: checker(lists) });
  await makeTable(connection, disguised);
  const verdicts = disguised.map((url) => (url === null ? null : [...plain.checkMany([url])][0]!));

  const listed = verdicts.map((verdict) =>
    verdict === null || verdict.error !== null ? null : verdict.matches.length > 0,
  );
  expect(await column(connection, "SELECT url_listed(text) FROM t ORDER BY n")).toEqual(listed);
  for (const value of [true, false, null]) {
    expect(listed.filter((each) => each === value).length).toBeGreaterThan(urls.length / 50);
  }

  expect(await column(connection, "SELECT url_error(text) FROM t ORDER BY n")).toEqual(
    verdicts.map((verdict) => verdict?.error?.code ?? null),
  );
  expect(await column(connection, "SELECT url_matches(text) FROM t ORDER BY n")).toEqual(
    verdicts.map((verdict) =>
      verdict === null || verdict.error !== null
        ? null
        : verdict.matches.map(({ list, expression, reading, confirmed }) => {
            return { list: list.name, expression, reading, confirmed };
          }),
    ),
  );
});
