import { exactExpression } from "@x/expressions";
import { foreignLine } from "@x/list-source";
import { checker, type UrlVerdict } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import { makeUrls } from "@x/test-support/url-corpus";
import { expect, test } from "vitest";
import { column, connect, makeTable } from "./database.ts";

/** Functions that turn a URL into an unusual spelling, or into text that is not a URL. */
const DISGUISES: readonly ((url: string) => string | null)[] = [
  (url) => url.toUpperCase(),
  (url) => url.replace("://", "://good.example\\@"),
  (url) => url.replace("://", "://user:p%40ss@"),
  (url) => ` \t${url}\r`,
  (url) => url.replace(/\//g, "\\"),
  (url) => url.replace(/[aeiou]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (url) => url.replace("://", "://ｗｗｗ."),
  (url) => url.replace("://", "://ev\u{2065}il."),
  (url) => `\ufeff${url}`,
  (url) => `mailto:${url}`,
  (url) => `7,${url}`,
  (url) => `${url}\t${url}`,
  (url) => url.replace("://", "://a,b."),
  (url) => url.replace("http", "hxxp").replaceAll(".", "[.]"),
  (url) => url.replace("://", "://a_b."),
  (url) => url.replace("http", "foo"),
  (url) => `${url}(x)"y"`,
  () => "",
  () => null,
];

test("the functions give the verdicts of checkMany, row by row", async () => {
  const urls = makeUrls(sampleSize(20_000));
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
  const verdicts = disguised.map((written) => {
    if (written === null) return null;
    // DuckDB's interface for JavaScript leaves out a byte order mark at the start of a string.
    const url = written.replace(/^\ufeff/, "");
    const [{ matches, error }] = [...plain.checkMany([url])] as [UrlVerdict];
    const foreign = foreignLine(new TextEncoder().encode(url));
    const problem = matches.length > 0 ? null : (foreign?.code ?? error?.code ?? null);
    return { matches, problem };
  });

  const listed = verdicts.map((verdict) =>
    verdict === null || verdict.problem !== null ? null : verdict.matches.length > 0,
  );
  expect(await column(connection, "SELECT url_listed(text) FROM t ORDER BY n")).toEqual(listed);
  for (const value of [true, false, null]) {
    expect(listed.filter((each) => each === value).length).toBeGreaterThan(urls.length / 50);
  }

  expect(await column(connection, "SELECT url_error(text) FROM t ORDER BY n")).toEqual(
    verdicts.map((verdict) => verdict?.problem ?? null),
  );
  expect(await column(connection, "SELECT url_matches(text) FROM t ORDER BY n")).toEqual(
    verdicts.map((verdict) =>
      verdict === null || verdict.problem !== null
        ? null
        : verdict.matches.map(({ list, expression, reading, confirmed }) => {
            return { list: list.name, expression, reading, confirmed };
          }),
    ),
  );
});
