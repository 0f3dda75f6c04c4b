import { printable } from "@x/explain/printable";
import {
  type AddHelpTextContext,
  type AddHelpTextPosition,
  Command,
  type CommanderError,
  type ErrorOptions,
  type Help,
  Option,
  type ParseOptionsResult,
} from "commander";
import { NOT_EMPTY } from "./option-values.ts";

/** The heading of the options that every command has. `-h` leaves them out. */
export const GENERAL_OPTIONS = "General options:";

/** A command whose errors name the problem and then the help to read. */
class HelpfulCommand extends Command {
  /** The first option on the command line that this command does not have. */
  #unknown: string | null = null;
  /** Whether the help has only one line for each option, and ends after them. */
  #isShort = false;

  constructor(name?: string) {
    super(name);
    const help = new Option("-h, --help", "print this help; -h prints a summary");
    this.addHelpOption(help.helpGroup(GENERAL_OPTIONS));
    // Commander's own help command does not report unknown commands.
    this.helpCommand(false);
  }

  override createCommand(name?: string): Command {
    return new HelpfulCommand(name);
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(argv);
    const { unknown } = parsed;
    this.#unknown = unknown[0] ?? null;
    // If only the name of a command is missing, Commander prints the help on its own.
    this.#isShort = argv.length === 0 || (unknown.includes("-h") && !unknown.includes("--help"));
    for (const option of this.options) {
      const key = option.attributeName();
      const isEmpty = option.required && this.getOptionValue(key) === "";
      // In scripts, an empty value usually comes from an unset variable. An empty path would mean the working
      // directory.
      if (isEmpty && option.parseArg === undefined && this.getOptionValueSource(key) === "cli") {
        this.error(`option '${option.flags}' argument '' is invalid. ${NOT_EMPTY}`);
      }
    }
    return parsed;
  }

  override createHelp(): Help {
    const help = super.createHelp();
    const { subcommandDescription, commandDescription } = help;
    // In lists of commands, all descriptions are in lower case and without a full stop.
    help.subcommandTerm = (command) => command.name();
    help.subcommandDescription = (command) =>
      subcommandDescription(command)
        .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
        .replace(/\.$/, "");
    help.commandDescription = (command) =>
      commandDescription(command)
        .replace(/^[a-z]/, (letter) => letter.toUpperCase())
        .replace(/(?<=\w)$/, ".");
    // Commander would leave narrower columns unwrapped, and a terminal then breaks words.
    help.minWidthToWrap = MIN_COLUMN;
    if (this.#isShort) shorten(help);
    return help;
  }

  override addHelpText(
    position: AddHelpTextPosition,
    text: string | ((context: AddHelpTextContext) => string),
  ): this {
    return super.addHelpText(position, (context) => {
      if (position === "after" && this.#isShort) return `\nMore: ${this.#path()} --help`;
      return typeof text === "string" ? text : text(context);
    });
  }

  /** The names of the program and its commands down to this one. */
  #path(): string {
    const path: string[] = [];
    for (let each: Command | null = this; each !== null; each = each.parent) {
      path.unshift(each.name());
    }
    return path.join(" ");
  }

  /** The message that replaces Commander's own; `null` to keep that message. */
  #messageFor(code: string | undefined): string | null {
    switch (code) {
      // Commander reports a missing option first, even if its name is only misspelt.
      case "commander.missingMandatoryOptionValue":
      case "commander.unknownOption":
        return this.#unknown === null ? null : this.#unknownOption(this.#unknown);
      case "commander.unknownCommand": {
        const names = this.commands.map((each) => each.name());
        return `unknown command '${this.args[0]}'${didYouMean(this.args[0]!, names)}`;
      }
      case "commander.missingArgument": {
        const missing = this.registeredArguments[this.args.length]!;
        const { description } = missing;
        return `missing argument '${missing.name()}'${description === "" ? "" : `: ${description}`}`;
      }
      default:
        return null;
    }
  }

  /** @param flag as it was typed, such as `--stor=lists`. */
  #unknownOption(flag: string): string {
    const [name = flag] = flag.split("=");
    const known = this.createHelp().visibleOptions(this);
    if (name.startsWith("--")) {
      const names = known.flatMap(({ long }) => long ?? []);
      return `unknown option '${name}'${didYouMean(name, names)}`;
    }
    const other = known.find(({ short }) => short?.toLowerCase() === name.toLowerCase());
    return `unknown option '${name}'${other === undefined ? "" : `: did you mean ${other.short}?`}`;
  }

  override error(message: string, options: ErrorOptions = {}): never {
    const plain = plainer(message.trim().replace(/^error: /, ""));
    const text = this.#messageFor(options.code) ?? plain;
    return super.error(`${text} (see ${this.#path()} --help)`, options);
  }
}

/**
 * Says Commander's message about an option or argument as all other messages do: in one sentence, with what was
 * expected.
 */
