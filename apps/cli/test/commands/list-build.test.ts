import { readFileSync } from "node:fs";
import { decodePrefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.path("built.list");
const build = (argv: readonly string[], stdin = "") =>
  run(["list", "build", "-o", LIST, ...argv], { stdin });
const size = () => decodePrefixList(readFileSync(LIST)).size;
const hosts = (count: number) => Array.from({ length: count }, (_, i) => `${i}.example\n`).join("");

describe("suffixes of registries", () => {
  test.each(["com", "http://COM:80/", ".uk", "xn--p1ai", "\u0440\u0444"])(
    "%s needs --allow-broad",
    async (entry) => {
      const stdin = `${hosts(20)}${entry}\n`;
      const refused = await build([], stdin);
      expect(refused).toMatchObject({ status: 2, stdout: "" });
      expect(refused.stderr).toMatch(
        /line 21: ".*": expected a host below a suffix.*\(--allow-broad accepts it\)\n.*1 bad entry: .* is not written/,
      );
      expect(await build(["--skip-bad"], stdin)).toMatchObject({ status: 4 });
      expect(size()).toBe(20);
      const broad = await build(["--allow-broad"], stdin);
      expect(broad.status).toBe(0);
      expect(broad.stderr).toMatch(/line 21: \S+ covers a public suffix/);
      expect(size()).toBe(21);
    },
  );

  test("shared hosts get a warning, and hosts of an intranet none", async () => {
    const { status, stderr } = await build(
      [],
      "http://web.app/\ngithub.io\nhttp://intranet/\na.uk\n",
    );
    expect(status).toBe(0);
    expect(stderr.match(/line \d.*\)$/gm)).toEqual([
      "line 1: web.app/ covers a public suffix, and so the sites of many owners (public-suffix)",
      "line 2: github.io/ covers a public suffix, and so the sites of many owners (public-suffix)",
    ]);
  });
});

describe("hosts that are never blocked", () => {
  const listed = "shop.example\nhttps://shop.example/evil\na.www.shop.example\nbad.example\n";

  test("their entries, and those of the hosts above them, are left out and reported", async () => {
    const popular = folder.write("popular.txt", "# popular\nwww.shop.example\nother.example\n");
    const { status, stdout, stderr } = await build(["--never-block", popular], listed);
    expect([status, size()]).toEqual([0, 3]);
    expect(stdout).toContain("3 prefixes of 8 bytes from 3 entries");
    expect(stderr).toContain(
      "line 1: shop.example/ is left out, because www.shop.example is never blocked",
    );
    expect(stderr).not.toContain("line 2");
  });

  test("a list of only such entries has none", async () => {
    const popular = folder.write("popular.txt", "shop.example\n");
    const { status, stderr } = await build(["--never-block", popular], "shop.example\n");
    expect(status).toBe(2);
    expect(stderr).toContain("The source has no entries");
  });

  test("hashes and hash prefixes are compared, too", async () => {
    const popular = folder.write("popular.txt", "www.shop.example\n");
    const hashes = ["shop.example/", "bad.example/"].map((text) => fullHash(text));
    const source = hashes.map((hash) => `${toHex(hash.subarray(0, 8))}\n`).join("");
    const { stderr } = await build(["--input", "hex", "--never-block", popular], source);
    expect(size()).toBe(1);
    expect(stderr).toContain("line 1: the hash is left out, because www.shop.example");
  });

  test("a line that is no host is an error", async () => {
    const popular = folder.write("popular.txt", "good.example\nhttps://shop.example/\n");
    const { status, stderr } = await build(["--never-block", popular], listed);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /popular\.txt line 2: "https:\/\/shop\.example\/": expected a host alone/,
    );
  });
});

