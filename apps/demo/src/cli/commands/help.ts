import type { Command } from "commander";

/** `urlhash help list build`. Commander's own shows the program's help for a command that does not exist. */
export function registerHelp(program: Command): void {
  program
    .helpCommand(false)
    .command("help")
    .summary("what a command does, and its options")
    .description("What a command does, and its options; the same as its --help.")
    .argument("[command...]", "such as check, or list build")
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
