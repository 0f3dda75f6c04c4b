import { readFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { main } from "../src/main.ts";
import { run } from "./run.ts";

const COMMANDS = [
  "explain",
  "canon",
  "hash",
  "check",
  "links",
  "sql",
  "update",
  "history",
  "list build",
  "list info",
  "list dump",
  "list fetch",
  "hash-uris",
  "match",
  "urn parse",
  "urn normalize",
  "urn equal",
  "urn find",
  "urn check",
  "helper squid",
  "completion",
  "man",
];

test.each(COMMANDS)("%s --help has examples and exit statuses", async (command) => {
  const ran = await run([...command.split(" "), "--help"]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(ran.stdout).toContain(`Usage: urlhash ${command} [options]`);
  expect(ran.stdout).toMatch(/Exit status:/);
  for (const line of ran.stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(ran.stdout).toMatch(new RegExp(`Examples?:\n  \\$ .*urlhash ${command}`));
});

test.each(["", ...COMMANDS])(
  "%s -h fits a screen, with a line for each option",
  async (command) => {
    const lines = (await run([...command.split(" ").filter(Boolean), "-h"])).stdout.split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => /^ {8}/.test(line))).toEqual([]);
  },
);

test("--help names every command", async () => {
  const { status, stdout } = await run(["--help"]);
  expect(status).toBe(0);
  for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command.split(" ")[0]} `);
});

test.each([[], ["check"], ["list", "build"]])(
  "help %s %s is the --help of it",
  async (...names) => {
    const ran = await run(["help", ...names]);
    expect(ran).toEqual(await run([...names, "--help"]));
    expect(ran).toMatchObject({ status: 0, stderr: "" });
  },
);

test.each([[], ["urn"], ["list"]])(
  "%s without a command prints the summary on stderr",
  async (...names) => {
    for (const options of [{}, { terminal: 80 }]) {
      const { stdout } = await run([...names, "-h"], options);
      expect(await run(names, options)).toEqual({ status: 2, stdout: "", stderr: stdout });
    }
  },
);

test("help is coloured only on a terminal", async () => {
  expect((await run(["--help"], { terminal: 80 })).stdout).toContain("\x1b[1mUsage:");
  expect((await run(["--help"])).stdout).not.toContain("\x1b");
});

test("--version", async () => {
  const manifest = new URL("../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  for (const argv of [["--version"], ["-V"], ["--version", "hash"], ["--color", "--version"]]) {
    expect(await run(argv)).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  }
});

test.each([["--help"], ["check --help"], ["help check"], ["--version"], ["man"]])(
  "%s fails when nothing can be written",
  async (line) => {
    const error = Object.assign(new Error(), { code: "ENOSPC" });
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(error) });
    const stderr = new PassThrough();
    const io = { stdin: new PassThrough(), stdout, stderr, env: {} };
    expect(await main(line.split(" "), io)).toBe(2);
    expect(`${stderr.read()}`).toMatch(/^urlhash: cannot write the results: .*\n$/);
  },
);

test.each([
  [["nope"], "", "unknown command 'nope'"],
  [["chekc", "a.b"], "", "unknown command 'chekc': did you mean check?"],
  [["list", "nope"], "list", "unknown command 'nope'"],
  [["help", "nope"], "", "unknown command 'nope'"],
  [["help", "list", "nope"], "list", "unknown command 'nope'"],
  [["hash", "--nope"], "hash", "unknown option '--nope'"],
  [["hash", "--nope\x1b[2J\n\u202e"], "hash", "unknown option '--nope\\u{1b}[2J\\u{a}\\u{202e}'"],
  [
    ["check", "--as", "xml"],
    "check",
    "option '--as <format>' cannot be 'xml': expected one of text, html, markdown, mail",
  ],
  [
    ["hash", "--file", "a", "--file", "b"],
    "hash",
    "option '--file <file>' argument 'b' is invalid. The option was given twice.",
  ],
  [["hash", "--file"], "hash", "option '--file <file>' needs a value"],
])("bad usage %j is one line and status 2", async (argv, command, message) => {
  expect(await run(argv)).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: ${message} (see ${`urlhash ${command}`.trim()} --help)\n`,
  });
});

test.each([[[]], [["list"]]])("without a command (%j) the help is on stderr", async (argv) => {
  const ran = await run(argv);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toContain("Usage: urlhash");
});
