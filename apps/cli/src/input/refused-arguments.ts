import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { KEY_VARIABLE } from "./api-key.ts";

const REPLACEMENT = "\ufffd";

/** @throws {Failure} for an argument that is not UTF-8 or looks like a negative number, and for an API key. */
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
  // Commander would quote some of these arguments in its errors, and so reveal the key.
  if (options.some((argument) => /^--(?:api-?)?key(?:=|$)/.test(argument))) {
    throw new Failure(
      `an API key must not be an argument, because other users can see it there: put it into a file and name the file with --key-file, or set the variable ${KEY_VARIABLE}`,
    );
  }
  // Commander treats negative numbers as arguments, not as unknown options.
  const number = options.find((argument) => /^-\.?\d/.test(argument));
  if (number === undefined) return;
  throw new Failure(`unknown option '${printable(number)}': put -- before it if it is an argument`);
}
