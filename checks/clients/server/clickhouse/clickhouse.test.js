import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { example } from "../support/example.js";
import { urlhashFolder } from "../support/urlhash.js";
import { waitFor } from "../support/wait-for.js";

/** A URL that is nearly as long as a field may be. In this file, strings are latin1: one character for each byte. */
const LONG = `http://evil.test/?${"a".repeat(2_000_000)}`;
const CASES = [
  ["http://evil.test/", "listed", "bad", "", "http://evil.test/"],
  ["http://good.test/", "not-listed", "", "", "http://good.test/"],
  ["HTTP://Evil.test:80/a/../", "listed", "bad", "", "http://evil.test/"],
  ["http://ev\til.te\nst/\r", "listed", "bad", "", "http://evil.test/"],
  ["http://evil.test\\@good.test/", "listed", "bad", "", "http://good.test/"],
  ["http://evil.test/\\N'\"", "listed", "bad", "", "http://evil.test/\\N'\""],
  ["http://evil.test/\xff\xc3", "listed", "bad", "", "http://evil.test/%FF%C3"],
  ["http://good.test/\0", "not-a-url", "", "control-character", ""],
  // Without the line feed, the second URL is inside the first one.
  ["http://good.test/\nhttp://evil.test/", "listed", "bad", "", ""],
  ["mailto:a@evil.test", "not-a-url", "", "authority-missing", ""],
  ["\\N", "disguised", "", "other-host", "http://\\n/"],
  ["\xff", "undecided", "", "host-undecided", "http://%FF/"],
  ["", "blank", "", "", ""],
  ["\n", "blank", "", "", ""],
  [null, null, null, null, null],
  [LONG, "listed", "bad", "", LONG],
  [`http://evil.test/${"\n".repeat(2 ** 21)}`, "not-a-url", "", "line-too-long", ""],
];
const FUNCTIONS = ["urlVerdict", "urlList", "urlProblem", "urlCanonical"];

const ESCAPES = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\0": "\\0",
  "'": "\\'",
  "\\": "\\\\",
};

