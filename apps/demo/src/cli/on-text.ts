import { decodeUtf8 } from "../text/decode-utf8.ts";
import { printableInShort } from "../text/printable.ts";
import { type Evaluate, type Finding, oneByOne } from "./evaluate.ts";
import { Refused } from "./refused.ts";

/** The text of something that is not taken as octets. @throws {Refused} */
export function textOf(given: string | Uint8Array): string {
  const text = typeof given === "string" ? given : decodeUtf8(given);
  if (text !== null) return text;
  throw new Refused("octets-not-utf8", `"${printableInShort(given)}" is not UTF-8`);
}

/** For what takes text, and no octets. */
export function onText(evaluate: (text: string) => Finding): Evaluate {
  return oneByOne((given) => evaluate(textOf(given)));
}
