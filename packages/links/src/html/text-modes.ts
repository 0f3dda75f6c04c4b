import { TokenizerMode } from "parse5";

/**
 * The tokenizer states for elements whose contents are text instead of markup. Only a parser would set them by itself.
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
