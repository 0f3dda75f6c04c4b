import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { example } from "../support/example.js";
import { program } from "../support/required-programs.js";
import { shellBlocks } from "../support/shell.js";
import { urlhashFolder } from "../support/urlhash.js";

const EXAMPLES = fileURLToPath(new URL("../../../../docs/examples/pipes", import.meta.url));
const parallel = program("parallel");
const LINES = 20_000;

describe("pipes", { timeout: 600_000 }, () => {
  let urlhash;
  let env;
  let urls;
  /** The output of a single process. */
  let expected;
  before(async () => {
    urlhash = urlhashFolder("pipes");
    urlhash.publish("bad", ["http://evil.test/"]);
    env = { ...urlhash.env, PATH: `${EXAMPLES}${delimiter}${urlhash.env.PATH}` };
    urls = Array.from({ length: LINES }, (_, i) => {
      if (i % 1000 === 0) return `http://evil.test/${i}`;
      const odd = ["", "mailto:x", "http://\u2065.test/", "http://www.paypal.com@h.test/"];
      return i % 777 === 0 ? odd[i % 4] : `http://h${i}.test/`;
    });
    writeFileSync(urlhash.path("urls.txt"), `${urls.join("\n")}\n`);
    expected = await run("urlhash-rows --list lists/bad.list < urls.txt");
    assert.equal(expected.split("\n").length, LINES + 1);
  });
  after(() => urlhash?.remove());

  /** Runs a script of the example in the folder. */
  async function run(script) {
    const options = { env, cwd: urlhash.path(""), maxBuffer: 2 ** 28 };
    return (await promisify(execFile)("/bin/sh", ["-ec", script], options)).stdout;
  }

  const blocks = shellBlocks(example("pipes/README.md"));
  const blockWith = (text) => blocks.find((block) => block.includes(text));

  test("GNU parallel", { skip: parallel.skip }, async () => {
    const script = blockWith("parallel --pipe").replace("10M", "100k");
    await run(script);
    assert.equal(readFileSync(urlhash.path("rows.tsv"), "utf8"), expected);
    await assert.rejects(run(script.replaceAll("bad.list", "none.list")));
  });

  test("xargs: finished files stay, and the work of a killed process is done again", async () => {
    const script = blockWith("xargs");
    await run(script);
    assert.equal(readFileSync(urlhash.path("rows.tsv"), "utf8"), expected);
    const parts = readdirSync(urlhash.path("parts")).filter((name) => /^\d+$/.test(name));
    assert.ok(parts.length > 1);

    // The process of one part is killed while it writes.
    const [lost] = parts;
    const [broken, folder] = [
      '#!/bin/sh\nhead -n 3 | urlhash check --tsv "$@"\nkill -9 $PPID\n',
      "broken",
    ];
    mkdirSync(urlhash.path(folder));
    writeFileSync(urlhash.path(`${folder}/urlhash-rows`), broken, { mode: 0o755 });
    await run(`rm parts/${lost}.rows`);
    const killed = spawn("check-part", [`parts/${lost}`, "--list", "lists/bad.list"], {
      env: { ...env, PATH: `${urlhash.path(folder)}${delimiter}${env.PATH}` },
      cwd: urlhash.path(""),
    });
    assert.equal((await once(killed, "exit"))[1], "SIGKILL");
    assert.ok(!readdirSync(urlhash.path("parts")).includes(`${lost}.rows`));
    await run(
      script
        .split("\n")
        .filter((line) => !line.startsWith("split"))
        .join("\n"),
    );
    assert.equal(readFileSync(urlhash.path("rows.tsv"), "utf8"), expected);
    await assert.rejects(run(`rm parts/*.rows; ${script.replaceAll("bad.list", "none.list")}`));
  });

  /** Like Spark's `pipe`: each partition goes through its own process, and is retried if that fails. */
  async function pipePartition(lines, command, killAfter) {
    for (let attempt = 0; ; attempt++) {
      assert.ok(attempt < 3);
      const child = spawn("/bin/sh", ["-c", command], { env, cwd: urlhash.path("") });
      const rows = [];
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8").on("data", (text) => {
        rows.push(text);
        if (attempt === 0 && killAfter) child.kill("SIGKILL");
      });
      child.stdin.end(lines.map((line) => `${line}\n`).join(""));
      const [status] = await once(child, "close");
      if (status === 0) return rows.join("");
    }
  }

  test("spark.pipe: any number of processes, and one that is killed is retried", async () => {
    const [, command] = /\.pipe\("([^"]*)"\)/.exec(example("pipes/README.md"));
    const here = command.replace("/var/lib/urlhash", urlhash.path("lists"));
    assert.notEqual(here, command);
    for (const partitions of [1, 3]) {
      const size = Math.ceil(LINES / partitions);
      const parts = Array.from({ length: partitions }, (_, i) =>
        urls.slice(i * size, (i + 1) * size),
      );
      const rows = await Promise.all(
        parts.map((lines, i) => pipePartition(lines, `exec ${here}`, partitions === 3 && i === 1)),
      );
      assert.equal(rows.join(""), expected);
    }
  });
});
