import type { Argument, Command, Option } from "commander";

/** An option, as completions and the man page name it. */
export interface OptionDescription {
  /** `--list` */
  readonly long: string;
  /** `-o` */
  readonly short: string | null;
  /** `<file>`; `null` for an option without a value. */
  readonly value: string | null;
  readonly choices: readonly string[];
  readonly text: string;
}

/** A command, as completions and the man page name it. */
export interface CommandDescription {
  /** The words after `urlhash`: `["list", "build"]`. */
  readonly words: readonly string[];
  /** `[file...]` */
  readonly args: readonly string[];
  readonly text: string;
  readonly options: readonly OptionDescription[];
  readonly commands: readonly CommandDescription[];
}

function describeOption({
  long,
  short,
  flags,
  argChoices,
  description,
}: Option): OptionDescription {
  return {
    long: long ?? short ?? "",
    short: short ?? null,
    value: /[<[][^>\]]*[>\]]$/.exec(flags)?.[0] ?? null,
    choices: argChoices ?? [],
    text: description,
  };
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
    options: command.createHelp().visibleOptions(command).map(describeOption),
    commands: command.commands.map((each) => describeCommand(each, [...words, each.name()])),
  };
}

/** The command and all its subcommands, in one list. */
export function allCommands(command: CommandDescription): CommandDescription[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
