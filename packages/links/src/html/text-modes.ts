import { TokenizerMode } from "parse5";

/**
 * How the contents of elements are read that are text instead of markup. The tokenizer has to be told, because only a
 * parser knows.
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
