import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DuckDBInstance } from "@duckdb/node-api";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { beforeAll, expect, test } from "vitest";
import { run } from "../run.ts";
import { recordsIn, verdictIn } from "../verdicts.ts";

const folder = temporaryFolder();
const LIST = () => folder.path("evil.list");
const URLS = ["http://www.evil.example/login", "mailto:x", 'http://good.example/,"\n', ""];

/** A file name as an SQL literal. */
const file = (name: string) => `'${folder.path(name)}'`;

beforeAll(async () => {
  folder.write("hosts.txt", "evil.example\n");
  await run(["list", "build", folder.path("hosts.txt"), "-o", LIST(), "--bytes", "32"]);
  folder.write("urls.json", URLS.map((url, n) => `${JSON.stringify({ n, url })}\n`).join(""));
  for (const format of ["csv", "parquet"]) {
    const statement = `COPY (FROM ${file("urls.json")}) TO ${file(`urls.${format}`)}`;
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(`${statement} (FORMAT ${format})`);
  }
});

test.each(["json", "csv", "parquet"])("a table of verdicts on %s", async (format) => {
  const ran = await run([
    "sql",
    "--list",
    LIST(),
    `SELECT n, url, url_listed(url) AS listed, url_error(url) AS error
     FROM ${file(`urls.${format}`)} WHERE n < 3 ORDER BY n`,
  ]);
  expect(ran).toEqual({
    status: 0,
    stdout: [
      "n  url                            listed  error",
      "0  http://www.evil.example/login  true    NULL",
      "1  mailto:x                       NULL    authority-missing",
      '2  http://good.example/,"\\u{a}    false   NULL',
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("the verdicts are those of urlhash check, row by row", async () => {
  const urls = [
    ...URLS.slice(0, 2),
    "http://evil.example\\@good.example/",
    "good.example",
    "http://ev\u{2065}il.test/",
    "1,http://good.example/",
    "http://a,b.example/",
    "hxxp://evil[.]example/",
  ];
  folder.write("lines.json", urls.map((url, n) => `${JSON.stringify({ n, url })}\n`).join(""));
  const statement = `SELECT CASE WHEN url_listed(url) THEN 'listed' WHEN NOT url_listed(url) THEN 'not-listed'
      WHEN url_error(url) = 'host-undecided' THEN 'undecided' ELSE 'not-a-url' END,
    url_canonical(url), m.list, m.expression, m.reading, url_error(url)
    FROM (SELECT *, url_matches(url)[1] AS m FROM ${file("lines.json")}) ORDER BY n`;
  const rows = await run(["sql", "--list", LIST(), "--format", "csv", statement]);
  const checked = await run(["check", "--list", LIST(), "--ndjson"], {
    stdin: `${urls.join("\n")}\n`,
  });
  const expected = recordsIn(checked.stdout).map((record) => {
    const { canonical, matches: [first] = [], error } = record;
    const match = [first?.list, first?.expression, first?.reading];
    return [verdictIn(record), canonical, ...match, error?.code].join(",");
  });
  expect(expected).toHaveLength(urls.length);
  expect(rows.stdout.split("\n").slice(1, -1)).toEqual(expected);
});

test("CSV has the texts as they are", async () => {
  const statement = `SELECT url, nullif(n, 1) AS "a,b", url_matches(url) AS m FROM ${file("urls.json")}`;
  const { stdout } = await run(["sql", "--list", LIST(), "--format", "csv", statement]);
  expect(stdout).toBe(
    [
      'url,"a,b",m',
      `http://www.evil.example/login,0,"[{'list': evil, 'expression': evil.example/, 'reading': both, 'confirmed': true}]"`,
      "mailto:x,,",
      '"http://good.example/,""\n",2,[]',
      '"",3,',
      "",
    ].join("\n"),
  );
});

test("Parquet keeps types, and can be read again", async () => {
  const argv = ["sql", "--list", LIST(), "--format", "parquet", "-o", folder.path("out.parquet")];
  const statement = `SELECT n, url_listed(url) AS listed FROM ${file("urls.parquet")} ORDER BY n`;
  expect(await run([...argv, statement])).toEqual({ status: 0, stdout: "", stderr: "" });
  const { stdout } = await run([
    "sql",
    `SELECT *, typeof(listed) AS type FROM ${file("out.parquet")}`,
  ]);
  expect(stdout.split("\n").slice(1, -1)).toEqual([
    "0  true    BOOLEAN",
    "1  NULL    BOOLEAN",
    "2  false   BOOLEAN",
    "3  NULL    BOOLEAN",
  ]);
});

test("a Parquet file stays as it was when the statement fails", async () => {
  folder.write("kept.parquet", "old");
  const argv = ["sql", "--format", "parquet", "-o", folder.path("kept.parquet")];
  const ran = await run([...argv, "SELECT error('no ' || range) FROM range(10)"]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain("no 0");
  expect(readFileSync(folder.path("kept.parquet"), "utf8")).toBe("old");
  expect(readdirSync(folder.path(".")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("an empty result has a header", async () => {
  expect((await run(["sql", "SELECT 1 AS one WHERE false"])).stdout).toBe("one\n");
  const csv = await run(["sql", "--format", "csv", "SELECT 1 AS one, 2 AS two WHERE false"]);
  expect(csv.stdout).toBe("one,two\n");
});

test("rows come in order, however many they are", { tags: "deep" }, async () => {
  const statement = "SELECT range, url_host('http://h' || range || '.example/') FROM range(20000)";
  const { stdout } = await run(["sql", "--format", "csv", statement]);
  const lines = stdout.split("\n").slice(1, -1);
  expect(lines).toEqual(Array.from({ length: 20_000 }, (_, n) => `${n},h${n}.example`));
});

test("the registrable domain is that of the Public Suffix List", async () => {
  const domainOf = async (url: string) =>
    (await run(["sql", `SELECT url_registrable_domain('${url}') AS domain`])).stdout;
  expect(await domainOf("http://www.example.co.uk/")).toBe("domain\nexample.co.uk\n");
  // Sites of different people share github.io, as `check` and `history` know.
  expect(await domainOf("http://www.somebody.github.io/")).toBe("domain\nsomebody.github.io\n");
});

test.each([
  ["SELECT url_listed('x')", "url_listed needs a list"],
  ["SELECT 1; SELECT 2", "SELECT"],
  ["", "SELECT"],
  ["INSTALL httpfs", "SELECT"],
  ["LOAD httpfs", "SELECT"],
  ["COPY (SELECT 1) TO 'x.csv'", "SELECT"],
  ["CREATE TABLE t (a INTEGER)", "SELECT"],
  ["ATTACH 'x.db'", "SELECT"],
  ["SET threads = 1", "SELECT"],
  ["SELECT 1) TO 'x.csv' (FORMAT csv); SELECT (1", "syntax error"],
  ["SELECT * FROM query('INSTALL httpfs')", "SELECT"],
  ["SELECT * FROM missing", "missing"],
  ["SELECT * FROM 'missing.parquet'", "missing.parquet"],
])("%j is refused", async (statement, message) => {
  for (const more of [[], ["--format", "parquet", "-o", folder.path("refused.parquet")]]) {
    const ran = await run(["sql", ...more, statement]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
  }
  expect(
    existsSync("x.csv") || existsSync("x.db") || existsSync(folder.path("refused.parquet")),
  ).toBe(false);
});

test.each([
  [
    `COPY (SELECT 1) TO 'x.csv'`,
    /single SELECT statement: urlhash sql runs one SELECT.*--format csv > FILE/,
  ],
  ["CREATE TABLE t (a INT)", /--format parquet -o FILE/],
  ["SELECT 1; SELECT 2", /urlhash sql runs one SELECT/],
  ["SELECT * FROM 'https://x.example/a.csv'", /^[^\n]*fetch or convert the file first\n$/],
])("%j: what to use instead", async (statement, message) => {
  const ran = await run(["sql", statement]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toMatch(message);
  expect(ran.stderr).not.toMatch(/INSTALL|LOAD|SET/);
});

test("a terminal shows how many rows are read", { tags: "deep" }, async () => {
  const many = `COPY (SELECT range AS n FROM range(2000000)) TO ${file("many.parquet")} (FORMAT parquet)`;
  await (await (await DuckDBInstance.create(":memory:")).connect()).run(many);
  const statement = `SELECT count(DISTINCT sha256(n::VARCHAR)) AS n FROM ${file("many.parquet")}`;
  const shown = await run(["sql", statement], { terminal: 80 });
  expect(shown.stdout).toContain("2000000");
  expect(shown.stderr).toMatch(/% of [\d,]+ rows, /);
});

test("nothing is read from other machines, and no extension is loaded", {
  tags: "deep",
}, async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end("url\nhttp://evil.example/\n");
  });
  server.on("connection", () => requests++);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const statement of [
      `SELECT * FROM '${origin}/urls.csv'`,
      `SELECT * FROM read_parquet('${origin}/urls.parquet')`,
      `SELECT * FROM read_json('${origin}/urls.json')`,
      `SELECT * FROM read_text('${origin}/urls.txt')`,
      "SELECT * FROM 's3://bucket/urls.parquet'",
      "SELECT * FROM 'hf://datasets/urls.parquet'",
    ]) {
      expect(await run(["sql", statement]), statement).toMatchObject({ status: 2, stdout: "" });
    }
    expect(requests).toBe(0);
  } finally {
    server.close();
  }
  const settings = [
    "autoinstall_known_extensions",
    "autoload_known_extensions",
    "lock_configuration",
  ];
  const statement = `SELECT ${settings.map((name) => `current_setting('${name}') AS ${name}`)}`;
  const { stdout } = await run(["sql", "--format", "csv", statement]);
  expect(stdout.split("\n")[1]).toBe("false,false,true");
});

test.each([
  [["--format", "parquet", "SELECT 1"], "--format parquet needs a file: name it with -o"],
  [["-o", "x.csv", "SELECT 1"], "-o needs --format parquet: other formats go to stdout"],
  [["--list", "missing.list", "SELECT 1"], "cannot read missing.list: no such file or directory"],
])("%j is refused", async (argv, message) => {
  expect(await run(["sql", ...argv])).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: ${message}\n`,
  });
});

test("an error is what DuckDB says about the statement", async () => {
  expect((await run(["sql", "SELEC 1"])).stderr).toBe(
    'urlhash: Parser Error: syntax error at or near "SELEC"\n',
  );
});

test("columns may have the same name", async () => {
  const { stdout } = await run(["sql", "--format", "csv", "SELECT 1 AS a, NULL AS a, [2, 3] AS b"]);
  expect(stdout).toBe('a,a_1,b\n1,,"[2, 3]"\n');
});

test("control characters in a table are escaped", async () => {
  const { stdout } = await run(["sql", "SELECT chr(27) || '[31m' AS \"a\tb\""]);
  expect(stdout).toBe("a\\u{9}b\n\\u{1b}[31m\n");
});
