import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DAY, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { parseSettings } from "../../src/cli/settings/settings-file.ts";
import { temporaryFolder } from "../support/command.ts";
import { runHere as run, runHereIn } from "../support/command-in-process.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const write = (name: string, ...lines: string[]) =>
  writeFileSync(join(folder.path, name), lines.map((line) => `${line}\n`).join(""));
const publish = (...args: string[]) => run(folder.path, "publish", "--store", "lists", ...args);
const init = () => run(folder.path, "init", "--store", "lists");

describe("init", () => {
  test("makes a store, and beside it a secret key and settings", async () => {
    const { status, stdout } = await init();
    expect(status).toBe(0);
    expect(stdout).toContain("urlhash-server publish --store lists malware=urls.txt");
    expect(readdirSync(folder.path).sort()).toEqual([
      "lists",
      "lists.except",
      "lists.key",
      "lists.pub",
      "lists.seen",
      "urlhash-server.yaml",
    ]);
    expect(readdirSync(join(folder.path, "lists"))).toEqual([]);
    if (process.platform !== "win32") {
      expect(statSync(join(folder.path, "lists.key")).mode & 0o777).toBe(0o600);
    }
    const settings = readFileSync(join(folder.path, "urlhash-server.yaml"), "utf8");
    expect(settings).toMatch(/^store: lists$/m);
    expect(await run(folder.path, "check")).toMatchObject({ status: 0 });
    const uncommented = settings.replaceAll(/^# ?(?=[a-z ]+:| +- )/gm, "");
    writeFileSync(join(folder.path, "urlhash-server.yaml"), uncommented);
    expect((await run(folder.path, "check")).stdout).toMatch(/^malware: 1 source$/m);
  });

  test("never replaces a key or a store", async () => {
    await init();
    const key = readFileSync(join(folder.path, "lists.key"));
    const again = await init();
    expect(again).toMatchObject({ status: 2 });
    expect(again.stderr).toMatch(/lists\.key exists; it was left as it is/);
    expect(readFileSync(join(folder.path, "lists.key"))).toEqual(key);
    write("urls.txt", "http://evil.example/");
    await publish("malware=urls.txt");
    expect((await init()).stderr).toMatch(/is not empty/);
  });

  test.each([
    ["web/direct", ""],
    ["web", "index.html"],
    ["forum/lists/direct", "forum/robots.txt"],
    ["Public/deep/er/direct", ""],
    ["site/www/direct", ""],
  ])("puts no key where a web server would show it: %s, beside %j", async (store, file) => {
    const top = join(folder.path, store.split("/")[0]!);
    mkdirSync(top);
    if (file !== "") write(file);
    const { status, stdout, stderr } = await run(folder.path, "init", "--store", store);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^urlhash-server: The signing key would be in .*\n$/);
    const names = readdirSync(folder.path, { recursive: true }).map(String);
    expect(names.filter((name) => /\.(?:key|except|seen)/.test(name))).toEqual([]);
    // The message says what to do instead.
    const [, elsewhere] = /--store (\S+), and copy it here/.exec(stderr) ?? [];
    if (file !== "index.html") {
      expect(await run(folder.path, "init", "--store", elsewhere!)).toMatchObject({ status: 0 });
      expect(statSync(`${elsewhere}.key`).mode & 0o777).toBe(0o600);
    }
    const [, files] = /use init --set files=(\S+)\n/.exec(stderr) ?? [];
    const insisted = await run(folder.path, "init", "--store", store, "--set", `files=${files!}`);
    expect(insisted).toMatchObject({ status: 0 });
    write("urls.txt", "http://evil.example/");
    expect(await run(folder.path, "publish", "--store", store, "malware=urls.txt")).toMatchObject({
      status: 0,
    });
  });
});

test("init puts no key where a symbolic link leads to a web root", async () => {
  mkdirSync(join(folder.path, "www/lists"), { recursive: true });
  symlinkSync(join(folder.path, "www"), join(folder.path, "link"), "junction");
  for (const store of ["link/direct", "link/lists/direct"]) {
    const { status, stderr } = await run(folder.path, "init", "--store", store);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/www: its name/),
    });
  }
  expect(readdirSync(join(folder.path, "www"))).toEqual(["lists"]);
});

