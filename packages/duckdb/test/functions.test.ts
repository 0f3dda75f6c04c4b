import { DuckDBInstance } from "@duckdb/node-api";
import { registerFunctions } from "@x/duckdb";
import { exactExpression } from "@x/expressions";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";
import { column, connect, makeTable } from "./database.ts";
import vectors from "./vectors/functions.json" with { type: "json" };

const entry = (url: string) => fullHash(exactExpression(url));
const phishing = prefixList([entry("evil.example"), entry("bad.example/x/")], {
  name: "phishing",
  prefixBytes: 32,
});
const malware = prefixList([entry("evil.example")], { name: "malware", prefixBytes: 4 });

const registrableDomain = (host: string) => (host.endsWith("x.co.uk") ? "x.co.uk" : null);
const database = connect({ checker: checker([phishing, malware]), registrableDomain });

test.each(vectors.cases)("$sql", async ({ sql, expected }) => {
  expect(await column(await database, `SELECT ${sql}`)).toEqual([expected]);
});

test("an input without a verdict is neither listed nor not listed", async () => {
  const connection = await database;
  await makeTable(connection, [
    "evil.example",
    "mailto:x",
    "",
    null,
    "good.example",
    "http://ev\u{2065}il.test/",
    'http://evil.example"',
    "http://evil[.example/",
    "http__evil.example/",
  ]);
  const where = async (condition: string) =>
    column(connection, `SELECT n FROM t WHERE ${condition} ORDER BY n`);
  expect(await where("url_listed(text)")).toEqual([0]);
  expect(await where("NOT url_listed(text)")).toEqual([4]);
  expect(await where("url_listed(text) IS NULL")).toEqual([1, 2, 3, 5, 6, 7, 8]);
  expect(await where("url_error(text) IS NOT NULL")).toEqual([1, 2, 5, 6, 7, 8]);
});

test("a listed URL has no error, even if one of its readings is undecided", async () => {
  const connection = await database;
  await makeTable(connection, ["http://evil.example\\@ev\u{2065}il.test/"]);
  expect(await column(connection, "SELECT url_listed(text) FROM t")).toEqual([true]);
  expect(await column(connection, "SELECT url_error(text) FROM t")).toEqual([null]);
});

test("the readings are those of the checker", async () => {
  const specification = await connect({
    checker: checker(phishing, { readings: "specification" }),
  });
  const url = ["http://evil.example\\@good.example/"];
  expect(await column(specification, "SELECT url_listed($1)", url)).toEqual([false]);
  expect(await column(await database, "SELECT url_listed($1)", url)).toEqual([true]);
});

test("the hash of a URL is the SHA-256 of its first expression", async () => {
  const sql = `SELECT url_hash(u) = sha256(url_expressions(u)[1])
    FROM (VALUES ('http://A.b.c:80/1/./2?q#top'), ('http://1.2.3.4')) AS t(u)`;
  expect(await column(await database, sql)).toEqual([true, true]);
});

test("statements that need a list are refused without one, even on an empty table", async () => {
  const connection = await connect();
  await makeTable(connection, []);
  for (const name of ["url_listed", "url_matches", "url_error"]) {
    const run = connection.run(`SELECT ${name}(text) FROM t`);
    await expect(run, name).rejects.toThrow(`${name} needs a list`);
  }
  await expect(connection.run("SELECT url_registrable_domain(text) FROM t")).rejects.toThrow(
    "url_registrable_domain needs the option registrableDomain",
  );
  expect(await column(connection, "SELECT url_canonical('EXAMPLE.com')")).toEqual([
    "http://example.com/",
  ]);
});

test("an error in a function fails the statement", async () => {
  const connection = await connect({
    registrableDomain: () => {
      throw new Error("no public suffixes");
    },
  });
  const run = connection.run("SELECT url_registrable_domain('a.example')");
  await expect(run).rejects.toThrow("no public suffixes");
  // The connection still works.
  expect(await column(connection, "SELECT url_host('a.example')")).toEqual(["a.example"]);
});

test("all connections to the database have the functions", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const [one, other] = [await instance.connect(), await instance.connect()];
  registerFunctions(one);
  expect(await column(other, "SELECT url_host('a.example')")).toEqual(["a.example"]);
});

test("two databases have lists of their own", async () => {
  const [one, other] = [
    await connect({ checker: checker(phishing) }),
    await connect({ checker: checker(prefixList([])) }),
  ];
  const both = await Promise.all(
    [one, other].map((each) =>
      column(
        each,
        "SELECT count(*) FILTER (url_listed('evil.example/' || range)) FROM range(3000)",
      ),
    ),
  );
  expect(both).toEqual([["3000"], ["0"]]);
});

test("wrong options are refused", async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  for (const wrong of [{ checker: phishing }, { checker: null }, { registrableDomain: "x" }]) {
    expect(() => registerFunctions(connection, wrong as never)).toThrow(TypeError);
  }
});
