import type { Argument, Command, Option } from "commander";

/** A command, as completions and the man page name it. */
export interface CommandDescription {
  /** The words after `urlhash`: `["list", "build"]`. */
  readonly words: readonly string[];
  /** `[file...]` */
  readonly args: readonly string[];
  readonly text: string;
  readonly options: readonly Option[];
  readonly commands: readonly CommandDescription[];
}

/** The names of an option: `-o` if it has one, and `--output`. */
export function namesOf({ short, long }: Option): string[] {
  return [short, long].filter((name) => name !== undefined);
}

/** `<file>`; `null` for an option without a value. */
export function valueNameOf({ flags }: Option): string | null {
  return /[<[][^>\]]*[>\]]$/.exec(flags)?.[0] ?? null;
}

function describeArgument(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** A command and all below it. */
export function describeCommand(
  command: Command,
  words: readonly string[] = [],
): CommandDescription {
  return {
    words,
    args: command.registeredArguments.map(describeArgument),
    text: command.description(),
    options: command.createHelp().visibleOptions(command),
    commands: command.commands.map((each) => describeCommand(each, [...words, each.name()])),
  };
}

/** The command and all its subcommands, in one list. */
export function allCommands(command: CommandDescription): CommandDescription[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