describe("publish", () => {
  beforeEach(init);

  test("prints what was added and removed, and makes no version when nothing changed", async () => {
    write("urls.txt", "http://evil.example/", "# a comment", "", "http://bad.example/x");
    expect((await publish("malware=urls.txt")).stdout).toBe(
      `malware: version 1, 2 entries: 2 added, 0 removed
malware: clients know it as mw-4b (v5), MALWARE (v4), MALWARE (Web Risk)
`,
    );
    expect((await publish("malware=urls.txt")).stdout).toBe(
      "malware: unchanged at version 1, 2 entries\n",
    );
    write("urls.txt", "http://evil.example/");
    expect((await publish("malware=urls.txt")).stdout).toBe(
      "malware: version 2, 1 entry: 0 added, 1 removed\n",
    );
  });

  test("reads several lists from several sources", async () => {
    write("a.txt", "http://a.example/");
    write("b.txt", "http://b.example/");
    const { stdout } = await publish("malware=a.txt", "intranet=b.txt", "malware=b.txt");
    expect(stdout).toMatch(/^malware: version 1, 2 entries/m);
    expect(stdout).toMatch(/^intranet: version 1, 1 entry/m);
  });

  test("publishes nothing when a line is refused, and says which", async () => {
    write("bad.txt", ...Array.from({ length: 20 }, (_, i) => `http://${i}.example/`), "http://");
    const refused = await publish("malware=bad.txt");
    expect(refused.status).toBe(1);
    expect(refused.stdout).toBe("");
    expect(refused.stderr).toMatch(
      /bad\.txt:21: "http:\/\/" was refused: expected .*\n.*bad\.txt: correct the refused lines.*\n.*Nothing was published/,
    );
    expect(existsSync(join(folder.path, "lists", "lists"))).toBe(false);
    const { status, stdout } = await publish("malware=bad.txt", "--set", "skip-bad=true");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^malware: version 1, 20 entries: 20 added, 0 removed\n/m);
  });

  test("reads what lists come as", async () => {
    write("hosts", "127.0.1.1 laptop", "0.0.0.0 evil.example # why", "0.0.0.0 bad.example");
    write("filters.txt", "! Title: filters", "||worse.example^", "example.com##.ad");
    write("feed.csv", "id,link", "1,http://a.example/x", "2,http://b.example/y");
    const { stdout, stderr } = await publish("malware=hosts", "malware=filters.txt");
    expect(stdout).toMatch(/^malware: version 1, 3 entries/m);
    expect(stderr).toMatch(/hosts: read as a hosts file; 1 part of it did not apply/);
    const csv = await publish("malware=feed.csv", "--input", "csv", "--column", "link");
    expect(csv.stdout).toMatch(/^malware: version 2, 2 entries: 2 added, 3 removed/m);
  });

  test("says how each source was read, and which column was taken", async () => {
    write("hosts", "0.0.0.0 evil.example", "0.0.0.0 bad.example");
    write("feed.csv", "id;host;note", "1;a.example;x", "2;b.example;x");
    write("feed.json", '["c.example",', '"d.example"]');
    write("urls.txt", "http://e.example/", "http://f.example/");
    const sources = ["hosts", "feed.json", "urls.txt"];
    const { stdout, stderr } = await publish(...sources.map((source) => `malware=${source}`));
    expect(stderr).toBe("");
    expect(stdout).toBe(
      `malware: hosts is read as a hosts file (2 of 2 lines)
malware: feed.json is read as one JSON document (its beginning, field [])
malware: version 1, 6 entries: 6 added, 0 removed
malware: clients know it as mw-4b (v5), MALWARE (v4), MALWARE (Web Risk)
`,
    );
    const again = await publish(...sources.map((source) => `malware=${source}`));
    expect(again.stdout).toBe("malware: unchanged at version 1, 6 entries\n");
    const named = await publish("a=feed.csv", "--input", "csv", "--column", "host");
    expect(named.stdout).not.toContain("is read as");
    const found = await publish("b=feed.csv", "--column", "host");
    expect(found.stdout).toMatch(
      /^b: feed\.csv is read as a table \(CSV\) \(its header, column host\)$/m,
    );
  });

  test("refuses the host of a brand beside the URL of its imitation", async () => {
    write("brand.csv", "brand,host,phish_url", "PayPal,paypal.com,http://evil.example/p");
    for (const more of [[], ["--set", "skip-bad=true"]]) {
      const { status, stdout, stderr } = await publish("malware=brand.csv", ...more);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /brand\.csv: .*a table; it has .*"host" .*, "phish_url" .* \(--column, or column in the settings\)/,
      );
    }
    const named = await publish("malware=brand.csv", "--column", "phish_url");
    expect(named.stdout).toMatch(/^malware: version 1, 1 entry: 1 added/m);
    expect(named.stdout).toContain("column phish_url");
  });

  test("refuses what is no list, whatever --skip-bad says", async () => {
    write("page.html", "<!doctype html><title>Not found</title>");
    write("mixed.txt", "http://a.example/", "http://b.example/", "not a url");
    for (const name of ["page.html", "mixed.txt"]) {
      expect(await publish(`malware=${name}`, "--set", "skip-bad=true")).toMatchObject({
        status: 1,
        stdout: "",
      });
    }
  });

  test.each([
    ["a download that was cut short", "http://docs.example/a\nhttp://docs.example", "line end"],
    ["rows in quotes", 'url,x\na.example,"\nb.example,y\nc.example,"\n', "next row"],
    ["an error", '{"error":"no","url":"https://docs.example/"}\n', "the path of the entries"],
  ])("refuses %s", async (_, text, message) => {
    writeFileSync(join(folder.path, "source"), text);
    const column = text.startsWith("url") ? ["--column", "url"] : [];
    const refused = await publish("malware=source", ...column);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain(message);
    expect(readdirSync(join(folder.path, "lists"))).toEqual([]);
  });

  test("reads the rows of a table that its publisher means", async () => {
    const rows = ["url,verdict", "http://a.example/,bad", "http://b.example/,good"];
    write("table.csv", ...rows);
    const table = ["malware=table.csv", "--column", "url"] as const;
    const refused = await publish(...table);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /"verdict" is "bad" .*, "good" .*"verdict=bad".* \(--where, or where in the settings\)/,
    );
    const where = ["--where", "verdict=bad"] as const;
    const first = await publish(...table, ...where);
    expect(first.stdout).toMatch(/version 1, 1 entry/);
    expect(first.stderr).toContain('table.csv: 1 row with "verdict" of "good" was left out');
    // A value that was not there before is named.
    write("table.csv", ...rows, "http://c.example/,worse", "http://d.example/,bad");
    const second = await publish(...table, ...where);
    expect(second.stderr).toContain(
      '1 row with "verdict" of "worse" was left out; this value is new',
    );
    // What is refused leaves the last version in use.
    expect((await publish(...table)).status).toBe(1);
    const all = await publish(...table, "--where", "all");
    expect(all.stdout).toMatch(/version 3, 4 entries/);
  });

  test("always shows warnings about the last line", async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `192.0.2.1,http://x.example:80/${i}`);
    writeFileSync(join(folder.path, "table.csv"), `ip,url\n${rows.join("\n")}`);
    const { status, stderr } = await publish("malware=table.csv", "--column", "url");
    expect(status).toBe(0);
    expect(stderr).toContain("table.csv:21: warning: x.example/19 is on the last line");
  });

  test("refuses hash prefixes, which no client could confirm", async () => {
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update("evil.example/").digest("hex");
    write("full.txt", hash);
    write("short.txt", hash.slice(0, 32));
    const unclear = await publish("malware=full.txt");
    expect(unclear.status).toBe(1);
    expect(unclear.stderr).toMatch(/hashes as long as SHA-256, which are usually those of files/);
    const full = await publish("malware=full.txt", "--input", "hex");
    expect(full.stdout).toMatch(/version 1, 1 entry/);
    write("mixed.txt", hash, hash.slice(0, 32));
    for (const file of ["short.txt", "mixed.txt"]) {
      const { status, stdout, stderr } = await publish(`malware=${file}`, "--input", "hex");
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/expected a full hash; a prefix of 16 bytes can never be confirmed/);
    }
  });

  test("warns of entries that cover a shared host", async () => {
    write("urls.txt", "http://github.io/", "http://someone.github.io/");
    const { status, stderr } = await publish("malware=urls.txt");
    expect(status).toBe(0);
    expect(stderr).toMatch(/urls\.txt:1: warning: github\.io\/ covers a public suffix/);
    expect(stderr).not.toMatch(/urls\.txt:2/);
  });

  test("refuses empty sources, unless they are meant", async () => {
    write("empty.txt", "# nothing");
    expect(await publish("malware=empty.txt")).toMatchObject({ status: 1, stdout: "" });
    expect((await publish("malware=empty.txt", "--set", "allow-empty=true")).stdout).toMatch(
      /version 1, 0 entries/,
    );
  });

  test("says once what clients call a new list", async () => {
    write("urls.txt", "http://evil.example/");
    const lists = ["intranet=urls.txt", "potentially-harmful-application=urls.txt"];
    const { stdout } = await publish(...lists);
    expect(stdout).toContain(
      "intranet: clients know it as intranet-4b (v5); it has no name in v4 or Web Risk\n",
    );
    expect(stdout).toContain(
      "application: clients know it as pha-4b (v5), POTENTIALLY_HARMFUL_APPLICATION (v4); it has no name in Web Risk\n",
    );
    write("urls.txt", "http://evil.example/", "http://bad.example/");
    expect((await publish(...lists)).stdout).not.toContain("clients know it");
  });

  test("refuses suffixes of registries, unless they are meant", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `http://${i}.example/`);
    for (const suffix of ["com", "co.uk"]) {
      // A first line that is one word would be the header of a table.
      write("urls.txt", ...names, suffix);
      const refused = await publish("malware=urls.txt");
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain(`urls.txt:21: "${suffix}" was refused: `);
      expect(refused.stderr).toContain("--set allow-broad=true");
    }
    expect((await publish("malware=urls.txt", "--set", "allow-broad=true")).stdout).toMatch(
      /21 entries/,
    );
  });

  test("other warnings hide none about hosts that many people share", async () => {
    const deep = Array.from({ length: 20 }, (_, i) => `http://u@evil.example/${i}`);
    write("urls.txt", ...deep, "web.app", "github.io", "http://vercel.app/");
    const { stderr } = await publish("malware=urls.txt");
    for (const host of ["web.app", "github.io", "vercel.app"])
      expect(stderr).toContain(`warning: ${host}/ covers a public suffix`);
  });

  test("writes nothing in a dry run", async () => {
    write("urls.txt", "http://evil.example/");
    const { stdout } = await publish("malware=urls.txt", "--dry-run");
    expect(stdout).toBe("malware: would be version 1, 1 entry: 1 added, 0 removed\n");
    expect(readdirSync(join(folder.path, "lists"))).toEqual([]);
    expect(readFileSync(join(folder.path, "lists.seen"), "utf8")).toBe("{}\n");
  });

  test.each([
    [["urls.txt"], /Expected NAME=SOURCE/],
    [["Malware=urls.txt"], /"Malware" cannot name a list/],
    [["malware=missing.txt"], /missing\.txt does not exist\n$/],
    [["malware=."], /: \. is a directory\n$/],
    [
      ["malware=urls.txt", "--set", "signing-key=missing.key"],
      /The signing key .*missing\.key does not exist/,
    ],
    [["malware=urls.txt", "--set", "lifetime=soon"], /expected a duration/],
    [
      ["malware=urls.txt", "--set", "signing-key=lists.pub"],
      /The file \S*lists\.pub does not contain a signing key/,
    ],
  ])("refuses %j", async (args, message) => {
    write("urls.txt", "http://evil.example/");
    const { status, stdout, stderr } = await publish(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("refuses a store that was rolled back", async () => {
    for (const name of ["a", "b"]) {
      write("urls.txt", `http://${name}.example/`);
      await publish("malware=urls.txt");
    }
    unlinkSync(join(folder.path, "lists", "lists", "malware", "v", "000000000002"));
    const { status, stderr } = await publish("malware=urls.txt");
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /The list malware was rolled back: it is at version 1, but version 2 was seen/,
    );
  });

  test.skipIf(process.platform === "win32").each<[string, (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a link that leads nowhere", (path) => symlinkSync("nowhere", path)],
  ])("ends when %s is in the place of the next version", async (_, make) => {
    write("urls.txt", "http://evil.example/");
    await publish("malware=urls.txt");
    make(join(folder.path, "lists/lists/malware/v/000000000002"));
    write("urls.txt", "http://evil.example/", "http://bad.example/");
    const { status, stderr } = await publish("malware=urls.txt");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^urlhash-server: Version 2 of malware can be neither created nor read/);
  });

  test("warns when nothing says which versions were seen", async () => {
    write("urls.txt", "http://a.example/");
    expect((await publish("malware=urls.txt")).stderr).toBe("");
    unlinkSync(join(folder.path, "lists.seen"));
    write("urls.txt", "http://b.example/");
    const { status, stderr } = await publish("malware=urls.txt");
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^urlhash-server: warning: the file of seen versions .*lists\.seen does not exist/,
    );
    expect((await publish("malware=urls.txt")).stderr).toBe("");
  });

  test("notices an old copy of any list after the file of seen versions was made again", {
    tags: "deep",
  }, async () => {
    const lists = ["malware=urls.txt", "social-engineering=urls.txt", "third-party=urls.txt"];
    for (const host of ["a.example", "b.example"]) {
      write("urls.txt", `http://${host}/`);
      await publish(...lists);
    }
    unlinkSync(join(folder.path, "lists.seen"));
    write("urls.txt", "http://c.example/");
    await publish("malware=urls.txt");
    await run(folder.path, "withdraw", "third-party", "--store", "lists");
    const seen = JSON.parse(readFileSync(join(folder.path, "lists.seen"), "utf8"));
    const versions = Object.entries<{ version: number }>(seen).map(([name, { version }]) => [
      name,
      version,
    ]);
    expect(versions).toEqual([
      ["malware", 3],
      ["social-engineering", 2],
      ["third-party", 3],
    ]);
    const newest = ["lists", "lists", "social-engineering", "v", "000000000002"];
    unlinkSync(join(folder.path, ...newest));
    const { status, stderr } = await publish("social-engineering=urls.txt");
    expect(status).toBe(2);
    expect(stderr).toMatch(/The list social-engineering was rolled back/);
  });

  test("refuses to sign before the newest version's time, unless the clock is right", async () => {
    const signer = await signerOf(readFileSync(join(folder.path, "lists.key"), "utf8"));
    const storage = directoryStorage(join(folder.path, "lists"));
    const ahead = { now: () => Date.now() + 400 * DAY };
    await publisher(storage, signer)("malware", ["a.example/"], ahead);
    write("urls.txt", "http://b.example/");
    for (const args of [["malware=urls.txt"], ["malware=urls.txt", "--dry-run"]]) {
      const refused = await publish(...args);
      expect({ ...refused, stderr: "" }).toEqual({ status: 2, stdout: "", stderr: "" });
      expect(refused.stderr).toMatch(/version 1 of malware was signed at .*or use --trust-clock/);
    }
    const { stdout } = await publish("malware=urls.txt", "--trust-clock");
    expect(stdout).toMatch(/^malware: version 2, 1 entry/m);
    expect(await publish("malware=urls.txt")).toMatchObject({ status: 0, stderr: "" });
  });

  // Windows has no named pipes in folders.
  test.skipIf(process.platform === "win32")(
    "--watch refuses a pipe, which can be read only once",
    async () => {
      execFileSync("mkfifo", [join(folder.path, "pipe")]);
      const { status, stderr } = await publish("malware=pipe", "--watch");
      expect(status).toBe(2);
      expect(stderr).toBe("urlhash-server: --watch needs files, but pipe is not a regular file\n");
    },
  );
});

