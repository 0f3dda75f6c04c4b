import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "./run.ts";

const folder = temporaryFolder();

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
/** The README, and the pages of its commands. */
const PAGES = ["list-files", "check-urls", "uris-and-urns"].map((name) =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8"),
);
const TEXT = [README, ...PAGES].join("\n");
/** The commands that make the files of the examples. */
const FILES = /^```sh\n(printf .*?)^```$/ms.exec(README)![1]!;

interface Example {
  readonly argv: readonly string[];
  /** The file after "<", if any. */
  readonly input: string | null;
  /** The output on a terminal: messages, followed by results. */
  readonly output: string;
}

/** The commands of the `console` blocks, each with its documented output. */
function examples(): Example[] {
  const blocks = [...TEXT.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block]) => block!);
  return blocks
    .flatMap((block) => block.split(/^\$ urlhash /m).slice(1))
    .map((example) => {
      const [line, ...output] = example.split("\n");
      const [command, input = null] = line!.split(" < ");
      const words = command!.match(/'[^']*'|\S+/g)!;
      const argv = words.map((word) => word.replaceAll("'", ""));
      return { argv, input, output: output.join("\n") };
    });
}

/** Replaces times, which differ from run to run. */
const settled = (text: string): string =>
  text.trimEnd().replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME");

test("the examples write what the pages say", { tags: "deep" }, async () => {
  execFileSync("sh", ["-ec", FILES], { cwd: folder.path(".") });
  const before = process.cwd();
  process.chdir(folder.path("."));
  try {
    const all = examples();
    expect(all.length).toBeGreaterThanOrEqual(20);
    for (const { argv, input, output } of all) {
      const { stdout, stderr } = await run(
        argv,
        input === null ? {} : { stdin: readFileSync(input) },
      );
      expect(settled(stderr + stdout)).toBe(settled(output));
    }
  } finally {
    process.chdir(before);
  }
});

test("the first lines of the project's README do what they say", async () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const [first, ...commands] = /^```sh\n(.*?)^```$/ms.exec(readme)![1]!.trim().split("\n");
  execFileSync("sh", ["-ec", first!], { cwd: folder.path(".") });
  const before = process.cwd();
  process.chdir(folder.path("."));
  try {
    const outcomes = [];
    for (const command of commands) {
      const [, ...words] = command.split(/ +# /)[0]!.match(/'[^']*'|\S+/g)!;
      outcomes.push(await run(words.map((word) => word.replaceAll("'", ""))));
    }
    expect(outcomes.map(({ status }) => status)).toEqual([0, 1, 0]);
    expect(outcomes[1]!.stdout).toMatch(/^LISTED .*\n +evil\.example\/ .* is on bad\n$/);
    expect(outcomes[2]!.stdout).toContain("Expressions, hash prefixes and full hashes");
  } finally {
    process.chdir(before);
  }
});
