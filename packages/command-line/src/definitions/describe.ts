/** An option of a {@link DefinedCommand}. */
export interface DefinedOption {
  readonly long?: string | undefined;
  readonly short?: string | undefined;
  readonly flags: string;
  readonly argChoices?: readonly string[] | undefined;
  readonly description: string;
}

/** An argument of a {@link DefinedCommand}. */
export interface DefinedArgument {
  readonly variadic: boolean;
  readonly required: boolean;
  name(): string;
}

/** The help of a {@link DefinedCommand}. */
export interface DefinedHelp {
  visibleOptions(command: DefinedCommand): readonly DefinedOption[];
  formatHelp(command: DefinedCommand, help: DefinedHelp): string;
}

/** The parts of a command of the library `commander` that completions and man pages use. */
export interface DefinedCommand {
  readonly registeredArguments: readonly DefinedArgument[];
  readonly commands: readonly DefinedCommand[];
  name(): string;
  description(): string;
  createHelp(): DefinedHelp;
  configureOutput(configuration: { writeOut(text: string): void }): unknown;
  outputHelp(): void;
}

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
}: DefinedOption): OptionDescription {
  return {
    long: long ?? short ?? "",
    short: short ?? null,
    value: /[<[][^>\]]*[>\]]$/.exec(flags)?.[0] ?? null,
    choices: argChoices ?? [],
    text: description,
  };
}

function describeArgument(argument: DefinedArgument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Describes a command and all its subcommands, at every level. */
export function describeCommand(
  command: DefinedCommand,
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
