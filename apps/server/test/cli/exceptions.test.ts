import { createHash } from "node:crypto";
import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "../support/command.ts";
import { newFeed } from "../support/feed.ts";
import { linesOf } from "../support/json-log.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

const UTF_16 = Buffer.from("\ufeffgood.example\r\n", "utf16le");

describe.each<[string, Buffer, RegExp]>([
  ["in UTF-16", UTF_16, /is not text in UTF-8: convert it first/],
  ["in UTF-16 without a mark", UTF_16.subarray(2), /This looks like .*: expected /],
  ["in Latin-1", Buffer.from("caf\xe9.example\n", "latin1"), /is not text in UTF-8/],
  ["that is a program", Buffer.from("\x7fELF\x02\x01\0"), /This looks like a program: expected /],
])("a file of exceptions %s", (_, bytes, problem) => {
  const oneLine = /^urlhash-server: \S*[^\n]*lists\.except[^\n]*\n$/;

  test("is refused in one sentence that names it", { tags: "deep" }, async () => {
    operator.write("urls.txt", ...hosts(0, 3));
    await operator.publish("malware=urls.txt");
    writeFileSync(join(operator.path, "lists.except"), bytes);
    for (const [command, ...args] of [
      ["publish", "malware=urls.txt"],
      ["rollback", "malware", "1"],
      ["except add", "good.example"],
    ]) {
      const ran = await operator.run(command!, ...args);
      expect(ran).toMatchObject({ status: 2, stdout: "" });
      expect(ran.stderr).toMatch(problem);
      expect(ran.stderr).toMatch(oneLine);
    }
  });

  test("is reported by --watch, which goes on", { tags: "deep" }, async () => {
    operator.write("urls.txt", ...hosts(0, 3));
    await operator.publish("malware=urls.txt");
    writeFileSync(join(operator.path, "lists.except"), bytes);
    operator.write("urls.txt", ...hosts(0, 4));
    const metrics = join(operator.path, "lists.prom");
    const watched = operator.publish("malware=urls.txt", "--watch", "--set", `metrics=${metrics}`);
    await waitFor("the metrics", () => {
      return existsSync(metrics) && operator.read("lists.prom").includes('reason="failure"} 1');
    });
    operator.write("lists.except");
    await waitFor("version 2", async () => (await operator.log("malware")).length === 2);
    process.emit("SIGTERM");
    const { status, stdout, stderr } = await watched;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const failures = linesOf({ stdout: () => stdout }).filter(({ level }) => level === 50);
    expect(failures).toEqual([
      expect.objectContaining({ list: "malware", msg: expect.stringMatching(problem) }),
    ]);
  });
});

describe("except", () => {
  beforeEach(async () => {
    operator.write(
      "urls.txt",
      ...hosts(0, 3),
      "http://evil.example/",
      "http://evil.example/login/",
    );
    await operator.publish("malware=urls.txt");
  });

  test("add says at once which entries block the URL", async () => {
    const { status, stdout } = await operator.run("except add", "http://evil.example/login/");
    expect(status).toBe(0);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^Added evil\.example\/login\/ to .*lists\.except$/),
      "malware has evil.example/login/ in version 1: the next publish leaves it out",
      "malware has evil.example/ in version 1: it still blocks evil.example/login/, unless you add it, too",
      "",
    ]);
    expect((await operator.run("except add", "good.example")).stdout).toMatch(
      /^No list in the store has an entry that blocks good\.example\/$/m,
    );
    expect((await operator.run("except add", "http://GOOD.example:80/")).stdout).toMatch(
      /^good\.example\/ is already in .*$/m,
    );
    expect(operator.read("lists.except")).toMatch(
      /^# Exceptions: .*\nevil\.example\/login\/\ngood\.example\/\n$/,
    );
  });

  test("add finds entries that only clients of v5 look up for the URL", async () => {
    operator.write("urls.txt", "http://f.co.uk/");
    await operator.publish("malware=urls.txt", "--set", "max-removed=100%");
    const { stdout } = await operator.run("except add", "http://a.b.c.d.e.f.co.uk/");
    expect(stdout).toMatch(/malware has f\.co\.uk\/ in version 2: it still blocks/);
  });

  test.each(["http://", "", "# x", "a.example\nb.example"])("add %j is refused", async (text) => {
    const before = operator.read("lists.except");
    const { status, stderr } = await operator.run("except add", "good.example", text);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^urlhash-server: [^\n]+\n$/);
    expect(operator.read("lists.except")).toBe(before);
  });

  test("add names an argument that it refuses", async () => {
    expect((await operator.run("except add", "not a host")).stderr).toMatch(
      /^urlhash-server: "not a host" was refused: expected /,
    );
  });
});

