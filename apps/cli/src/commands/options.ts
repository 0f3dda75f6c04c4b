import { type Command, InvalidArgumentError } from "commander";

/** For an option that may be given more than once. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** A parser for options that are whole numbers. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** `--bytes`: the prefix length. */
export function addBytesOption(command: Command): Command {
  return command.option(
    "--bytes <n>",
    "length of each hash prefix in bytes, 4 to 32",
    wholeNumber(4, 32),
    4,
  );
}

/** `--list`: lists of hash prefixes. */
export function addListOption(command: Command): Command {
  return command.option(
    "--list <file>",
    "a list of hash prefixes to check against; may be given more than once",
    collect,
  );
}
