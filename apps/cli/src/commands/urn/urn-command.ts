import { Failure } from "@x/command-line";
import { type Refusal, refusalOf } from "@x/explain";
import { printable } from "@x/explain/printable";
import { tryParseUrn, type Urn, type UrnSyntax, urnProblem } from "@x/urn";
import { type Command, Option } from "commander";
import type { Context } from "../../context.ts";
import { pointAt } from "../../output/caret.ts";
import type { Finding, RefusedInput } from "../../output/results.ts";
import { onText } from "../../pipeline/evaluator.ts";
import {
  type EvaluatingCommand,
  type EvaluatingOptions,
  registerEvaluating,
} from "../evaluating-command.ts";

export interface SyntaxOptions {
  readonly syntax: UrnSyntax;
}

/** `--syntax`: the specification that decides what a URN is. */
export function addSyntaxOption(command: Command): Command {
  return command.addOption(
    new Option("--syntax <rfc>", "the specification that decides what a URN is")
      .choices(["rfc2141", "rfc8141"])
      .default("rfc2141"),
  );
}

/** @throws {Failure} when the value of an option is not a NID. */
export function checkNid(option: string, nid: string, { syntax }: SyntaxOptions): void {
  const problem = urnProblem(`urn:${nid}:a`, { syntax });
  if (problem !== null) {
    throw new Failure(`${option} is not a namespace: ${printable(problem.message)}`);
  }
  if (nid.includes(":")) throw new Failure(`${option} ${printable(nid)} has a ":" in it`);
}

/** The codes of problems with a character that could be escaped. */
const IN_STRING = /^(?:nss|[rqf]-component)-character$/;

function blankHint(character: string | undefined, code: string): string {
  if (character === undefined || !/\s/.test(character)) return "";
  const isEscapable = character === " " && IN_STRING.test(code);
  return `A blank is not allowed${isEscapable ? " (write %20 if one is meant)" : ""}. `;
}

/**
 * Suggests `--syntax rfc8141` when only RFC 2141 refuses a text. The suggestion follows the sentence about the problem.
 */
export function hintAtSyntax({ allowedBy }: { readonly allowedBy?: "rfc8141" }): string {
  return allowedBy === undefined ? "" : ". RFC 8141 allows it: use --syntax rfc8141";
}

/** Adds text for people, with a caret under the character that is not allowed. */
export function withCaret({ error }: Refusal, text: string, columns: number | null): RefusedInput {
  const { code, index, expected, section } = error;
  if (index === null) return { error };
  // The message would quote the text, which is shown above the caret, so it is reworded without the quotation.
  const caret = text === "" ? [] : pointAt(text, index, columns);
  const blank = blankHint(text[index], code);
  const said = `${blank}Expected ${expected} (${section})${hintAtSyntax(error)}`;
  return { error, text: [said, ...caret].join("\n") };
}

export type UrnOptions = EvaluatingOptions & SyntaxOptions;

/** A command that evaluates URNs or names one by one. */
export interface UrnCommand<Options extends UrnOptions>
  extends Omit<EvaluatingCommand<Options>, "evaluation"> {
  /**
   * Returns the function that evaluates one input. If the returned function throws, the input is refused with the
   * error.
   */
  readonly evaluating: (
    options: Options,
    context: Context,
  ) => (text: string) => Finding | RefusedInput;
}

/**
 * Returns a function that evaluates URNs and refuses other texts without throwing, because an exception would take
 * longer than the evaluation.
 */
export function onUrn(
  syntax: UrnSyntax,
  evaluate: (urn: Urn) => Finding,
): (text: string) => Finding | RefusedInput {
  return (text) => {
    const urn = tryParseUrn(text, { syntax });
    return urn === null ? { error: urnProblem(text, { syntax })! } : evaluate(urn);
  };
}

export function registerUrnCommand<Options extends UrnOptions>(
  urn: Command,
  context: Context,
  { evaluating, addOptions = (command) => command, ...definition }: UrnCommand<Options>,
): void {
  registerEvaluating<Options>(urn, context, {
    noun: "URN",
    ...definition,
    addOptions: (command) => addOptions(addSyntaxOption(command)),
    evaluation(options) {
      const evaluate = evaluating(options, context);
      return {
        evaluate: onText((text) => {
          let result: Finding | RefusedInput;
          try {
            result = evaluate(text);
          } catch (error) {
            result = refusalOf(error);
          }
          return "error" in result ? withCaret(result, text, context.columns) : result;
        }),
      };
    },
  });
}