describe("URLs that mean something else", () => {
  test("both readings of a refused URL are named", async () => {
    const { status, stderr } = await build(
      ["--skip-bad"],
      `${hosts(20)}http://good.example%2F@evil.example/../\n`,
    );
    expect([status, size()]).toEqual([4, 20]);
    expect(stderr).toContain(
      'line 21: "http://good.example%2F@evil.example/../": expected a URL that browsers and the specification read ' +
        "alike (browsers open evil.example/, the specification reads good.example/)",
    );
  });

  test("warnings quote what was written", async () => {
    const { status, stderr } = await build(
      [],
      "http://shared.example/evil/%2e%2e%2f\nhttp://a.example/pass.php...\nwww.login.example.c\n",
    );
    expect(status).toBe(0);
    expect(stderr.match(/line \d.*\)$/gm)).toEqual([
      'line 1: shared.example/ is shorter than the URL in the source, because ".." removes a folder: ' +
        '"http://shared.example/evil/%2e%2e%2f" (path-collapsed)',
      'line 2: a.example/pass.php... was probably cut short: "http://a.example/pass.php..." (url-cut)',
      "line 3: www.login.example.c/ has no known top-level domain: the host may be misspelt or cut short " +
        "(top-level-domain-unknown)",
    ]);
  });

  test("a rule must end its host", async () => {
    const rules = "||roblox.com.$all\n||booking.com-id\n||metamask.matamaskloen$document\n";
    const { stderr } = await build(
      ["--skip-bad", "--max-refused", "100"],
      `||evil.com$all\n${rules}`,
    );
    expect(size()).toBe(1);
    expect(stderr.match(/line \d: "[^"]*": expected a rule for one host/g)).toHaveLength(3);
  });
});

describe("--verbose", () => {
  const bad = "a b\n".repeat(60);

  test("shows every bad entry and every warning", async () => {
    const stdin = `${hosts(600)}${bad}${"http://u@evil.example/\n".repeat(7)}`;
    const short = await build(["--skip-bad"], stdin);
    expect(short.stderr.match(/expected no spaces/g)).toHaveLength(50);
    expect(short.stderr).toContain("10 more bad entries (--verbose shows all)");
    expect(short.stderr).toContain("2 more of user-dropped (--verbose shows all)");
    const long = await build(["--skip-bad", "--verbose"], stdin);
    expect(long.stderr.match(/line \d+: "a b": expected no spaces/g)).toHaveLength(60);
    expect(long.stderr.match(/\(user-dropped\)$/gm)).toHaveLength(7);
    expect(long.stderr).not.toContain("more");
    expect(long.status).toBe(short.status);
  });

  test("names what does not apply", async () => {
    const source = folder.write("hosts", "127.0.1.1 laptop\n0.0.0.0 evil.example\n");
    const short = await build([source]);
    expect(short.stderr).toMatch(
      /hosts file \(2 of 2 lines\); 1 part does not apply \(--verbose shows all\)\n$/,
    );
    const long = await build(["--verbose", source]);
    expect(long.stderr).toContain('hosts line 1: "laptop" does not apply\n');
    expect(long.stderr).toMatch(/; 1 part does not apply\n$/);
  });
});

