import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { COMPLETION_SCRIPTS } from "./completions.ts";
import { describeCommand } from "./describe.ts";
import { manPage } from "./man-page.ts";

const SHELLS = Object.keys(COMPLETION_SCRIPTS).join(", ");

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

/** What follows the options in the help of a command. */
function helpAfter(program: Command, words: readonly string[]): string {
  let command = program;
  for (const word of words) command = command.commands.find((each) => each.name() === word)!;
  let text = "";
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  const own = command.createHelp().formatHelp(command, command.createHelp());
  return text.slice(own.length);
}

/** What can be made from the definitions of the commands: `urlhash completion`, `urlhash man` and `urlhash help`. */
export function registerDefinitions(program: Command, { stdout }: Context): void {
  program
    .command("completion")
    .summary("write a script that completes commands in a shell")
    .description("Write a script that completes the commands and options of urlhash in a shell.")
    .argument("<shell>", SHELLS)
    .addHelpText("after", COMPLETION_HELP)
    .action(async (shell: string) => {
      if (!Object.hasOwn(COMPLETION_SCRIPTS, shell)) {
        program.error(`unknown shell '${shell}': expected ${SHELLS}`);
      }
      await stdout.write(COMPLETION_SCRIPTS[shell]!(describeCommand(program)));
    });
  program
    .command("man")
    .summary("write the man page")
    .description("Write the man page of urlhash, in roff.")
    .addHelpText("after", MAN_HELP)
    .action(async () => {
      const page = manPage(describeCommand(program), program.version()!, (words) =>
        helpAfter(program, words),
      );
      await stdout.write(page);
    });
  // Commander's own help command ignores commands that do not exist.
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
