import { mkdirSync } from "node:fs";
import { sampleSize } from "@x/test-support/sample-size";
import { Ajv } from "ajv";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { parsePublisherFile } from "../../src/cli/publishing/publisher-file.ts";
import { publisherFileSchema } from "../../src/cli/publishing/publisher-file-schema.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

const FILE = [
  "defaults:",
  "  lifetime: 10d",
  "  skip-bad: true",
  "lists:",
  "  malware:",
  "    max-removed: 95%",
  "    exceptions: [never.txt]",
  "    sources:",
  "      - urls.txt",
  "      - source: feed.csv",
  "        format: csv",
  "        column: link",
  "  intranet:",
  "    lifetime: 1d",
  "    sources: [hosts.txt]",
];

function writeSources(): void {
  operator.write("urls.txt", "http://a.example/", ...hosts(0, 20), "http://");
  operator.write("feed.csv", "id,link,other", "1,http://b.example/x,http://wrong.example/");
  operator.write("hosts.txt", "0.0.0.0 c.example");
  operator.write("never.txt", "h3.example");
}

describe("publish --config", () => {
  test("makes each list from its own sources, with its own settings", async () => {
    writeSources();
    operator.write("publish.yaml", ...FILE);
    const { status, stdout } = await operator.publish("--config", "publish.yaml");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^malware: version 1, 21 entries/m);
    expect(stdout).toMatch(/^intranet: version 1, 1 entry: 1 added, 0 removed$/m);
    const { stdout: shown } = await operator.run("show", "malware");
    const timeOf = (name: string) => Date.parse(new RegExp(`"${name}": "(.*)"`).exec(shown)![1]!);
    expect(timeOf("expires") - timeOf("issued")).toBe(10 * 86_400_000);
    operator.write("urls.txt", "http://a.example/", "http://h3.example/");
    expect((await operator.publish("--config", "publish.yaml")).stdout).toMatch(
      /^malware: version 2, 2 entries/m,
    );
  });

  test("can be set for the store, and gives way to lists on the command line", async () => {
    writeSources();
    operator.write("publish.yaml", ...FILE);
    operator.write("lists.conf", `config = ${operator.path}/publish.yaml`);
    expect((await operator.publish()).stdout).toMatch(/^intranet: version 1/m);
    expect((await operator.publish("other=hosts.txt")).stdout).toMatch(/^other: version 1/m);
  });

  test("gives way to limits on the command line", { tags: "deep" }, async () => {
    operator.write("publish.yaml", "lists:", "  malware:", "    sources: [urls.txt]");
    operator.write("urls.txt", ...hosts(0, 1000));
    await operator.publish("--config", "publish.yaml");
    operator.write("urls.txt", ...hosts(0, 500));
    const publish = (...args: string[]) => operator.publish("--config", "publish.yaml", ...args);
    expect((await publish()).status).toBe(1);
    expect((await publish("--max-removed", "other=100%")).status).toBe(1);
    expect((await publish("--max-removed", "malware=500")).stdout).toMatch(/version 2, 500/);
  });

  test("has exceptions that a rollback leaves out, too", async () => {
    operator.write("publish.yaml", "lists:", "  malware:", "    sources: [urls.txt]");
    operator.write("urls.txt", ...hosts(0, 20));
    await operator.publish("--config", "publish.yaml");
    operator.write("urls.txt", ...hosts(0, 5));
    await operator.publish("--config", "publish.yaml");
    operator.write("publish.yaml", ...FILE);
    operator.write("never.txt", "h7.example");
    const args = ["malware", "1", "--config", "publish.yaml"];
    expect((await operator.run("rollback", ...args)).stdout).toMatch(/version 3, 19 entries/);
  });

  test("files are beside the publisher's file", async () => {
    mkdirSync(`${operator.path}/etc`);
    operator.write("etc/urls.txt", "http://a.example/");
    operator.write("etc/publish.yaml", "lists:", "  malware:", "    sources: [urls.txt]");
    expect((await operator.publish("--config", "etc/publish.yaml")).stdout).toMatch(/version 1,/);
  });

  test.each([
    [["malware=urls.txt", "--config", "publish.yaml"], /either NAME=SOURCE or --config/],
    [["--config", "publish.yaml", "--column", "link"], /--column is for lists on the command line/],
    [["--config", "missing.yaml"], /publisher's file missing\.yaml does not exist/],
    [[], /Expected NAME=SOURCE, such as malware=urls\.txt, or a file/],
  ])("refuses %j", async (args, message) => {
    writeSources();
    operator.write("publish.yaml", ...FILE);
    const { status, stderr } = await operator.publish(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  test("names the first problem, and how many more there are", async () => {
    operator.write("publish.yaml", "lists:", "  malware:", "    lifetme: 1d", "    souces: []");
    const { status, stderr } = await operator.publish("--config", "publish.yaml");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^urlhash-server: publish\.yaml:3: .* \(and 2 more: .* check-config /);
  });
});

describe("check-config", () => {
  test("lists what would be published", async () => {
    operator.write("publish.yaml", ...FILE);
    const file = `${operator.path}/publish.yaml`;
    const { status, stdout } = await operator.check("check-config", file);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: "malware: 2 sources\nintranet: 1 source\n",
    });
  });

  test("says everything that is wrong, in the order of the file", async () => {
    operator.write("publish.yaml", "lists:", "  A b:", "    sources: [x]", "    lifetme: 1d");
    const file = `${operator.path}/publish.yaml`;
    const { status, stderr } = await operator.check("check-config", file);
    expect(status).toBe(2);
    expect(stderr.split("\n").map((line) => line.replace(file, "FILE"))).toEqual([
      "urlhash-server: FILE:3: lists.A b: a list is named with up to 63 lower-case letters, digits and hyphens",
      'urlhash-server: FILE:4: unknown key "lists.A b.lifetme" (did you mean lifetime?)',
      "urlhash-server: FILE has 2 problems",
      "",
    ]);
  });

  test("--schema prints the schema, and nothing else is expected then", async () => {
    const { stdout } = await operator.check("check-config", "--schema");
    expect(JSON.parse(stdout)).toEqual(publisherFileSchema());
    expect((await operator.check("check-config")).status).toBe(2);
    expect((await operator.check("check-config", "x.yaml", "--schema")).status).toBe(2);
  });

  test.each([
    ["", '1: expected a mapping with the key "lists"'],
    ["- a", '1: expected a mapping with the key "lists"'],
    ["lists: {}", '1: expected the key "lists" with at least one list'],
    ["list: {}", '1: unknown key "list" (did you mean lists?)'],
    ["lists:\n  a: 1", "2: lists.a: expected the settings of a list"],
    [
      "lists:\n  a:\n    sources: []",
      '3: lists.a: expected the key "sources" with at least one source',
    ],
    ["lists:\n  a:\n    sources: x", "3: lists.a.sources: expected a list of sources"],
    [
      "lists:\n  a:\n    sources:\n      - format: csv",
      '4: lists.a.sources[0]: expected the key "source"',
    ],
    [
      "lists:\n  a:\n    sources: [x]\n    lifetime: 30",
      "4: lists.a.lifetime: expected a duration such as 90s, 5m, 12h or 30d, not 30",
    ],
    [
      "lists:\n  a:\n    sources: [x]\n    interop: yes",
      '4: lists.a.interop: expected true or false, not "yes"',
    ],
    [
      "lists:\n  a:\n    sources: [{ source: x, format: xml }]",
      /^f:3: lists\.a\.sources\[0\]\.format: expected one of urls, .*, not "xml"/,
    ],
    [
      "lists:\n  a:\n    sources: [x]\n    max-removed: 101%",
      '4: lists.a.max-removed: expected a share such as 20%, or a number of entries, not "101%"',
    ],
    [
      "lists:\n  a:\n    sources: [{source: x, format: cvs}]",
      /3: lists\.a\.sources\[0\]\.format: expected one of .*, not "cvs"/,
    ],
    ["lists:\n  a:\n    sources: [x]\n  a:\n    sources: [y]", "4: Map keys must be unique"],
    ["lists:\n  a: {sources: [x]", /2: .*/],
    [
      "defaults:\n  sources: [x]\nlists:\n  a:\n    sources: [x]",
      '2: unknown key "defaults.sources"',
    ],
  ])("%j", (text, expected) => {
    const { problems } = parsePublisherFile("f", text);
    const asExpected = typeof expected === "string" ? `f:${expected}` : expected;
    if (typeof asExpected === "string") expect(problems[0]).toBe(asExpected);
    else expect(problems[0]).toMatch(asExpected);
  });

  test("anchors are followed", () => {
    const text = "lists:\n  a: &x\n    sources: [u]\n    lifetime: 2d\n  b: *x\n";
    const { lists, problems } = parsePublisherFile("f", text);
    expect(problems).toEqual([]);
    expect(lists.map(({ list, lifetime }) => [list, lifetime])).toEqual([
      ["a", 172_800_000],
      ["b", 172_800_000],
    ]);
  });

  test("any text is read, or refused with a line", () => {
    const piece = fc.constantFrom(
      ...["lists:", "a:", "  ", "\n", "- ", "sources", ": ", "{", "}", "[", "]", "&a", "*a", "!!x"],
      ...['"', "'", "|", ">", "#", "\t", "%", "@", "é", "\0", "lifetime: 1d", "<<: ", "? ", "1"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const problem of parsePublisherFile("f", pieces.join("")).problems) {
          expect(problem).toMatch(/^f:[1-9]\d*: /);
        }
      }),
      { numRuns: sampleSize(3000) },
    );
  });

  test("the schema accepts the files that are accepted", { tags: "deep" }, () => {
    const isValid = new Ajv({ strict: false }).compile(publisherFileSchema());
    const either = <Value>(good: fc.Arbitrary<Value>, ...bad: unknown[]) =>
      fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom(...bad) });
    const flags = ["interop", "share-exceptions", "allow-empty", "allow-broad", "skip-bad"];
    const settings = {
      lifetime: either(fc.constantFrom("1m", "30d"), 5, "5", true),
      "min-interval": either(fc.constantFrom("0s", "2h"), "two", null),
      "max-removed": either(fc.constantFrom("0%", "100%", 0, 300), "101%", -1, 1.5, "x", []),
      ...Object.fromEntries(flags.map((name) => [name, either(fc.boolean(), "yes", 1, null)])),
    };
    const source = either(
      fc.oneof(
        fc.constant<unknown>("urls.txt"),
        fc.record(
          {
            source: either(fc.constant<unknown>("u"), "", 1),
            format: either(fc.constantFrom<unknown>("csv", "hosts"), "cvs", 1),
            column: either(fc.constant<unknown>("link"), "", true),
          },
          { requiredKeys: [] },
        ),
      ),
      "",
      1,
      null,
      [],
    );
    const list = fc.record(
      {
        ...{ sources: either(fc.array(source, { maxLength: 2 }), "u", null) },
        ...{ exceptions: either(fc.array(fc.constant("f")), "f", [""], [1]), ...settings },
        unknown: fc.constant(1),
      },
      { requiredKeys: ["sources"] },
    );
    const name = either(fc.constantFrom("malware", "a-1"), "A", "-a", "");
    const file = fc.record(
      {
        defaults: fc.record(settings, { requiredKeys: [] }),
        lists: fc
          .array(fc.tuple(name as fc.Arbitrary<string>, list), { maxLength: 2 })
          .map((entries) => Object.fromEntries(entries)),
      },
      { requiredKeys: ["lists"] },
    );
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(file, (value) => {
        const text = stringify(value);
        const { problems } = parsePublisherFile("f", text);
        expect(isValid(parse(text)), text).toBe(problems.length === 0);
        if (problems.length === 0) accepted++;
        else refused++;
      }),
      { numRuns: sampleSize(4000), seed: 45 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(0);
  });
});