describe("log, show, withdraw, gc, key", () => {
  beforeEach(async () => {
    await init();
    for (const name of ["a", "b", "c"]) {
      write("urls.txt", `http://${name}.example/`);
      await publish("malware=urls.txt");
    }
  });

  test("log shows the versions, newest first", async () => {
    const { stdout } = await run(folder.path, "log", "--store", "lists");
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split("\t")),
    ).toEqual([
      ["malware", "v3", expect.any(String), "1", "+1 -1"],
      ["malware", "v2", expect.any(String), "1", "+1 -1"],
      ["malware", "v1", expect.any(String), "1", "+1 -0"],
    ]);
    const one = await run(folder.path, "log", "--store", "lists", "malware", "-n", "1");
    expect(one.stdout.trim().split("\n")).toHaveLength(1);
    expect(await run(folder.path, "log", "--store", "lists", "other")).toMatchObject({ status: 2 });
  });

  test("on a terminal, log shows a table with a header, dates and grouped numbers", async () => {
    const more = Array.from({ length: 1234 }, (_, i) => `http://x${i}.example/`);
    write("urls.txt", ["http://c.example/", ...more].join("\n"));
    await publish("malware=urls.txt");
    const { stdout } = await runHereIn({ terminal: 80 }, folder.path, "log", "--store", "lists");
    const day = /\d{4}-\d\d-\d\d \d\d:\d\dZ/g;
    expect(stdout.replace(day, "DAY").split("\n")).toEqual([
      "LIST     VERSION  ISSUED             ENTRIES  CHANGE",
      "malware       v4  DAY    1,235  +1,234 -0",
      "malware       v3  DAY        1  +1 -1",
      "malware       v2  DAY        1  +1 -1",
      "malware       v1  DAY        1  +1 -0",
      "",
    ]);
  });

  test("log --json writes one array, and --ndjson its members on lines", async () => {
    const log = (...options: string[]) =>
      run(folder.path, "log", "--store", "lists", "-n", "2", ...options);
    const array = JSON.parse((await log("--json")).stdout);
    const issued = expect.stringMatching(/^20\d\d-.*Z$/);
    const same = {
      list: "malware",
      issued,
      entries: 1,
      added: 1,
      withdrawn: false,
      retired: false,
      restores: null,
    };
    expect(array).toEqual([
      { ...same, version: 3, removed: 1 },
      { ...same, version: 2, removed: 1 },
    ]);
    const lines = (await log("--ndjson")).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(array);
    expect((await log("--json", "--ndjson")).status).toBe(2);
  });

  test("show verifies what it shows", async () => {
    const { status, stdout } = await run(folder.path, "show", "--store", "lists", "malware", "2");
    expect(status).toBe(0);
    expect(stdout).toContain('"version": 2');
    expect(stdout).toMatch(/The signature is good/);
    await run(folder.path, "init", "--store", "other");
    const foreign = await run(
      folder.path,
      "show",
      "--store",
      "lists",
      "malware",
      "2",
      "--set",
      "public-keys=other.pub",
    );
    expect(foreign).toMatchObject({ status: 2 });
    expect(foreign.stderr).toMatch(/not signed by a trusted key/);
  });

  test.each([
    ["show", "malware", "x"],
    ["show", "Malware"],
    ["show", "malware", "9"],
    ["log", "-n", "x"],
    ["log", "../lists"],
    ["withdraw", "a b"],
    ["publish"],
  ])("%s %s %s is refused in one sentence", async (...args) => {
    const { status, stdout, stderr } = await run(
      folder.path,
      args[0]!,
      "--store",
      "lists",
      ...args.slice(1),
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^urlhash-server: [^\n]+\n$/);
  });

  test("show names a version that does not exist, even if it is 0", async () => {
    for (const version of ["0", "9"]) {
      const { stderr } = await run(folder.path, "show", "--store", "lists", "malware", version);
      expect(stderr).toBe(`urlhash-server: The store has no version ${version} of list malware\n`);
    }
  });

  test("withdraw publishes an empty list, once", async () => {
    const withdraw = () => run(folder.path, "withdraw", "--store", "lists", "malware");
    expect((await withdraw()).stdout).toBe("malware: withdrawn, version 4\n");
    expect((await withdraw()).stdout).toBe("malware: withdrawn, version 4\n");
    expect((await run(folder.path, "log", "--store", "lists", "-n", "1")).stdout).toMatch(
      /withdrawn$/m,
    );
    expect(await run(folder.path, "withdraw", "--store", "lists", "other")).toMatchObject({
      status: 2,
    });
  });

  test("withdraw refuses a key that readers do not trust: they would refuse its version", {
    tags: "deep",
  }, async () => {
    await run(folder.path, "init", "--store", "other");
    const args = ["withdraw", "--store", "lists", "malware", "--set", "signing-key=other.key"];
    expect(await run(folder.path, ...args)).toEqual({
      status: 2,
      stdout: "",
      stderr: "urlhash-server: The signing key does not belong to one of the public keys\n",
    });
    expect((await run(folder.path, "log", "--store", "lists")).stdout).toMatch(/^malware\tv3\t/);
  });

  test("a withdrawn list stays so until the operator resumes, and is compared with what it had", {
    tags: "deep",
  }, async () => {
    const hosts = (count: number) =>
      Array.from({ length: count }, (_, i) => `http://h${i}.example/`);
    write("urls.txt", ...hosts(300));
    await publish("malware=urls.txt");
    await run(folder.path, "withdraw", "--store", "lists", "malware");
    const held = await publish("malware=urls.txt", "--set", "metrics=lists.prom");
    expect(held).toEqual({
      status: 0,
      stdout: "malware: unchanged at version 5, 0 entries\n",
      stderr:
        "urlhash-server: malware: version 5 stays in use, because the list was withdrawn, although its sources have other entries; when the sources are good again, publish once with --resume\n",
    });
    expect(readFileSync(join(folder.path, "lists.prom"), "utf8")).toMatch(
      /\{list="malware",reason="withdrawal"\} 1$/m,
    );
    write("urls.txt", ...hosts(269));
    const short = await publish("malware=urls.txt", "--resume");
    expect(short).toMatchObject({ status: 1, stdout: "" });
    expect(
      short.stderr,
    ).toBe(`urlhash-server: malware: it had 300 entries before it was withdrawn, and would have 269; at most 30 may go, so version 5 stays in use
urlhash-server: malware: check the sources; if they are right, publish once with --set lists.malware.max-removed=31
urlhash-server: Nothing was published.
`);
    write("urls.txt", ...hosts(270));
    expect((await publish("malware=urls.txt", "--resume")).stdout).toMatch(/version 6, 270/);
    write("urls.txt", ...hosts(271));
    expect((await publish("malware=urls.txt")).stdout).toMatch(/version 7, 271 entries/);
  });

  test("gc deletes what nothing needs", { tags: "deep" }, async () => {
    const gc = (...args: string[]) =>
      run(
        folder.path,
        "gc",
        "--store",
        "lists",
        "--set",
        "keep.versions=1",
        "--set",
        "keep.differences=1",
        ...args,
      );
    expect((await gc()).stdout).toMatch(/^Deleted 0 objects/);
    expect((await gc("--set", "keep.unused=0s", "--dry-run")).stdout).toMatch(
      /^Would delete [1-9]/m,
    );
    expect((await gc("--set", "keep.unused=0s")).stdout).toMatch(/^Deleted [1-9]/);
    expect((await gc("--set", "keep.unused=0s")).stdout).toMatch(/^Deleted 0 objects/);
    const { stdout } = await run(folder.path, "show", "--store", "lists", "malware");
    expect(stdout).toMatch(/The signature is good/);
  });

  test("key prints a key and its hash", async () => {
    const { stdout } = await run(folder.path, "key", "malware", "intranet");
    const [, key, readers] = /\n {2}(\S+)\n[\s\S]*\n(readers:\n[\s\S]*)$/.exec(stdout)!;
    const { settings } = parseSettings(readers!, "f.yaml");
    const { "key-sha256": hash, lists } = settings.readers["somebody"]!;
    expect(lists).toEqual(["malware", "intranet"]);
    const { createHash } = await import("node:crypto");
    expect(createHash("sha256").update(key!).digest("hex")).toBe(hash);
  });

  test("help and version", { tags: "deep" }, async () => {
    expect((await run(folder.path, "--help")).stdout).toMatch(/publish .*serve /s);
    expect((await run(folder.path, "--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await run(folder.path, "serv")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/serve/),
    });
  });
});
