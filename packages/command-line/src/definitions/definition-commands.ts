import type { Command } from "commander";
import { didYouMean } from "../did-you-mean.ts";
import { completionScript, SHELLS } from "./completions.ts";
import { type ManPageTexts, manPage } from "./man-page.ts";

const SHELL_NAMES = `${SHELLS.slice(0, -1).join(", ")} or ${SHELLS.at(-1)}`;

const completionHelp = (name: string): string => `
The script is made from the definitions of the commands, so it fits this
version.

Exit status: 0, or 2 for a failure.

Examples:
  $ source <(${name} completion bash)
  $ ${name} completion fish | source`;

const manHelp = (name: string): string => `
The page is made from the help texts.

Exit status: 0, or 2 for a failure.

Example:
  $ ${name} man > /usr/local/share/man/man1/${name}.1`;

/**
 * Adds the commands that are made from the definitions of the others: `completion`, `man` and `help`.
 *
 * @param write writes to stdout.
 * @param texts the other texts of the man page.
 */
export function addDefinitionCommands(
  program: Command,
  write: (text: string) => void | Promise<void>,
  texts: Omit<ManPageTexts, "version">,
): void {
  const name = program.name();
  program
    .command("completion")
    .summary("write a script that completes commands in a shell")
    .description(`Write a script that completes the commands and options of ${name} in a shell.`)
    .argument("<shell>", SHELL_NAMES)
    .addHelpText("after", completionHelp(name))
    .action(async (shell: string, _options: unknown, command: Command) => {
      const script = completionScript(program, shell);
      if (script === null) {
        const which = shell === "" ? "the name of the shell is empty" : `unknown shell '${shell}'`;
        return command.error(`${which}: expected ${SHELL_NAMES}`);
      }
      await write(script);
    });
  program
    .command("man")
    .summary("write the man page")
    .description(`Write the man page of ${name}, in roff.`)
    .addHelpText("after", manHelp(name))
    .action(async () => {
      await write(manPage(program, { version: program.version()!, ...texts }));
    });
  // Commander's own help command does not report unknown commands.
  program
    .helpCommand(false)
    .command("help")
    .summary("show what a command does")
    .description("Show what a command does and its options, like its --help.")
    .argument("[command...]", "the name of a command")
    .action((names: readonly string[]) => {
      let command = program;
      for (const each of names) {
        const known = new Map(command.commands.map((next) => [next.name(), next]));
        const next = known.get(each);
        if (next === undefined) {
          return command.error(`unknown command '${each}'${didYouMean(each, known.keys())}`);
        }
        command = next;
      }
      command.help();
    });
}
