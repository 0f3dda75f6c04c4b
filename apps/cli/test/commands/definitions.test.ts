import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

/** Returns the completions that a shell offers for the last word of a command line. */
async function completionsOf(words: readonly string[]): Promise<string[]> {
  const { stdout } = await run(["completion", "bash"]);
  const script = `${stdout}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_urlhash; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const shell = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect(shell.stderr).toBe("");
  return shell.stdout.split("\n").filter((line) => line !== "");
}

test.skipIf(!has("bash"))("bash completes commands, options and values", async () => {
  expect(await completionsOf(["urlhash", "ch"])).toEqual(["check"]);
  expect(await completionsOf(["urlhash", "list", "bu"])).toEqual(["build"]);
  expect(await completionsOf(["urlhash", "check", "--only"])).toEqual(["--only-listed"]);
  expect(await completionsOf(["urlhash", "list", "build", "--input", "ho"])).toEqual(["hosts"]);
  expect(await completionsOf(["urlhash", "check", "--color", ""])).toEqual([
    "auto",
    "always",
    "never",
  ]);
});

test.each(["bash", "zsh", "fish"])(
  "the script for %s names every command and option",
  async (shell) => {
    const { status, stdout } = await run(["completion", shell]);
    expect(status).toBe(0);
    for (const name of ["list", "build", "urn", "normalize", "allow-broad", "both-spellings"]) {
      expect(stdout).toContain(name);
    }
  },
);

test("another shell is refused", async () => {
  expect(await run(["completion", "cmd"])).toEqual({
    status: 2,
    stdout: "",
    stderr:
      "urlhash: unknown shell 'cmd': expected bash, zsh or fish (see urlhash completion --help)\n",
  });
});

test("the man page has every command with its options, help and examples", async () => {
  const { status, stdout } = await run(["man"]);
  expect(status).toBe(0);
  for (const text of [
    ".TH URLHASH 1",
    ".SS urlhash list build [file...]",
    ".B \\-o, \\-\\-output <list>",
    "How to choose \\-\\-bytes:",
    "$ urlhash urn normalize",
  ]) {
    expect(stdout).toContain(text);
  }
});
