import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { toJsonSchema } from "@valibot/to-json-schema";
import { sampleSize } from "@x/test-support/sample-size";
import { Ajv } from "ajv";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { settingsSchema } from "../../src/cli/settings/schema.ts";
import {
  findSettings,
  InvalidSettings,
  parseSettings,
  readSettingsAgain,
} from "../../src/cli/settings/settings-file.ts";
import { runHere } from "../support/command-in-process.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

const SCHEMA = toJsonSchema(settingsSchema("/"), {
  ...{ typeMode: "input", errorMode: "ignore", target: "draft-07" },
});
const EXAMPLE = readFileSync(new URL("../../settings.example.yaml", import.meta.url), "utf8");
const isValid = new Ajv({ strict: false }).compile(SCHEMA as object);

/** The problems of a text, or `[]` if there are none. */
function problemsIn(text: string): readonly string[] {
  try {
    parseSettings(text, "/etc/f.yaml");
    return [];
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems;
    throw error;
  }
}

/** The parts of a JSON Schema that these tests read. */
interface JsonSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** The names of all settings below a part of the schema, such as `fetch.every`; `*` is any name. */
function namesIn(schema: JsonSchema, above = ""): string[] {
  const { properties = {}, additionalProperties: other, items, anyOf = [] } = schema;
  const named = Object.entries(properties);
  if (typeof other === "object") named.push(["*", other]);
  const inner = [...(items ? [items] : []), ...anyOf].flatMap((each) => namesIn(each, above));
  return [
    ...inner,
    ...named.flatMap(([name, of]) => [`${above}${name}`, ...namesIn(of, `${above}${name}.`)]),
  ];
}

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

