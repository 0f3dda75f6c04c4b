import { addDefinitionCommands, createProgram } from "@x/command-line";
import { Option } from "commander";
import { expect, test } from "vitest";

/** Runs a program with a command `serve`, and returns its output. */
async function run(...argv: string[]): Promise<{ out: string; errors: string }> {
  const [out, errors]: string[][] = [[], []];
  const program = createProgram({
    name: "say-it",
    description: "say things",
    version: "1.0",
    writeOut: (text) => out!.push(text),
    writeErr: (text) => errors!.push(text),
  });
  const serve = program.command("serve").description("serve it");
  serve.requiredOption("--store <place>", "the store").option("--port <n>", "the port: 0 is any");
  serve.addOption(new Option("--as <format>", "the format").choices(["text", "json"]));
  serve.argument("<NAME>", "the name of a list").action(() => {});
  serve.addHelpText("after", "\nThe whole story.");
  program
    .command("list")
    .description("Make lists: URLs.")
    .command("build")
    .action(() => {});
  addDefinitionCommands(program, (text) => void out!.push(text), {
    purpose: "say it",
    exitStatus: [["0", "Success."]],
  });
  await program.parseAsync(argv, { from: "user" }).catch(() => {});
  return { out: out!.join(""), errors: errors!.join("") };
}

test.each([
  ["serve --stor s x", "unknown option '--stor': did you mean --store? (see say-it serve --help)"],
  ["serve --stor=s x", "unknown option '--stor': did you mean --store? (see say-it serve --help)"],
  ["serve --prot 1 x", "unknown option '--prot': did you mean --port? (see say-it serve --help)"],
  ["serve --colour 1 --store s x", "unknown option '--colour' (see say-it serve --help)"],
  ["serve --port 1 x", "missing option '--store <place>' (see say-it serve --help)"],
  ["serve --store s", "missing argument 'NAME': the name of a list (see say-it serve --help)"],
  [
    "serve --store= x",
    "option '--store <place>' cannot be '': expected a value that is not empty (see say-it serve --help)",
  ],
  ["serve --store", "option '--store <place>' needs a value (see say-it serve --help)"],
  [
    "serve --store s --as x.Expected.y z",
    "option '--as <format>' cannot be 'x.Expected.y': expected one of text, json (see say-it serve --help)",
  ],
  ["-v", "unknown option '-v': did you mean -V? (see say-it --help)"],
  ["-x", "unknown option '-x' (see say-it --help)"],
  ["serv", "unknown command 'serv': did you mean serve? (see say-it --help)"],
  ["list biuld", "unknown command 'biuld': did you mean build? (see say-it list --help)"],
  ["help serv", "unknown command 'serv': did you mean serve? (see say-it --help)"],
  ["help list biuld", "unknown command 'biuld': did you mean build? (see say-it list --help)"],
  ["completion", "missing argument 'shell': bash, zsh or fish (see say-it completion --help)"],
  [
    "completion tcsh",
    "unknown shell 'tcsh': expected bash, zsh or fish (see say-it completion --help)",
  ],
])("%s", async (line, expected) => {
  expect(await run(...line.split(" "))).toEqual({ out: "", errors: `say-it: ${expected}\n` });
});

test("an empty name of a shell is said to be empty", async () => {
  expect((await run("completion", "")).errors).toBe(
    "say-it: the name of the shell is empty: expected bash, zsh or fish (see say-it completion --help)\n",
  );
});

test("a usage error is one line, whatever it quotes", async () => {
  const { errors } = await run("serve", "--a\nb\u001b[2J", "--store", "s", "x");
  expect(errors).toBe("say-it: unknown option '--a\\u{a}b\\u{1b}[2J' (see say-it serve --help)\n");
});

test("the commands that describe the others", async () => {
  expect((await run("completion", "bash")).out).toContain("complete -o default -F _say_it say-it");
  expect((await run("man")).out).toContain('.TH SAY\\-IT 1 "" "say\\-it 1.0" "User Commands"');
  expect((await run("help", "serve")).out).toContain("Usage: say-it serve [options] <NAME>");
  expect((await run("--version")).out).toBe("1.0\n");
});

test("-h ends after the options, and says how to read more", async () => {
  const short = (await run("serve", "-h")).out;
  expect(short).toMatch(
    /\n {2}--port <n> +the port\n {2}--as <format> +the format: text, json\n\nMore:/,
  );
  expect(short).toMatch(/\n\nMore: say-it serve --help\n$/);
  expect((await run("-h")).out).not.toMatch(/--help .*|--version|^ {2}help/m);
  for (const argv of [
    ["serve", "--help"],
    ["serve", "-h", "--help"],
    ["help", "serve"],
  ]) {
    const whole = (await run(...argv)).out;
    expect(whole).toMatch(/\n\nThe whole story\.\n$/);
    expect(whole).toMatch(/the port: 0 is any\n[\s\S]*\n\nGeneral options:\n {2}-h, --help /);
    expect(whole).not.toContain("More:");
  }
});

test("a list of commands has descriptions without capitals and full stops", async () => {
  const { out } = await run("--help");
  expect(out).toMatch(/^ {2}serve +serve it$/m);
  expect(out).toMatch(/^ {2}list +make lists: URLs$/m);
});
