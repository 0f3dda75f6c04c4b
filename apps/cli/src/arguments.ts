import { printable } from "@x/explain/printable";
import { Failure } from "./failure.ts";

const REPLACEMENT = "\ufffd";

/** @throws {Failure} for arguments that would be processed as something other than what was typed. */
export function refuseOddArguments(argv: readonly string[]): void {
  for (const [i, argument] of argv.entries()) {
    // Node replaces bytes that are not UTF-8, so the original bytes are lost.
    if (!argument.includes(REPLACEMENT)) continue;
    throw new Failure(
      `argument ${i + 1}, ${printable(argument)}, is not UTF-8: give it in a file or on stdin`,
    );
  }
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  // Commander treats negative numbers as arguments.
  const number = options.find((argument) => /^-\.?\d/.test(argument));
  if (number === undefined) return;
  throw new Failure(`unknown option '${printable(number)}': put -- before it if it is an argument`);
}
