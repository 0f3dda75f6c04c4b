import type { Command } from "commander";
import type { Context } from "../context.ts";
import { evaluateInput, evaluatePartWith, oneAfterAnother, oneByOne } from "../evaluate.ts";
import { statusHelp } from "../exit-status.ts";
import {
  addInputOptions,
  checkInputOptions,
  type InputOptions,
  inputHelp,
} from "../input/arguments-or-lines.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../output/format.ts";
import type { Finding, Noun, RefusedInput } from "../output/results.ts";

/** The options of every command that evaluates its inputs. */
export type EvaluatingOptions = FormatOptions & InputOptions;

/** A command's functions and settings for the evaluation of its inputs. */
export interface Evaluation {
  /** Whether to leave out inputs that are neither listed, refused, unsure nor disguised. */
  readonly onlyListed?: boolean;
  /** Whether lines that start with `#` are comments, and spaces around a line are ignored. */
  readonly hasComments?: boolean;
  /** Text to write before the first result and after the last one, in text mode. */
  readonly before?: string;
  readonly after?: () => string;
  /**
   * Whether defanged inputs are turned back into the original ones; `undefined` for commands that have no `--refang`.
   */
  readonly refang?: boolean | undefined;
  /** Returns the result for one input. The record of the result does not include the input. */
  readonly evaluate: (input: string | Uint8Array) => Finding | RefusedInput;
  /** Used instead of `evaluate` if results are asynchronous. */
  readonly evaluateLater?: (input: string | Uint8Array) => Promise<Finding | RefusedInput>;
  /** Called after the last result, even when something fails. */
  readonly close?: () => Promise<void>;
}

/** The help texts of a command about its inputs and results. */
interface HelpTexts {
  /** The help text about the results, which follows the text about inputs. */
  readonly help: string;
  /** Command lines for the end of the help. */
  readonly examples: string;
  /** The help text about the exit statuses; by default, the text for commands that give no verdict. */
  readonly statusHelp?: string;
  /** The kind of input; `URL` by default. */
  readonly noun?: Noun;
}

/** A command that evaluates its inputs one by one and writes the results. */
export interface EvaluatingCommand<Options extends EvaluatingOptions> extends HelpTexts {
  readonly name: string;
  /** The text in the list of commands; the description by default. */
  readonly summary?: string;
  readonly description: string;
  /** Adds the command's own options. */
  readonly addOptions?: (command: Command) => Command;
  /** Checks the options and reads the files that they name. @throws {Failure} when an option is wrong. */
  readonly evaluation: (
    options: Options,
    context: Context,
    inputs: readonly string[],
  ) => Evaluation | Promise<Evaluation>;
}

/** The help text after the options. */
function helpOf(definition: HelpTexts): string {
  const { noun = "URL", help, examples } = definition;
  return `${inputHelp(noun)}
${help}
For an input that is not a ${noun}: { "line", "${noun.toLowerCase()}", "error": { "code",
"message", "expected", "index", "section" } }.
${definition.statusHelp ?? statusHelp(`some input is not a ${noun}`)}

Examples:
${examples}`;
}

export function registerEvaluating<Options extends EvaluatingOptions>(
  program: Command,
  context: Context,
  definition: EvaluatingCommand<Options>,
): void {
  const { name, description, summary = description, noun = "URL" } = definition;
  const command = addInputOptions(program.command(name), noun).description(description);
  if (summary !== description) command.summary(summary);
  definition.addOptions?.(command);
  addFormatOptions(command).addHelpText("after", helpOf(definition));
  command.action(async (inputs: string[], options: Options) => {
    checkInputOptions(inputs, options, noun);
    const format = formatOf(options);
    const evaluation = await definition.evaluation(options, context, inputs);
    const { evaluate, evaluateLater, close, ...others } = evaluation;
    const { hasComments = false, before, after, ...written } = others;
    const writing = { ...written, noun, format };
    const evaluatePart =
      evaluateLater === undefined
        ? evaluatePartWith(oneByOne(evaluate, noun, hasComments), writing)
        : evaluatePartWith(oneAfterAnother(evaluateLater, noun), writing);
    try {
      await evaluateInput(
        { ...options, args: inputs, noun },
        evaluatePart,
        { format, ...(format === "text" ? { before, after } : {}) },
        context,
      );
    } finally {
      await close?.();
    }
  });
}