function plainer(message: string): string {
  if (message.endsWith(NO_VALUE)) return `${message.slice(0, -NO_VALUE.length)} needs a value`;
  if (message.endsWith(NOT_GIVEN)) {
    return message.slice(0, -NOT_GIVEN.length).replace("required", "missing");
  }
  // The reason is at the end, and the value before it may contain any text.
  const reason = REASONS.find((each) => message.includes(each));
  if (reason === undefined) return message;
  const start = message.lastIndexOf(reason);
  const given = message
    .slice(0, start)
    .replace("command-argument value ", "")
    .replace("' argument '", "' cannot be '")
    .replace(/ is invalid$/, "");
  const expected = message.slice(start + reason.length).replace(/\.$/, "");
  return `${given}: expected ${reason === CHOICES ? "one of " : ""}${expected}`;
}

const NO_VALUE = " argument missing";
const NOT_GIVEN = " not specified";
const CHOICES = ". Allowed choices are ";
const REASONS = [". Expected ", CHOICES];

const MIN_COLUMN = 20;

/** The end of the first part of a description. */
const BEFORE_DETAILS = /[;:] | \(|, (?:such as|as in) /;

/** More values than this do not fit on the line of an option. */
const MAX_CHOICES = 4;

/** Leaves out what only the whole help says. */
function shorten(help: Help): void {
  const { visibleOptions, visibleCommands } = help;
  help.optionDescription = ({ description, argChoices = [] }) => {
    const [purpose] = description.split(BEFORE_DETAILS, 1);
    const isFew = argChoices.length > 0 && argChoices.length <= MAX_CHOICES;
    return isFew ? `${purpose}: ${argChoices.join(", ")}` : purpose!;
  };
  help.visibleOptions = (command) =>
    visibleOptions.call(help, command).filter((each) => each.helpGroupHeading !== GENERAL_OPTIONS);
  help.visibleCommands = (command) =>
    visibleCommands.call(help, command).filter((each) => each.name() !== "help");
}

/** The name and purpose of a program, and the functions that write its output. */
interface ProgramSettings {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Receives the text of `--help` and `--version`. */
  readonly writeOut: (text: string) => void;
  /** Receives usage errors. */
  readonly writeErr: (text: string) => void;
}

/**
 * Makes a program of the library `commander`. For a wrong command line, the program writes one line that names the
 * problem and the help to read, and throws an error that {@link isCommanderError} recognizes.
 *
 * @example
 * ```ts
 * import { createProgram } from "@x/command-line";
 *
 * const lines: string[] = [];
 * const texts = { name: "greet", description: "say hello", version: "1.0" };
 * const program = createProgram({ ...texts, writeOut: () => {}, writeErr: (line) => lines.push(line) });
 * program.requiredOption("--name <name>").action(() => {});
 * await program.parseAsync(["--nam", "you"], { from: "user" }).catch(() => {});
 * lines[0]; // → "greet: unknown option '--nam': did you mean --name? (see greet --help)\n"
 * ```
 */
export function createProgram({
  name,
  description,
  version,
  writeOut,
  writeErr,
}: ProgramSettings): Command {
  return new HelpfulCommand(name)
    .description(description)
    .optionsGroup(GENERAL_OPTIONS)
    .version(version, "-V, --version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut,
      writeErr,
      // Usage errors quote the command line, which may contain line ends.
      outputError: (message, write) => write(`${name}: ${printable(message.trim())}\n`),
    });
}

/**
 * Whether an error comes from `commander`, for a wrong command line or after `--help` and `--version`. Its `exitCode`
 * is then 0. The class is not compared, because each package may have its own copy of `commander`.
 */
export function isCommanderError(error: unknown): error is CommanderError {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" && code.startsWith("commander.");
}

/** The line that commander adds to a message, such as `(Did you mean port?)`. */
const SUGGESTION = /\n\(Did you mean (one of )?(.*)\?\)$/;

/**
 * Asks at the end of a message whether a known word is meant that is similar to `word`; `""` when none is similar.
 * Commander decides which words are similar, as it does for the commands of a program.
 *
 * @example
 * ```ts
 * import { didYouMean } from "@x/command-line";
 *
 * didYouMean("prot", ["port", "host"]); // → ": did you mean port?"
 * didYouMean("colour", ["port", "host"]); // → ""
 * ```
 */
export function didYouMean(word: string, known: Iterable<string>): string {
  const bare = (text: string): string => text.replace(/^-+/, "");
  const names = new Map(Array.from(known, (each) => [bare(each), each]));
  const asked = new Command().exitOverride().helpCommand(false);
  asked.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const name of names.keys()) asked.command(name);
  try {
    asked.parse([bare(word)], { from: "user" });
  } catch (error) {
    const [, oneOf = "", found] = SUGGESTION.exec((error as Error).message) ?? [];
    if (found === undefined) return "";
    const all = found.split(", ").map((name) => names.get(name));
    return `: did you mean ${oneOf}${all.join(", ")}?`;
  }
  return "";
}
