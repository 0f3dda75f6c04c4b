import { completionScript, manPage, SHELLS } from "@x/explain/command-line";
import type { Command } from "commander";
import { KEY_VARIABLE } from "../arguments.ts";
import type { Context } from "../context.ts";

const SHELL_NAMES = SHELLS.join(", ");

const COMPLETION_HELP = `
The script is made from the definitions of the commands, so it fits this
version.

Exit status: 0, or 2 for a failure.

Examples:
  $ source <(urlhash completion bash)
  $ urlhash completion fish | source`;

const MAN_HELP = `
The page is made from the help texts.

Exit status: 0, or 2 for a failure.

Example:
  $ urlhash man > /usr/local/share/man/man1/urlhash.1`;

const MAN_TEXTS = {
  purpose: "canonicalize URLs, hash their expressions, and check them against lists",
  exitStatus: [
    ["0", "Success; nothing is listed."],
    ["1", "Something is listed, or matches."],
    [
      "2",
      "Failure: bad usage, an unreadable file, a broken list. This status is never combined with others.",
    ],
    ["4", "Some input was refused; the rest was processed. 5 is 1 and 4 together."],
    ["8", "There is no verdict on some URL (check --server). This status is added to 1 and 4."],
  ],
  environment: [
    [KEY_VARIABLE, "The API key for --server, unless there is --key-file."],
    ["XDG_CACHE_HOME", "The folder in which lists of servers and stores are kept."],
    [
      "NO_COLOR, FORCE_COLOR, TERM, COLUMNS",
      "Whether output is coloured, and how wide it may be. --color takes precedence.",
    ],
  ],
} as const;

/** The commands that are made from the definitions of the others: `urlhash completion`, `man` and `help`. */
export function registerDefinitions(program: Command, { stdout }: Context): void {
  program
    .command("completion")
    .summary("write a script that completes commands in a shell")
    .description("Write a script that completes the commands and options of urlhash in a shell.")
    .argument("<shell>", SHELL_NAMES)
    .addHelpText("after", COMPLETION_HELP)
    .action(async (shell: string) => {
      const script = completionScript(program, shell);
      if (script === null) program.error(`unknown shell '${shell}': expected ${SHELL_NAMES}`);
      await stdout.write(script);
    });
  program
    .command("man")
    .summary("write the man page")
    .description("Write the man page of urlhash, in roff.")
    .addHelpText("after", MAN_HELP)
    .action(async () => {
      await stdout.write(manPage(program, { version: program.version()!, ...MAN_TEXTS }));
    });
  // Commander's own help command reports no error for a command that does not exist.
  program
    .helpCommand(false)
    .command("help")
    .summary("show what a command does")
    .description("Show what a command does and its options, like its --help.")
    .argument("[command...]", "for example check, or list build")
    .action((names: readonly string[]) => {
      let command = program;
      for (const name of names) {
        const next = command.commands.find((each) => each.name() === name);
        if (next === undefined) return command.error(`unknown command '${name}'`);
        command = next;
      }
      command.help();
    });
}
