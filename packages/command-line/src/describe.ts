import type { Argument, Command, Option } from "commander";

/** An option, as completions and the man page need it. */
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

/** A command, as completions and the man page need it. */
export interface CommandDescription {
  /** The name of the program: `urlhash`. */
  readonly program: string;
  /** The words after the name of the program: `["list", "build"]`. */
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

/** Describes a command and all its subcommands, at every level. */
export function describeCommand(
  command: Command,
  program: string = command.name(),
  words: readonly string[] = [],
): CommandDescription {
  return {
    program,
    words,
    args: command.registeredArguments.map(describeArgument),
    text: command.description(),
    options: command.createHelp().visibleOptions(command).map(describeOption),
    commands: command.commands.map((each) =>
      describeCommand(each, program, [...words, each.name()]),
    ),
  };
}

/** The command and all its subcommands, in one list. */
export function allCommands(command: CommandDescription): CommandDescription[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
