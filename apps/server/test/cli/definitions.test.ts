import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const run = (...args: string[]) => runHere(folder.path, ...args);

test.each(["bash", "zsh", "fish"])(
  "the script for %s names every command and option",
  async (shell) => {
    const { status, stdout } = await run("completion", shell);
    expect(status).toBe(0);
    for (const name of ["publish", "copy", "rotate-key", "switch", "log-level", "first-start"]) {
      expect(stdout).toContain(name);
    }
  },
);

test("bash completes steps and formats", async () => {
  const { stdout } = await run("completion", "bash");
  const offered = (...words: string[]) => {
    const script = `${stdout}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_urlhash_server; printf '%s ' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" });
  };
  expect(offered("urlhash-server", "rotate-key", "s")).toMatchObject({
    stderr: "",
    stdout: "start switch ",
  });
  expect(offered("urlhash-server", "publish", "--input", "ho")).toMatchObject({ stdout: "hosts " });
});

test("each command that the help lists is found when it alone is loaded", async () => {
  const { stdout } = await run("--help");
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const alone = await run(name, "--help");
    expect(alone).toMatchObject({ status: 0, stdout: expect.stringContaining(`server ${name}`) });
  }
});

test("-h fits a screen, with a line for each option", async () => {
  const { stdout } = await run("-h");
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!);
  for (const name of [null, ...names]) {
    const short = (await run(...(name === null ? [] : [name]), "-h")).stdout;
    const [, options = short] = short.split("\nOptions:\n");
    expect(short.split("\n").length, short).toBeLessThanOrEqual(41);
    expect(options).not.toMatch(/^ {8}|.{81}/m);
  }
});

test("no command has more than twelve options, with --help", async () => {
  const { stdout } = await run("man");
  const commands = stdout
    .replaceAll("\\-", "-")
    .split(/^\.SS /m)
    .slice(1);
  const counts = commands.map((command) => {
    const options = command.match(/^\.B (-\w, )?--.*$/gm) ?? [];
    return [command.split("\n")[0]!, options.length] as const;
  });
  expect(Object.fromEntries(counts)).toMatchObject({
    "urlhash-server publish [NAME=SOURCE...]": 12,
  });
  expect(counts.filter(([, count]) => count > 12)).toEqual([]);
});

test("another shell is refused", async () => {
  const { status, stderr } = await run("completion", "cmd");
  expect(status).toBe(2);
  expect(stderr).toBe(
    "urlhash-server: unknown shell 'cmd': expected bash, zsh or fish (see urlhash-server completion --help)\n",
  );
});

test("the man page has every command with its options and help", async () => {
  const { status, stdout } = await run("man");
  expect(status).toBe(0);
  for (const text of [
    ".TH URLHASH\\-SERVER 1",
    ".SS urlhash\\-server rotate\\-key switch",
    ".B \\-\\-log\\-level <level>",
    "A new signing key takes three steps:",
    ".B 2\nThe command failed.",
  ]) {
    expect(stdout).toContain(text);
  }
});

test("the help shows default durations as they are typed", async () => {
  const { stdout } = await run("ohttp-key", "--help");
  expect(stdout).toMatch(/--overlap <duration>[\s\S]*?\(default:\s+7d\)/);
});