describe("publish with exceptions", () => {
  test("leaves them out, and says what covers or is covered", {
    tags: "deep",
  }, async () => {
    operator.write(
      "urls.txt",
      ...["http://good.example/", "http://good.example/below", "http://example.org/"],
      ...["http://[2001:db8::1]/", "http://bad.example/"],
    );
    operator.write("lists.except", "good.example", "www.example.org", "http://[2001:db8::1]/");
    const { status, stdout, stderr } = await operator.publish("malware=urls.txt");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^malware: version 1, 3 entries: 3 added/m);
    expect(stderr.replaceAll(/\(\S*lists\.except/g, "(lists.except").split("\n")).toEqual([
      "urlhash-server: urls.txt:2: warning: good.example/below is published, although the exception good.example/ (lists.except:1) covers it",
      "urlhash-server: malware: good.example/ was left out (lists.except:1)",
      "urlhash-server: malware: [2001:db8::1]/ was left out (lists.except:3)",
      "urlhash-server: malware: warning: www.example.org/ is an exception (lists.except:2), but example.org/ still blocks it",
      "",
    ]);
  });

  test("leaves out entries that are given as hashes", async () => {
    const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
    operator.write("hashes.txt", hashOf("good.example/"), hashOf("evil.example/"));
    operator.write("lists.except", "good.example", "http://evil.example/x");
    const { stdout, stderr } = await operator.publish("malware=hashes.txt", "--input", "hex");
    expect(stdout).toMatch(/version 1, 1 entry/);
    expect(stderr).toMatch(/evil\.example\/x is an exception .*, but evil\.example\/ still blocks/);
  });

  test("removing one publishes the entry again", { tags: "deep" }, async () => {
    operator.write("urls.txt", "http://good.example/", "http://evil.example/");
    await operator.publish("malware=urls.txt");
    await operator.run("except add", "good.example");
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 2, 1 entry/);
    operator.write("lists.except");
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 3, 2 entries/);
  });

  test("takes those of Adblock rules for their own source, wherever they are", async () => {
    operator.write(
      "filters.txt",
      ...["! Title: filters", "@@||early.example^", "||evil.example^", "||good.example^"],
      ...["||early.example^", "||good.example/x^", "@@||good.example^", "@@||sub.evil.example^"],
    );
    operator.write("urls.txt", "http://good.example/");
    const { stdout, stderr } = await operator.publish("malware=filters.txt", "malware=urls.txt");
    expect(stdout).toMatch(/^malware: version 1, 4 entries/m);
    expect(stderr).toMatch(/malware: good\.example\/ was left out \(filters\.txt:7\)/);
    expect(stderr).toMatch(/malware: early\.example\/ was left out \(filters\.txt:2\)/);
    expect(stderr).toMatch(
      /sub\.evil\.example\/ is an exception \(filters\.txt:8\), but evil\.example\/ still blocks it/,
    );
    // An exception of one list does not apply to the others.
    expect((await operator.publish("intranet=urls.txt")).stdout).toMatch(/version 1, 1 entry/);
  });

  test("lets Adblock rules leave out only entries of their own source", {
    tags: "deep",
  }, async () => {
    operator.write(
      "filters.txt",
      ...["! Title: filters", "||own.example^", "||both.example^", "||evil.example^"],
      ...["@@||own.example^", "@@||both.example^", "@@||other.example^"],
    );
    operator.write(
      "urls.txt",
      ...["http://both.example/", "http://other.example/", "http://other.example/below"],
    );
    const args = ["malware=filters.txt", "malware=urls.txt"];
    const { status, stdout, stderr } = await operator.publish(...args);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^malware: version 1, 4 entries/m);
    expect(stderr.split("\n")).toEqual([
      "urlhash-server: malware: own.example/ was left out (filters.txt:5)",
      "urlhash-server: malware: both.example/ was left out (filters.txt:6)",
      "urlhash-server: malware: warning: both.example/ is an exception (filters.txt:6), but both.example/ of urls.txt still blocks it",
      "urlhash-server: malware: warning: other.example/ is an exception (filters.txt:7), but other.example/ of urls.txt still blocks it",
      "",
    ]);
    // The entries are both.example, other.example, other.example/below and evil.example.

    // An exception of the operator applies to all sources.
    await operator.run("except add", "other.example");
    expect((await operator.publish(...args)).stdout).toMatch(/^malware: version 2, 3 entries/m);
  });

  test("tells sources apart that are shown alike", async () => {
    operator.write("a.txt", "! Title: a", "||evil.example^", "||good.example^");
    operator.write("b.txt", "! Title: b", "||bad.example^", "@@||good.example^");
    const feed = await newFeed();
    feed.answer(({ url }, response) =>
      response.end(operator.read(url!.endsWith("a") ? "a.txt" : "b.txt")),
    );
    const args = ["a", "b"].map((key) => `malware=${feed.url}?key=${key}`);
    try {
      expect((await operator.publish(...args)).stdout).toMatch(/^malware: version 1, 3 entries/m);
    } finally {
      await feed.close();
    }
  });

  test("publishes nothing when an exception cannot be read, or the named file is missing", async () => {
    operator.write("urls.txt", "http://good.example/");
    operator.write("lists.except", "good.example", "not a URL");
    const { status, stdout, stderr } = await operator.publish("malware=urls.txt");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/lists\.except:2: "not a URL" was refused: expected /);
  });

  test.each([
    [
      "http://good.example%2F@evil.example/",
      "a URL that browsers and the specification read alike",
    ],
    ["shared.example/good/%2e%2e%2f", 'a path that ".." does not shorten'],
  ])("publishes nothing when an exception means more than it says: %s", async (line, expected) => {
    operator.write("urls.txt", "http://good.example/");
    operator.write("lists.except", line);
    const { status, stdout, stderr } = await operator.publish("malware=urls.txt");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`lists.except:1: "${line}" was refused: expected ${expected}`);
  });

  test("publishes nothing when the file of exceptions is missing, until there is one again", {
    tags: "deep",
  }, async () => {
    operator.write("urls.txt", "http://good.example/", "http://evil.example/");
    await operator.run("except add", "good.example");
    await operator.publish("malware=urls.txt");
    renameSync(join(operator.path, "lists.except"), join(operator.path, "old.except"));
    for (const command of [
      ["publish", "malware=urls.txt"],
      ["rollback", "malware", "1"],
      ["except add", "evil.example"],
    ]) {
      const { status, stdout, stderr } = await operator.run(command[0]!, ...command.slice(1));
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(
        /The exceptions file \S*lists\.except does not exist: restore it, or make an empty file/,
      );
    }
    const named = (file: string) =>
      operator.publish("malware=urls.txt", "--set", `exceptions=${file}`);
    expect((await named("missing")).stderr).toMatch(/The exceptions file \S+missing does not/);
    expect((await named("old.except")).stdout).toMatch(/unchanged at version 1, 1 entry/);
    operator.write("lists.except");
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 2, 2 entries/);
  });

  test("reads a file without a line end as people write it", async () => {
    operator.write("urls.txt", "http://good.example/", "http://evil.example/");
    operator.write("lists.except", "http://good.example/a");
    appendFileSync(join(operator.path, "lists.except"), "http://good.example");
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 1, 1 entry/);
  });
});
