import type { Command } from "commander";
import type { Context } from "../context.ts";
import { type Evaluation, evaluateInput } from "../evaluate-input.ts";
import {
  addInputOptions,
  checkInputOptions,
  type InputOptions,
} from "../input/arguments-or-lines.ts";
import {
  addFormatOptions,
  addFormatOptionsWithRows,
  type FormatOptions,
  formatOf,
} from "../output/format.ts";
import type { Noun } from "../output/results.ts";

/** The options of every command that evaluates its inputs. */
export type EvaluatingOptions = FormatOptions & InputOptions;

/** A command that evaluates its inputs one by one, and writes the results. */
export interface EvaluatingCommand<Options extends EvaluatingOptions> {
  readonly name: string;
  /** For the list of commands; by default the description. */
  readonly summary?: string;
  readonly description: string;
  /** What follows the options in the help. */
  readonly help: string;
  /** `URL` by default. */
  readonly noun?: Noun;
  /** Whether it also writes rows. */
  readonly hasRows?: boolean;
  /** Adds the command's own options. */
  readonly addOptions?: (command: Command) => Command;
  /** Reads what the options name. @throws {Failure} when they are wrong. */
  readonly evaluation: (
    options: Options,
    context: Context,
    inputs: readonly string[],
  ) => Evaluation | Promise<Evaluation>;
}

/** What the JSON record of a refused input looks like. @param what `an input that is not a URL` */
export function refusalHelp(noun: Noun, what = `an input that is not a ${noun}`): string {
  return `For ${what}: { "line", "${noun.toLowerCase()}", "error": { "code",
"message", "expected", "index", "section" } }.`;
}

export function registerEvaluating<Options extends EvaluatingOptions>(
  program: Command,
  context: Context,
  definition: EvaluatingCommand<Options>,
): void {
  const { name, description, summary = description, help, noun = "URL" } = definition;
  const command = addInputOptions(program.command(name), noun).description(description);
  if (summary !== description) command.summary(summary);
  definition.addOptions?.(command);
  const addFormats = definition.hasRows ? addFormatOptionsWithRows : addFormatOptions;
  addFormats(command).addHelpText("after", help);
  command.action(async (inputs: string[], options: Options) => {
    checkInputOptions(inputs, options, noun);
    const format = formatOf(options);
    const evaluation = await definition.evaluation(options, context, inputs);
    await evaluateInput({ ...options, args: inputs, noun }, format, evaluation, context);
  });
}
