import { TokenizerMode } from "parse5";

/**
 * The tokenizer states for elements whose contents are text instead of markup. A parser would set these states, but a
 * tokenizer alone does not.
 */
export const TEXT_MODES: ReadonlyMap<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> =
  new Map([
    ["title", TokenizerMode.RCDATA],
    ["textarea", TokenizerMode.RCDATA],
    ["style", TokenizerMode.RAWTEXT],
    ["xmp", TokenizerMode.RAWTEXT],
    ["iframe", TokenizerMode.RAWTEXT],
    ["noembed", TokenizerMode.RAWTEXT],
    ["noframes", TokenizerMode.RAWTEXT],
    ["script", TokenizerMode.SCRIPT_DATA],
    ["plaintext", TokenizerMode.PLAINTEXT],
  ]);
