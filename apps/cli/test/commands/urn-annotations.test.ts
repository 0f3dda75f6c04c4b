import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_RUN_BYTES } from "../../src/commands/urn/find-in-bytes.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();
const before = process.cwd();
beforeAll(() => process.chdir(folder.path(".")));
afterAll(() => process.chdir(before));

const require = createRequire(import.meta.url);
/** The JSON Schema of SARIF 2.1.0, in draft 04, whose `id` ajv calls `$id`. */
const {
  id,
  $schema,
  ...schema
} = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
  schema,
);

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: object;
        };
      }[];
    }[];
  }[];
}

/** Returns the results of a SARIF log, after checks that apply to every log. */
async function sarif(argv: readonly string[], status: number) {
  const ran = await run(["urn", ...argv, "--format", "sarif"], { stdin: "" });
  expect(ran.status).toBe(status);
  const log = JSON.parse(ran.stdout) as Log;
  expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true);
  const [{ tool, results }, ...others] = log.runs as [Log["runs"][number]];
  expect(others).toEqual([]);
  for (const { ruleId, ruleIndex } of results) {
    expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  }
  return results;
}

test("the JSON Schema refuses what is not SARIF", () => {
  expect(isSarif({ version: "2.1.0", runs: [{ results: [] }] })).toBe(false);
});

describe("urn find", () => {
  test("sarif", async () => {
    folder.write("a b:ü.md", "«See» <urn:isbn:0451450523>\nurn:a:1");
    const absolute = folder.write("b.md", "urn:b:2 ");
    const results = await sarif(["find", "a b:ü.md", absolute], 0);
    expect(results).toHaveLength(3);
    expect(results[0]).toEqual({
      ruleId: "urn-found",
      ruleIndex: 0,
      level: "note",
      message: { text: "urn:isbn:0451450523" },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "a%20b%3A%C3%BC.md" },
            region: { startLine: 1, startColumn: 8, endColumn: 27 },
          },
        },
      ],
      properties: {
        nid: "isbn",
        nss: "0451450523",
        rComponent: null,
        qComponent: null,
        fComponent: null,
      },
    });
    expect(results[2]?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: pathToFileURL(absolute).href },
      region: { startLine: 1, startColumn: 1, endColumn: 8 },
    });
  });

  test("sarif of nothing, and of a part that was not searched", async () => {
    folder.write("none.md", "nothing");
    expect(await sarif(["find", "none.md"], 0)).toEqual([]);
    folder.write("long.md", `a ${"x".repeat(MAX_RUN_BYTES)}-urn:`);
    expect(await sarif(["find", "long.md"], 4)).toMatchObject([
      { ruleId: "text-unsearched", level: "error" },
    ]);
  });

  test("github", async () => {
    folder.write("c,d.md", "ü urn:example:100%25,a\n");
    const argv = ["urn", "find", "--format", "github"];
    expect(await run([...argv, "c,d.md"])).toEqual({
      status: 0,
      stdout: "::notice file=c%2Cd.md,line=1,col=3::urn:example:100%2525,a\n",
      stderr: "",
    });
    expect((await run(argv, { stdin: "\nurn:a:b" })).stdout).toBe(
      "::notice line=2,col=1::urn:a:b\n",
    );
    expect((await run(argv, { stdin: "" })).stdout).toBe("");
  });
});

describe("urn check", () => {
  test("sarif", async () => {
    folder.write("ids.csv", "title;id\nÜber;urn:isbn:0-395-36341-2\nx;urn:é\ny\n\nurn:a;urn:a\n");
    const results = await sarif(["check", "--column", "id", "ids.csv"], 4);
    expect(results[0]).toEqual({
      ruleId: "urn-namespace",
      ruleIndex: 3,
      level: "error",
      message: { text: "Expected the last digit of the ISBN to match the others." },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "ids.csv" },
            region: { startLine: 2, startColumn: 15, endColumn: 28 },
          },
        },
      ],
      properties: { code: "isbn-check-digit", index: 9, section: "RFC 3187 §5" },
    });
    const places = results.map(({ ruleId, locations }) => [
      ruleId,
      locations[0]?.physicalLocation.region,
    ]);
    expect(places.slice(1)).toEqual([
      ["urn-syntax", { startLine: 3, startColumn: 7, endColumn: 8 }],
      ["input-unreadable", { startLine: 4 }],
      ["urn-syntax", { startLine: 6 }],
    ]);
    folder.write("good.txt", "urn:a:b\n");
    expect(await sarif(["check", "good.txt"], 0)).toEqual([]);
  });

  test("github: a line from a file cannot become a command", async () => {
    const hostile = "urn:a:%0A::error::x\r\n::warning::x\nurn:a:\x1b]8;;\n";
    folder.write("hostile.txt", hostile);
    const { status, stdout } = await run(["urn", "check", "--format", "github", "hostile.txt"]);
    expect(status).toBe(4);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^::error file=hostile\.txt,line=2,col=1::"::warning::x" at index 0/);
    expect(stdout).not.toContain("\x1b");
    expect((await run(["urn", "check", "--format", "github"], { stdin: "\nx" })).stdout).toMatch(
      /^::error line=2,col=1::/,
    );
  });
});

test.each(["find", "check"])(
  "urn %s: sarif needs files, and no other format beside it",
  async (name) => {
    const failed = { status: 2, stdout: "" };
    for (const args of [[], ["-"]]) {
      const ran = await run(["urn", name, "--format", "sarif", ...args], { stdin: "urn:a:b" });
      expect(ran).toMatchObject(failed);
      expect(ran.stderr).toContain("name files instead of stdin");
    }
    expect(await run(["urn", name, "--format", "sarif", "--json", "x"])).toMatchObject(failed);
    expect(await run(["urn", name, "--format", "tsv", "x"])).toMatchObject(failed);
  },
);
