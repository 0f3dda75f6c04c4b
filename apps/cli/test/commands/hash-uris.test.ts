import { createHash } from "node:crypto";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const publish = (argv: readonly string[], stdin: string | Uint8Array = "") =>
  run(["hash-uris", "--no-header", ...argv], { stdin });
const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("hex");

/** draft-feather-hashed-uri-03 §4.4 */
test.each([
  [["mailto:clive@demon.net", "--algorithm", "md5"], "md5=cd933f3b87ee60e58917448c9678ee32"],
  [["http://www.thus.net", "--algorithm", "md5"], "md5=be96302a0468481aca954431cf293e05"],
  [["http://www.thus.net"], "sha1=87ed28009f511ed7ef630180a229ba257180a481"],
  [["http://www.thus.net#end"], "sha1=87ed28009f511ed7ef630180a229ba257180a481"],
  [
    ["http://www.thus.net#end", "--keep-fragment"],
    "sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag",
  ],
  [["HTTP://www.Thus.net", "--algorithm", "md5"], "md5=be96302a0468481aca954431cf293e05"],
  [["http://10.20.30.40/a%62c", "--algorithm", "md5"], "md5=754a2c63a13aa2e8153d027066e31f8f"],
])("%j", async (argv, hashed) => {
  expect(await publish(argv)).toMatchObject({ status: 0, stdout: `hashed:${hashed}\n` });
});

test("--keep-query, --variant and --base", async () => {
  const sha1 = (text: string) => `hashed:sha1=${hex("sha1", text)}`;
  expect((await publish(["http://a/b?Q", "--keep-query"])).stdout).toBe(
    `${sha1("http://a/b?Q")}+query\n`,
  );
  expect((await publish(["http://a/B", "--variant", "P"])).stdout).toBe(`${sha1("http://a/b")}\n`);
  expect((await publish(["../c", "--base", "http://a/x/y/"])).stdout).toBe(
    `${sha1("http://a/x/c")}\n`,
  );
  const x = await publish(["http://a/b", "--algorithm", "x-sha256"]);
  expect(x.stdout).toBe(`hashed:x-sha256=${hex("sha256", "http://a/b")}\n`);
});

test("the query of an opaque URI is hashed, with a warning, and matches", async () => {
  const magnet = "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a";
  const mail = "mailto:a@b.example?subject=c";
  const sha1 = (text: string) => `hashed:sha1=${hex("sha1", text)}`;
  const published = await publish([magnet, mail, "http://a/b?c"]);
  expect(published.stdout).toBe(
    `${sha1(magnet)}+query\n${sha1(mail)}+query\n${sha1("http://a/b")}\n`,
  );
  expect(published.stderr).toMatch(/magnet:.* matches with this query only; .*--no-keep-query/);
  expect(published.stderr).toMatch(/mailto:.* matches with this query only/);

  const without = await publish([magnet, mail, "--no-keep-query"]);
  expect(without.stdout).toBe(`${sha1(magnet)}+query\n${sha1("mailto:a@b.example")}\n`);
  expect(without.stderr).toMatch(/magnet:.*hashed all the same/);
  expect(without.stderr).not.toContain("mailto:");
  expect((await publish([magnet, mail, "--keep-query"])).stderr).toBe("");

  const list = folder.write("hashed", published.stdout);
  const matched = await run(["match", "--list", list, magnet, `${magnet}0`, mail]);
  expect(matched.stdout.match(/hashed:/g)).toHaveLength(2);
});

test("an algorithm may be given in upper case", async () => {
  const { status, stdout } = await run(["hash-uris", "http://a/b", "--algorithm", "SHA1"]);
  expect(status).toBe(0);
  expect(stdout).toContain("# hashed-uri algorithm: sha1\n");
  expect(stdout).toContain(`\nhashed:sha1=${hex("sha1", "http://a/b")}\n`);
});

const LINES = "\ufeff# sites\nhttp://a/b\r\n\n \t# more\n  http://c/d\t\nnope\n";

test("comments and blanks are kept out; what is no URI is reported", async () => {
  const file = folder.write("sites", LINES);
  for (const [argv, stdin] of [
    [[], LINES],
    [["-"], LINES],
    [["--file", file], ""],
  ] as const) {
    const ran = await publish(argv, stdin);
    expect(ran.status).toBe(4);
    expect(ran.stdout).toBe(
      `hashed:sha1=${hex("sha1", "http://a/b")}\nhashed:sha1=${hex("sha1", "http://c/d")}\n`,
    );
    expect(ran.stderr).toMatch(
      /^urlhash: line 6: "nope" at index 0: expected an absolute URI.*\n$/,
    );
  }
});