/** A field as ClickHouse writes it in TabSeparated. */
const escaped = (text) =>
  text === null ? "\\N" : text.replace(/[\b\f\n\r\t\0'\\]/g, (character) => ESCAPES[character]);

/** The command of each function in docs/examples/clickhouse. */
function commandsOf(xml) {
  const functions = [...xml.matchAll(/<function>(.*?)<\/function>/gs)].map(([, text]) => {
    const value = (name) => new RegExp(`<${name}>(.*?)</${name}>`).exec(text)[1];
    assert.deepEqual(
      [value("type"), value("format"), value("execute_direct")],
      ["executable_pool", "TabSeparated", "0"],
    );
    return [value("name"), value("command")];
  });
  return new Map(functions);
}

const children = [];

/** A process of a pool. ClickHouse sends a block of rows, and waits for as many in return. */
function poolProcess(command, env) {
  const child = spawn("/bin/sh", ["-c", command], { env, stdio: ["pipe", "pipe", "ignore"] });
  children.push(child);
  let received = "";
  child.stdout.setEncoding("latin1").on("data", (text) => {
    received += text;
  });
  return {
    async block(fields) {
      child.stdin.write(fields.map((field) => `${escaped(field)}\n`).join(""), "latin1");
      const rows = () => received.split("\n").length - 1;
      await waitFor("as many rows as were sent", () => rows() >= fields.length);
      const lines = received.split("\n");
      assert.equal(lines.pop(), "");
      assert.equal(lines.length, fields.length);
      received = "";
      return lines;
    },
    async end() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
      assert.equal(received, "");
    },
  };
}

describe("functions for ClickHouse", { timeout: 600_000 }, () => {
  let urlhash;
  let xml;
  before(() => {
    urlhash = urlhashFolder("clickhouse");
    urlhash.publish("bad", ["http://evil.test/"]);
    xml = example("clickhouse/urlhash_function.xml", {
      "/var/lib/urlhash": urlhash.path("lists"),
    });
  });
  after(() => {
    for (const child of children) child.kill();
    urlhash?.remove();
  });

  test("returns one row for each row of a block, without delay", async () => {
    const commands = commandsOf(xml);
    assert.deepEqual([...commands.keys()], FUNCTIONS);
    for (const [i, name] of FUNCTIONS.entries()) {
      const pool = poolProcess(commands.get(name), urlhash.env);
      for (const block of [CASES.slice(0, 1), CASES, CASES.slice(0, -2)]) {
        const rows = await pool.block(block.map(([text]) => text));
        for (const [j, row] of rows.entries()) {
          const expected = block[j][i + 1];
          assert.equal(row, expected === null ? "\\N" : expected.replaceAll("\\", "\\\\"));
        }
      }
      await pool.end();
    }
  });

  test("a process of a pool picks up a new list between blocks", async () => {
    const pool = poolProcess(commandsOf(xml).get("urlVerdict"), urlhash.env);
    assert.deepEqual(await pool.block(["http://later.test/"]), ["not-listed"]);
    urlhash.publish("later", ["http://later.test/"]);
    await waitFor("the new list", async () => {
      const [verdict] = await pool.block(["http://later.test/"]);
      return verdict === "listed";
    });
    await pool.end();
  });
});

/** The engine of ClickHouse, which `npm install` leaves out because it takes 543 MB. */
const chdb = await import("chdb").catch(() => null);
const skip = chdb === null ? "chdb is not installed: npm install --no-save chdb@3.4.0" : false;

describe("ClickHouse itself", { skip, timeout: 600_000 }, () => {
  let urlhash;
  let session;
  before(() => {
    urlhash = urlhashFolder("chdb");
    urlhash.publish("bad", ["http://evil.test/", "http://h77.test/"]);
    process.env.PATH = urlhash.env.PATH;
    const xml = example("clickhouse/urlhash_function.xml", {
      "/var/lib/urlhash": urlhash.path("lists"),
    });
    writeFileSync(urlhash.path("urlhash_function.xml"), xml);
    const config = example("clickhouse/urlhash.xml", {
      "/etc/clickhouse-server": urlhash.path(""),
    });
    writeFileSync(urlhash.path("config.xml"), config);
    const connectionArgs = [`--config-file=${urlhash.path("config.xml")}`];
    session = new chdb.Session(urlhash.path("data"), { connectionArgs });
  });
  after(() => {
    session?.close();
    urlhash?.remove();
  });
  const query = (sql) =>
    session
      .query(sql, "JSONCompactEachRow")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("the functions return what the processes answer", () => {
    const hex = CASES.slice(0, -2).map(([text]) =>
      text === null ? "NULL" : `unhex('${Buffer.from(text, "latin1").toString("hex")}')`,
    );
    const calls = FUNCTIONS.map((name) => `${name}(url)`).join(", ");
    const rows = query(`SELECT ${calls} FROM (SELECT arrayJoin([${hex}]) AS url)`);
    assert.deepEqual(
      rows,
      CASES.slice(0, -2).map(([, ...expected]) => expected),
    );
    const long = query(`SELECT urlVerdict(concat('http://evil.test/?', repeat('ab', 1000000)))`);
    assert.deepEqual(long, [["listed"]]);
  });

  test("many rows, in several threads", () => {
    const table =
      "(SELECT concat('http://h', toString(number), '.test/') AS url FROM numbers(300000))";
    const rows = query(
      `SELECT urlVerdict(url) AS verdict, count() FROM ${table} GROUP BY verdict ORDER BY verdict`,
    );
    assert.deepEqual(
      rows.map(([verdict, count]) => [verdict, Number(count)]),
      [
        ["listed", 1],
        ["not-listed", 299_999],
      ],
    );
    const found = query(`SELECT url, urlList(url) FROM ${table} WHERE urlVerdict(url) = 'listed'`);
    assert.deepEqual(found, [["http://h77.test/", "bad"]]);
  });
});
