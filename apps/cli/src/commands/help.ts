import type { Command } from "commander";

/** `urlhash help list build`. Commander's own help command ignores commands that do not exist. */
export function registerHelp(program: Command): void {
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
