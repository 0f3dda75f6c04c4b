import { addDefinitionCommands, createProgram } from "@x/command-line";
import { Option } from "commander";
import { expect, test } from "vitest";

const TEXTS = {
  purpose: "say it",
  exitStatus: [["0", "Success."]],
  environment: [["NO_COLOR", "No colours."]],
} as const;

/**
 * Runs a program with everything that completions and man pages show, and returns what its commands `completion` and
 * `man` write.
 */
async function written(argv: readonly string[]): Promise<string> {
  const out: string[] = [];
  const greet = createProgram({
    name: "say-it",
    description: ".hello - it's for [people]: say it",
    version: "1.0-rc",
    writeOut: (text) => void out.push(text),
    writeErr: (text) => void out.push(text),
  });
  greet.option("--quiet", "say nothing");
  const hello = greet.command("hello").description("greet people");
  hello.argument("<name>", "whom").argument("[others...]", "whom else");
  hello.addOption(new Option("-t, --tone <tone>", "how").choices(["warm", "cold"]));
  hello.option("-o, --output <file>", "where [a:b] it goes");
  hello.addHelpText("after", "\n.leading dot\nback\\slash");
  greet.command("list").description("lists").command("build").description("build a list");
  addDefinitionCommands(greet, (text) => void out.push(text), TEXTS);
  await greet.parseAsync(argv, { from: "user" });
  return out.join("");
}

test("bash has the words of each command, and the choices of options", async () => {
  const script = await written(["completion", "bash"]);
  expect(script).toContain("complete -o default -F _say_it say-it");
  expect(script).toContain("'hello'|'list'|'list build'|'completion'|'man'|'help') path=");
  expect(script).toContain(`--tone) COMPREPLY=($(compgen -W 'warm cold' -- "$word")); return ;;`);
  expect(script).toContain("words='--tone -t --output -o --help -h' ;;");
  expect(script).toContain(
    "words='hello list completion man help --version -V --quiet --help -h' ;;",
  );
});

test("zsh has values, choices and subcommands, with its own characters escaped", async () => {
  const script = await written(["completion", "zsh"]);
  expect(script).toContain("#compdef say-it");
  expect(script).toContain("'*--output[where \\[a\\:b\\] it goes]:<file>:_files'");
  expect(script).toContain("'*-t[how]:<tone>:(warm cold)'");
  expect(script).toContain("'list') _arguments '*--help[print this help; -h prints a summary]'");
  expect(script).toContain("'1:command:(build)'");
});

test("fish has a line for each command and option", async () => {
  const script = await written(["completion", "fish"]);
  expect(script).toContain(
    "complete -c say-it -n '__say_it_at list' -f -a 'build' -d 'build a list'",
  );
  expect(script).toContain("-l tone -s t -x -a 'warm cold' -d 'how'");
  expect(script).toContain("-l output -s o -r -d ");
  expect(script).toContain("-l quiet -d 'say nothing'");
});

test.each(["cmd", "toString"])("there is no script for %s", async (shell) => {
  await expect(written(["completion", shell])).rejects.toMatchObject({ exitCode: 1 });
});

test("the man page has all texts, with characters of roff escaped", async () => {
  const page = await written(["man"]);
  expect(page).toContain('.TH SAY\\-IT 1 "" "say\\-it 1.0\\-rc" "User Commands"');
  expect(page).toContain("\\&.hello \\- it's for [people]: say it");
  expect(page).toContain(".SS say\\-it hello <name> [others...]");
  expect(page).toContain(".B \\-t, \\-\\-tone <tone>\nhow");
  expect(page).toContain("\\&.leading dot\nback\\eslash");
  expect(page).toContain(".SS say\\-it list build\nbuild a list");
  expect(page).toContain(".SH EXIT STATUS\n.TP\n.B 0\nSuccess.");
  expect(page).toContain(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colours.");
});