describe("the schema", () => {
  test("is the one that is committed for editors, which check prints", async () => {
    const text = `${JSON.stringify(SCHEMA, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../../settings.schema.json");
    expect((await runHere(operator.path, "check", "--schema")).stdout).toBe(text);
  });

  test("describes each setting", () => {
    const undescribed: string[] = [];
    JSON.stringify(SCHEMA, (key, value) => {
      if (key !== "properties") return value;
      for (const [name, { description }] of Object.entries<JsonSchema>(value))
        if (!description) undescribed.push(name);
      return value;
    });
    expect(undescribed).toEqual([]);
  });
});

describe("the annotated example", () => {
  test("is valid, and has every setting", () => {
    expect(problemsIn(EXAMPLE)).toEqual([]);
    const known = new Set(namesIn(SCHEMA as JsonSchema));
    const found = new Set<string>();
    const add = (value: unknown, above: string) => {
      if (Array.isArray(value)) for (const each of value) add(each, above);
      else if (typeof value === "object" && value !== null) {
        for (const [name, below] of Object.entries(value)) {
          const full = known.has(`${above}${name}`) ? `${above}${name}` : `${above}*`;
          found.add(full);
          add(below, `${full}.`);
        }
      }
    };
    add(parse(EXAMPLE), "");
    const ofLists = /^lists\.\*\.(lifetime|allow-.*|skip-bad)$/;
    expect([...known].filter((name) => !found.has(name) && !ofLists.test(name))).toEqual([]);
  });

  test("has the defaults that the schema has", () => {
    const { settings } = parseSettings(EXAMPLE, "/etc/f.yaml");
    const { settings: defaults } = parseSettings("", "/etc/f.yaml");
    for (const [name, value] of Object.entries(defaults)) {
      const isSet = typeof value !== "object" || Object.keys(value).length > 0;
      if (isSet)
        expect({ [name]: settings[name as keyof typeof settings] }).toMatchObject({
          [name]: value,
        });
    }
  });
});

describe("a settings file that is not valid", () => {
  test.each([
    ["- a", "1: expected settings such as listen: 127.0.0.1:8080"],
    ["# only a comment\n", "1: expected settings such as listen: 127.0.0.1:8080"],
    ["list: {}", '1: unknown setting "list": did you mean lists?'],
    ["wait: 5m\nlog:\n  levle: info", '3: unknown setting "log.levle": did you mean level?'],
    ["lists:\n  a: 1", "2: lists.a: expected settings by name, not 1"],
    ["lists:\n  a:\n    sources: []", "3: lists.a.sources: expected at least one source"],
    ["lists:\n  a:\n    sources: x", "3: lists.a.sources: expected a list of sources"],
    [
      "lists:\n  a:\n    sources:\n      - format: csv",
      "4: lists.a.sources.0.source: expected this setting",
    ],
    [
      "lists:\n  a:\n    lifetime: 30",
      "3: lists.a.lifetime: expected a duration from 1m to 365d, such as 90s, 5m, 12h or 7d, not 30",
    ],
    ["lists:\n  a:\n    skip-bad: yes", '3: lists.a.skip-bad: expected true or false, not "yes"'],
    [
      "max-removed: 101%",
      '1: max-removed: expected a share such as 20%, or a number of entries, not "101%"',
    ],
    [
      "lists:\n  A b: {}",
      '2: lists.A b: expected a name of up to 63 lower-case letters, digits and hyphens, not "A b"',
    ],
    ["lists:\n  a: {}\n  a: {}", "3: Map keys must be unique"],
    ["lists:\n  constructor: {}", "2: lists.constructor: expected another name"],
    [
      "lists:\n  a: {sources: [{source: x, where: [1]}]}",
      '2: lists.a.sources.0.where.0: expected "all", or a condition such as "verdict=malicious"',
    ],
    [
      "listen: '8080'",
      '1: listen: expected HOST:PORT such as 127.0.0.1:9090 or "[::1]:9090", or unix:PATH, not "8080"',
    ],
    [
      "operator:\n  contact: javascript:alert(1)",
      '2: operator.contact: expected an email address or a URL, such as lists@example.com or https://example.com/contact, not "javascript:alert(1)"',
    ],
    ["prefix-bytes: [8]", "1: prefix-bytes: expected [4], or 4 and longer ones such as [4, 8]"],
    [
      "readers:\n  a: {key-sha256: s3cret, lists: [b]}",
      "2: readers.a.key-sha256: expected 64 hex digits in lower case",
    ],
    ["tls:\n  key: a.pem", "1: tls.certificate: expected this setting"],
  ])("%j", (text, expected) => {
    expect(problemsIn(text)).toEqual([`/etc/f.yaml:${expected}`]);
  });

  test("anchors are followed", () => {
    const text = "lists:\n  a: &x\n    sources: [u]\n    lifetime: 2d\n  b: *x\n";
    const { lists } = parseSettings(text, "/etc/f.yaml").settings;
    const list = { lifetime: 172_800_000, sources: [{ source: "/etc/u" }] };
    expect(lists).toEqual({ a: list, b: list });
    expect(problemsIn("lists:\n  a: &x\n    lifetme: 2d\n  b: *x\n")).toHaveLength(2);
  });

  test("any text is read, or refused with a line", () => {
    const piece = fc.constantFrom(
      ...["lists:", "a:", "  ", "\n", "- ", "sources", ": ", "{", "}", "[", "]", "&a", "*a", "!!x"],
      ...['"', "'", "|", ">", "#", "\t", "%", "@", "é", "\0", "lifetime: 1d", "<<: ", "? ", "1"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const problem of problemsIn(pieces.join("")))
          expect(problem).toMatch(/^\/etc\/f\.yaml:[1-9]\d*: /);
      }),
      { numRuns: sampleSize(3000) },
    );
  });

  test("the JSON Schema accepts the files that are accepted", { tags: "deep" }, () => {
    const example = parse(EXAMPLE) as Record<string, unknown>;
    const other = fc.constantFrom<unknown>(
      null,
      1,
      -1,
      1.5,
      "",
      "x",
      true,
      [],
      {},
      ["a"],
      "5m",
      "9MB",
    );
    let [accepted, refused] = [0, 0];
    // Conditions on several values, and on text that a pattern cannot describe.
    const more =
      /prefix-bytes|timeout|hosts|redirects-to|server|operator|cors-origins|where|listen|admin|resolvers|answer|clients/;
    const names = namesIn(SCHEMA as JsonSchema).filter(
      (name) => !name.includes("*") && !more.test(name),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), other, (name, value) => {
        const [top, below] = name.split(".") as [string, string?];
        const changed = below ? { ...(example[top] as object), [below]: value } : value;
        const text = stringify({ ...example, [top]: changed });
        const isAccepted = problemsIn(text).length === 0;
        expect(isValid(parse(text)), text).toBe(isAccepted);
        if (isAccepted) accepted++;
        else refused++;
      }),
      { numRuns: sampleSize(4000), seed: 45 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(0);
  });
});

const FILE = [
  "store: lists",
  "lifetime: 10d",
  "skip-bad: true",
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

describe("the settings file", () => {
  beforeEach(() => {
    operator.write("urls.txt", "http://a.example/", ...hosts(0, 20), "http://");
    operator.write("feed.csv", "id,link,other", "1,http://b.example/x,http://wrong.example/");
    operator.write("hosts.txt", "0.0.0.0 c.example");
    operator.write("never.txt", "h3.example");
    operator.write("urlhash-server.yaml", ...FILE);
  });
  const refusal = async (command: string, ...args: string[]) => {
    const { status, stderr } = await runHere(operator.path, ...command.split(" "), ...args);
    expect(status).toBe(2);
    return stderr.replace(/^urlhash-server: /, "").trimEnd();
  };

  test("makes each list from its own sources, with its own settings", async () => {
    const { status, stdout } = await operator.publish();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^malware: version 1, 21 entries/m);
    expect(stdout).toMatch(/^intranet: version 1, 1 entry/m);
    const { stdout: shown } = await operator.run("show", "malware");
    const timeOf = (name: string) => Date.parse(new RegExp(`"${name}": "(.*)"`).exec(shown)![1]!);
    expect(timeOf("expires") - timeOf("issued")).toBe(10 * 86_400_000);
    operator.write("urls.txt", "http://a.example/", "http://h3.example/");
    expect((await operator.publish()).stdout).toMatch(/^malware: version 2, 2 entries/m);
    // The exceptions of a list hold for a rollback, too.
    operator.write("never.txt", "h7.example");
    expect((await operator.run("rollback", "malware", "1")).stdout).toMatch(
      /version 3, 20 entries/,
    );
  });

  test("is found in the working directory, beside the store, or by name", async () => {
    expect((await runHere(operator.path, "publish")).stdout).toMatch(/^malware: version 1/m);
    operator.write("other.yaml", ...FILE.filter((line) => line !== "store: lists"));
    expect((await operator.publish("--config", "other.yaml")).status).toBe(0);
    const named = await runHere("/", "publish", "--config", `${operator.path}/urlhash-server.yaml`);
    expect(named.stdout).toMatch(/^malware: unchanged/m);
    expect(await refusal("log --config missing.yaml")).toMatch(
      /^The settings file \S+missing\.yaml does not exist$/,
    );
    expect(await refusal("log --config other.yaml")).toMatch(
      /^Expected --store, or settings that name/,
    );
    // The file beside another store is not for that store.
    const isLeftOut = /\/urlhash-server\.yaml has the settings of another store, so it is not used/;
    const refused = await refusal("publish --store others");
    expect(refused).toMatch(/^(?:urlhash-server: )?Expected NAME=SOURCE/m);
    expect(refused).toMatch(isLeftOut);
    expect(await refusal("check --store others")).toMatch(isLeftOut);
    const made = await runHere(operator.path, "init", "--store", "others");
    expect(made).toMatchObject({ status: 0, stderr: expect.stringMatching(isLeftOut) });
    for (const command of [
      "log malware",
      "except add a.example",
      "firefox",
      "blocked-page squid",
    ]) {
      const ran = await runHere(operator.path, ...command.split(" "), "--store", "others");
      expect(ran.stderr, command).toMatch(isLeftOut);
    }
    expect(operator.read("urlhash-server.yaml")).toBe(`${FILE.join("\n")}\n`);
  });

  test("gives way to the command line", async () => {
    expect((await operator.publish("other=hosts.txt")).stdout).toMatch(/^other: version 1/m);
    const { stdout } = await operator.run("show", "other");
    expect(stdout).toMatch(/"list": "other"/);
    operator.write("feed.csv", "id,link,other", "1,http://b.example/x,http://wrong.example/");
    operator.write("urls.txt", "http://", ...hosts(0, 200));
    expect((await operator.publish("--set", "skip-bad=false")).status).toBe(1);
    await operator.publish();
    operator.write("urls.txt", ...hosts(0, 5));
    const publish = (limit: string) =>
      operator.publish("--set", `lists.malware.max-removed=${limit}`);
    expect((await publish("10")).status).toBe(1);
    expect((await publish("196")).stdout).toMatch(/^malware: version 2/m);
  });

  test.each([
    ["--set lifetime", /^--set: expected NAME=VALUE, such as lifetime=7d, not "lifetime"$/],
    ["--set lifetme=1d", /^--set: unknown setting "lifetme": did you mean lifetime\?$/],
    ["--set __proto__.x=1", /^--set: unknown setting "__proto__\.x"$/],
    ["--set lists.A.lifetime=1d", /^--set: unknown setting "lists\.A\.lifetime"$/],
    ["--set lifetime=1", /^--set lifetime: expected a duration from 1m .*, not 1$/],
    ["--set log=1", /^--set log: expected settings by name, not 1$/],
    ["--column link", /^--column is for NAME=SOURCE: write it into \S+urlhash-server\.yaml$/],
  ])("options that are wrong are refused: %s", async (args, expected) => {
    expect(await refusal(`publish ${args}`)).toMatch(expected);
  });

  test("values on the command line are text, numbers, or YAML in brackets", async () => {
    const { settings } = await findSettings({
      store: "lists",
      set: [
        ...["operator.name=Us: # 1", "keep.versions=5", "optional-lists=[a, b]", "skip-bad=true"],
        ...["served-lists=a", "listen=[::1]:80", "signing-key=a.key", "lists.b.exceptions=[c]"],
      ],
    });
    expect(settings).toMatchObject({
      operator: { name: "Us: # 1" },
      keep: { versions: 5, differences: 200 },
      ...{ "optional-lists": ["a", "b"], "skip-bad": true, "served-lists": ["a"] },
      listen: { kind: "tcp", host: "::1", port: 80 },
      "signing-key": resolve("a.key"),
      lists: { b: { exceptions: [resolve("c")] } },
    });
  });

  test("every setting can be set on the command line", async () => {
    for (const name of namesIn(SCHEMA as JsonSchema)) {
      const set = [`${name.replaceAll("*", "a")}={ x: 1 }`];
      await expect(findSettings({ set }), name).rejects.toBeInstanceOf(InvalidSettings);
    }
  });

  test("check says everything that is wrong, in the order of the file", async () => {
    const { stdout } = await operator.run("check");
    const file = `${operator.path}/urlhash-server.yaml`;
    expect(stdout).toBe(`malware: 2 sources\nintranet: 1 source\n${file} has no problems\n`);
    operator.write(
      "urlhash-server.yaml",
      "lists:",
      "  A b:",
      "    sources: [x]",
      "wiat: 1d",
      "poll: 1",
    );
    expect((await refusal("check")).replaceAll(file, "FILE").split("\n")).toEqual([
      expect.stringMatching(/^FILE:2: lists\.A b: expected a name/),
      'urlhash-server: FILE:4: unknown setting "wiat": did you mean wait?',
      expect.stringMatching(/^urlhash-server: FILE:5: poll: expected a duration/),
      "urlhash-server: The settings have 3 problems",
    ]);
    expect(await refusal("publish")).toMatch(/:2: .* \(and 2 more: urlhash-server check\)$/);
  });

  test("check reads the files of exceptions that it names", async () => {
    operator.write("own.except", "http://a.example/", "http://");
    operator.write(
      "urlhash-server.yaml",
      "never-block: gone.txt",
      "lists:",
      "  malware: { sources: [urls.txt], exceptions: own.except }",
    );
    expect((await refusal("check")).replaceAll(`${operator.path}/`, "").split("\n")).toEqual([
      expect.stringMatching(/^The file of hosts gone\.txt \(never-block\) does not exist: /),
      expect.stringMatching(/^urlhash-server: own\.except:2: "http:\/\/" was refused: /),
      "urlhash-server: The settings have 2 problems",
    ]);
  });

  test("is never taken as empty, and old settings are never overlooked", async () => {
    operator.write("urlhash-server.yaml");
    expect(await refusal("serve --store lists")).toMatch(/urlhash-server\.yaml is empty$/);
    rmSync(`${operator.path}/urlhash-server.yaml`);
    operator.write("lists.conf", "keys = keys");
    expect(await refusal("serve --store lists")).toMatch(
      /lists\.conf are in an old format: urlhash-server migrate-settings --store \S+lists writes/,
    );
  });

  test("a file in use that is cut off anywhere is refused, or has all of its names", {
    tags: "deep",
  }, async () => {
    const file = `${operator.path}/urlhash-server.yaml`;
    operator.write("urlhash-server.yaml", EXAMPLE);
    const inUse = await findSettings({ config: file });
    let refused = 0;
    for (let end = 0; end < EXAMPLE.length; end += 7) {
      writeFileSync(file, EXAMPLE.slice(0, end));
      const read = readSettingsAgain({ config: file }, inUse);
      const found = await read.catch(() => null);
      if (found === null) refused++;
      else expect(found.inFile).toEqual(inUse.inFile);
    }
    expect(refused).toBeGreaterThan(500);
    rmSync(file);
    await expect(readSettingsAgain({ config: file }, inUse)).rejects.toThrow("does not exist");
  });
});