test("an argument is no comment, and has no spaces around it", async () => {
  expect((await publish(["--base", "http://a/", "--keep-fragment", "#x"])).stdout).toBe(
    `hashed:sha1=${hex("sha1", "http://a/#x")}+frag\n`,
  );
  expect((await publish([" http://a/"])).status).toBe(4);
});

test("NDJSON", async () => {
  const { stdout } = await publish(["--ndjson"], LINES);
  const [first, second, error] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const value = hex("sha1", "http://a/b");
  expect(first).toEqual({
    line: 2,
    uri: "http://a/b",
    hashed: `hashed:sha1=${value}`,
    algorithm: "sha1",
    value,
    fragment: false,
    query: false,
  });
  expect(second).toMatchObject({ line: 5, uri: "http://c/d" });
  expect(error).toMatchObject({ line: 6, uri: "nope", error: { code: "base-missing", index: 0 } });
});

test("bytes that are not UTF-8 are refused, not guessed", async () => {
  const ran = await publish([], Buffer.from("http://a/\xe9\nhttp://a/\x1b\n", "latin1"));
  expect(ran).toMatchObject({ status: 4, stdout: "" });
  const [first, second] = ran.stderr.split("\n");
  expect(first).toBe('urlhash: line 1: "http://a/\\xe9" is not UTF-8');
  expect(second).toMatch(/^urlhash: line 2: "http:\/\/a\/\\u\{1b\}" at index 9: [ -~§]*$/);
});

test.each([
  [["--algorithm", "sha256"], '"sha256": expected "sha1", "md5" or'],
  [["--algorithm", "x-none"], "--algorithm x-none: expected sha1, md5 or x-sha256"],
  [["--algorithm", "\x1b[2J"], '"\\u{1b}[2J": expected'],
  [["--base", "relative"], '"relative" at index 0: expected an absolute URI as the base'],
  [["--variant", "n"], "option '--variant <variant>' cannot be 'n': "],
])("%j is a failure, before anything is written", async (argv, message) => {
  const ran = await publish([...argv, "http://a/"]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr.startsWith(`urlhash: ${message}`)).toBe(true);
});

test("comments say how the list was made, and match follows them", async () => {
  const options = ["--variant", "P", "--base", "http://a/", "--algorithm", "md5"];
  const { stdout } = await run(["hash-uris", ...options, "HTTP://A/B", "c"]);
  expect(stdout.split("\n").map((line) => line.replace(/\d{4}-.*Z$/, "TIME"))).toEqual([
    "# hashed-uri variant: P",
    "# hashed-uri base: http://a/",
    "# hashed-uri algorithm: md5",
    "# hashed-uri created: TIME",
    `hashed:md5=${hex("md5", "http://a/b")}`,
    `hashed:md5=${hex("md5", "http://a/c")}`,
    "# hashed-uri count: 2",
    "",
  ]);
  const list = folder.write("p.txt", stdout.split("\n").sort().join("\n"));
  const matched = await run(["match", "--list", list, "--ndjson", "http://A/b", "c"]);
  expect(matched).toMatchObject({ status: 1, stderr: "" });
  expect(matched.stdout.trimEnd().split("\n")).toHaveLength(2);

  for (const [option, said] of [
    [["--variant", "N"], "--variant P, not --variant N"],
    [["--base", "http://b/"], "--base http://a/, not --base http://b/"],
  ] as const) {
    expect(await run(["match", "--list", list, ...option, "c"])).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: ${list} was made with ${said}\n`,
    });
  }
});

test("lists of several variants are matched each by its own", async () => {
  const lists = await Promise.all(
    ["N", "P"].map(async (variant) => {
      const { stdout } = await run(["hash-uris", "--variant", variant, `http://${variant}/B`]);
      return folder.write(`${variant}.txt`, stdout);
    }),
  );
  const options = lists.flatMap((list) => ["--list", list]);
  const matches = async (uri: string) => (await run(["match", ...options, uri])).status;
  expect(await matches("http://p/b")).toBe(1);
  expect(await matches("http://n/b")).toBe(0);
  expect(await matches("http://n/B")).toBe(1);
});

test("a list that lost entries is reported", async () => {
  const { stdout } = await run(["hash-uris", "http://a/b", "http://c/d"]);
  const lines = stdout.split("\n").filter((_, i) => i !== 3);
  const list = folder.write("short.txt", lines.join("\n"));
  const ran = await run(["match", "--list", list, "http://a/b"]);
  expect(ran.status & 4).toBe(4);
  expect(ran.stderr).toBe(
    `urlhash: ${list} says that it has 2 hashed URIs, but has 1: part of it may be missing\n`,
  );
});