describe("--json", () => {
  const RULES = "||evil.example^\n||github.io^\nexample.com##.ad\n||bad.*^\n";
  const REFUSAL = { line: 4, lines: 1, code: "wildcard", text: "||bad.*^" };

  test("describes the list and its sources", async () => {
    const source = folder.write("rules.txt", RULES);
    const argv = ["--json", "--name", "rules", "--max-refused", "50", source];
    const { status, stdout, stderr } = await build(argv);
    expect([status, stderr]).toEqual([4, ""]);
    const { sources, ...record } = JSON.parse(stdout);
    const { checksum } = decodePrefixList(readFileSync(LIST));
    const lengths = [{ prefixBytes: 8, count: 2 }];
    expect(record).toEqual({
      written: true,
      problem: null,
      list: { file: LIST, name: "rules", prefixes: 2, lengths, checksum },
      entries: 2,
      refused: 1,
    });
    expect(sources).toEqual([
      {
        ...{ file: source, column: null, bytes: RULES.length, lines: 4 },
        recognition: expect.objectContaining({ format: "adblock" }),
        ...{ entries: 2, refused: 1, notApplicable: 1, warnings: 1, rowsLeftOut: [] },
        details: {
          refusals: [expect.objectContaining(REFUSAL)],
          leftOut: [],
          warnings: [expect.objectContaining({ line: 2, code: "public-suffix" })],
        },
      },
    ]);
    const verbose = JSON.parse((await build([...argv, "--verbose"])).stdout);
    expect(verbose.sources[0].details.notApplicable).toEqual([
      { line: 3, text: "example.com##.ad" },
    ]);
  });

  test("says why no list was written", async () => {
    const { status, stdout, stderr } = await build(["--json", "--input", "adblock"], RULES);
    const record = JSON.parse(stdout);
    expect(record).toMatchObject({ written: false, list: null, entries: 2, refused: 1 });
    expect(record.sources[0].details.refusals).toEqual([expect.objectContaining(REFUSAL)]);
    expect([status, stderr]).toEqual([2, `urlhash: ${record.problem}\n`]);
    const page = JSON.parse((await build(["--json"], "<!doctype html><p>x</p>")).stdout);
    expect(page.problem).toMatch(/^stdin: This looks like HTML/);
    expect(page.sources).toEqual([
      { file: "-", details: { refusals: [], warnings: [], leftOut: [] } },
    ]);
  });

  test("cannot go to stdout together with the list", async () => {
    const { stderr } = await run(["list", "build", "-o", "-", "--json"], {
      stdin: "evil.example\n",
    });
    expect(stderr).toBe("urlhash: --json and -o - both write to stdout\n");
  });
});

describe("JSON documents", () => {
  const records = (host: string) => [{ url: `http://${host}/a` }];

  test("are read where the path says, and the field is named", async () => {
    const feed = { host: "publisher.example", data: records("evil.example") };
    const { status, stderr } = await build(["--column", "data[].url"], JSON.stringify(feed));
    expect(status).toBe(0);
    expect(stderr).toContain("is read as one JSON document (its beginning, field data[].url)");
    expect(size()).toBe(1);
  });

  test("with several lists need a path, which the message offers", async () => {
    const feed = JSON.stringify({ new: records("evil.example"), old: records("bad.example") });
    const refused = await build(["--skip-bad"], feed);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      /a JSON document; it has "new\[\]\.url" \(1 value, such as "http:\/\/evil\.example\/a"\), "old\[\]\.url".* \(--column\)\n/,
    );
    expect(await build(["--column", "new[].url"], feed)).toMatchObject({ status: 0 });
    expect(size()).toBe(1);
    const unclear = await build(["--column", "*[].url"], feed);
    expect(unclear).toMatchObject({ status: 2, stdout: "" });
    expect(unclear.stderr).toMatch(/such as "\*=new", or "all"\. \(--where\)\n/);
    const all = await build(["--column", "*[].url", "--where", "all"], feed);
    expect(all).toMatchObject({ status: 0 });
    expect(size()).toBe(2);
  });
});

describe("sources that are not lists of what is blocked", () => {
  const refused: readonly (readonly [what: string, source: string, reason: RegExp])[] = [
    [
      "a Privoxy action file",
      `{+block{Malware}}\n${hosts(20)}{-block}\n.good.example\n`,
      /looks like a list with sections, such as "\{\+block\{Malware\}\}"/,
    ],
    ["hashes of files", `${"a1".repeat(32)}\n`, /as long as SHA-256.*\(--input hex\)/],
  ];

  test.each(refused)("%s is refused, also with --skip-bad", async (_, source, reason) => {
    for (const options of [[], ["--skip-bad"]]) {
      const ended = await build(options, source);
      expect(ended).toMatchObject({ status: 2, stdout: "" });
      expect(ended.stderr).toMatch(reason);
    }
  });
});
