import { completionScript, manPage, SHELLS } from "@x/command-line";
import { Command, Option } from "commander";
import { expect, test } from "vitest";

/** A program with everything that completions and man pages show. */
function program(): Command {
  const greet = new Command("say-it").description(".hello - it's for [people]: say it");
  greet.option("--quiet", "say nothing");
  const hello = greet.command("hello").description("greet people");
  hello.argument("<name>", "whom").argument("[others...]", "whom else");
  hello.addOption(new Option("-t, --tone <tone>", "how").choices(["warm", "cold"]));
  hello.option("-o, --output <file>", "where [a:b] it goes");
  hello.addHelpText("after", "\n.leading dot\nback\\slash");
  const list = greet.command("list").description("lists");
  list.command("build").description("build a list");
  return greet;
}

test("bash has the words of each command, and the choices of options", () => {
  const script = completionScript(program(), "bash")!;
  expect(script).toContain("complete -o default -F _say_it say-it");
  expect(script).toContain("'hello'|'list'|'list build') path=");
  expect(script).toContain(`--tone) COMPREPLY=($(compgen -W 'warm cold' -- "$word")); return ;;`);
  expect(script).toContain("words='--tone -t --output -o --help -h' ;;");
  expect(script).toContain("words='hello list --quiet --help -h' ;;");
});

test("zsh has values, choices and subcommands, with its own characters escaped", () => {
  const script = completionScript(program(), "zsh")!;
  expect(script).toContain("#compdef say-it");
  expect(script).toContain("'*--output[where \\[a\\:b\\] it goes]:<file>:_files'");
  expect(script).toContain("'*-t[how]:<tone>:(warm cold)'");
  expect(script).toContain("'list') _arguments '*--help[display help for command]'");
  expect(script).toContain("'1:command:(build)'");
});

test("fish has a line for each command and option", () => {
  const script = completionScript(program(), "fish")!;
  expect(script).toContain(
    "complete -c say-it -n '__say_it_at list' -f -a 'build' -d 'build a list'",
  );
  expect(script).toContain("-l tone -s t -x -a 'warm cold' -d 'how'");
  expect(script).toContain("-l output -s o -r -d ");
  expect(script).toContain("-l quiet -d 'say nothing'");
});

test("there is no script for other shells", () => {
  expect(SHELLS).toEqual(["bash", "zsh", "fish"]);
  expect(completionScript(program(), "cmd")).toBeNull();
  expect(completionScript(program(), "toString")).toBeNull();
});

test("the man page has all texts, with characters of roff escaped", () => {
  const page = manPage(program(), {
    version: "1.0-rc",
    purpose: "say it",
    exitStatus: [["0", "Success."]],
    environment: [["NO_COLOR", "No colours."]],
  });
  expect(page).toContain('.TH SAY\\-IT 1 "" "say\\-it 1.0\\-rc" "User Commands"');
  expect(page).toContain("\\&.hello \\- it's for [people]: say it");
  expect(page).toContain(".SS say\\-it hello <name> [others...]");
  expect(page).toContain(".B \\-t, \\-\\-tone <tone>\nhow");
  expect(page).toContain("\\&.leading dot\nback\\eslash");
  expect(page).toContain(".SS say\\-it list build\nbuild a list");
  expect(page).toContain(".SH EXIT STATUS\n.TP\n.B 0\nSuccess.");
  expect(page).toContain(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colours.");
  const short = manPage(program(), { version: "1", purpose: "say it", exitStatus: [] });
  expect(short).not.toContain(".SH EXIT STATUS");
});