test("a URI that matches in one spelling only is named, and both can be published", async () => {
  const alone = await run(["hash-uris", "--no-header", "http://www.thus.net"]);
  expect(alone.stderr).toBe(
    "urlhash: warning: argument 1: http://www.thus.net matches in this spelling only, not as http://www.thus.net/ (--both-spellings publishes both)\n",
  );
  const both = await run(["hash-uris", "--both-spellings", "http://www.thus.net", "http://a/b"]);
  expect(both).toMatchObject({ status: 0, stderr: "" });
  expect(both.stdout).toContain("# hashed-uri count: 3\n");
  const list = folder.write("both.txt", both.stdout);
  for (const uri of ["http://www.thus.net", "http://www.thus.net/"]) {
    expect((await run(["match", "--list", list, uri])).status).toBe(1);
  }
});

const VIDEO = "http://www.youtube.example/watch?v=";

test("URIs that were hashed without a part are counted, and the warning names the options", async () => {
  const both = await publish([`${VIDEO}a#t`, `${VIDEO}b`, "http://a/b"]);
  expect(both.stderr).toBe(
    `urlhash: warning: 2 URIs were hashed without the query, so their entries match the same URI with every query (${VIDEO}a#t is the first): --keep-query hashes it, --no-keep-query accepts this
urlhash: warning: 1 URI was hashed without the fragment, so its entry matches the same URI with every fragment (${VIDEO}a#t): --keep-fragment hashes it, --no-keep-fragment accepts this
`,
  );
  for (const keep of ["keep", "no-keep"]) {
    const ran = await publish([`${VIDEO}a#t`, `--${keep}-query`, `--${keep}-fragment`]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
  }
});

test.each(["example.com:443", "localhost:8080/x", "intranet:8080", "EXAMPLE.com:80?q"])(
  "%s is probably a host and a port",
  async (uri) => {
    const warning = `write http://${uri} if a host and a port are meant`;
    expect((await publish([uri])).stderr).toContain(warning);
    const list = folder.write("empty-list", "hashed:md5=cd933f3b87ee60e58917448c9678ee32\n");
    expect((await run(["match", "--list", list, uri])).stderr).toContain(warning);
  },
);

test.each([
  "tel:112",
  "urn:a:1",
  "mailto:a@b",
  "isbn:0451450523",
  "news:1",
  "example.com:99999",
  "x-a:1",
])("%s is a URI", async (uri) => {
  expect(await publish([uri])).toMatchObject({ status: 0, stderr: "" });
});

test("a hashed URI that is hashed again has a warning, and one hash in all spellings", async () => {
  const ran = await publish(["hashed:sha1=ab+frag+query", "HASHED:SHA1=AB+QUERY+FRAG"]);
  const [first, second] = ran.stdout.split("\n");
  expect(first).toBe(second);
  expect(ran.stderr.match(/is already a hashed URI/g)).toHaveLength(2);
});

test("several algorithms make one list, as in §4.4, which matches by each", async () => {
  const { stdout, stderr } = await run([
    "hash-uris",
    "--algorithm",
    "md5,SHA1",
    "http://www.thus.net/x",
  ]);
  expect(stderr).toBe("");
  expect(stdout).toContain("# hashed-uri algorithm: md5, sha1\n");
  expect(stdout).toContain("# hashed-uri count: 2\n");
  const hashes = stdout.split("\n").filter((line) => line.startsWith("hashed:"));
  expect(hashes).toEqual([
    `hashed:md5=${hex("md5", "http://www.thus.net/x")}`,
    `hashed:sha1=${hex("sha1", "http://www.thus.net/x")}`,
  ]);
  for (const hash of hashes) {
    const lines = stdout.replace("count: 2", "count: 1").split("\n");
    const kept = lines.filter((line) => !line.startsWith("hashed:") || line === hash);
    const list = folder.write("one", kept.join("\n"));
    expect(await run(["match", "--list", list, "http://www.thus.net/x"])).toMatchObject({
      status: 1,
      stderr: "",
    });
  }
  const record = await publish(["--json", "--algorithm", "md5,sha1", "http://www.thus.net/x"]);
  expect(JSON.parse(record.stdout)[0]).toMatchObject({
    hashed: hashes[0],
    moreHashed: [hashes[1]],
  });
});

test("a fragment alone refers to an opaque base", async () => {
  const urn = "urn:uuid:85626792-9ee7-46bb-8fc8-4ba708cfdc1d";
  const [of, base] = await Promise.all([
    publish(["#a", "--no-keep-fragment", "--base", urn]),
    publish([urn]),
  ]);
  expect(of).toEqual(base);
  expect((await publish(["page", "--base", urn])).status).toBe(4);
});
