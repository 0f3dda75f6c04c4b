import type { Refusal } from "@x/explain";
import type { UrnSyntax } from "@x/urn";
import { type Command, Option } from "commander";
import { pointAt } from "../../output/layout.ts";
import type { RefusedInput } from "../../output/results.ts";

export interface SyntaxOptions {
  readonly syntax: UrnSyntax;
}

/** `--syntax`: the specification of URNs to follow. */
export function addSyntaxOption(command: Command): Command {
  return command.addOption(
    new Option("--syntax <rfc>", "the specification of URNs to follow")
      .choices(["rfc2141", "rfc8141"])
      .default("rfc2141"),
  );
}

/** The codes of problems with a character that could be escaped. */
const IN_STRING = /^(?:nss|[rqf]-component)-character$/;

function spaceHint(character: string | undefined, code: string): string {
  if (character === undefined || !/\s/.test(character)) return "";
  const isEscapable = character === " " && IN_STRING.test(code);
  return `A space is not allowed${isEscapable ? " (write %20 if one is meant)" : ""}. `;
}

/**
 * Suggests `--syntax rfc8141` when only RFC 2141 refuses a text. The suggestion follows the sentence about the problem.
 */
export function hintAtSyntax({ allowedBy }: { readonly allowedBy?: "rfc8141" }): string {
  return allowedBy === undefined ? "" : ". RFC 8141 allows it: use --syntax rfc8141";
}

/** An error whose message names the option of the command, not that of JavaScript. */
export function inShell<Named extends { readonly message: string }>(error: Named): Named {
  const message = error.message.replace('use { syntax: "rfc8141" }', "use --syntax rfc8141");
  return { ...error, message };
}

/** Adds text for people, with a caret under the character that is not allowed. */
export function withCaret(refusal: Refusal, text: string, columns: number | null): RefusedInput {
  const error = inShell(refusal.error);
  const { code, index, expected, section } = error;
  if (index === null) return { error };
  // The message would quote the text, which is shown above the caret, so it is reworded without the quotation.
  const caret = text === "" ? [] : pointAt(text, index, columns);
  const hint = spaceHint(text[index], code);
  const said = `${hint}Expected ${expected} (${section})${hintAtSyntax(error)}`;
  return { error, text: [said, ...caret].join("\n") };
}
