/**
 * The maximum length of a URL or URI: 2²⁴ UTF-16 code units of text, or 2²⁴ bytes.
 *
 * No specification sets this limit. The limit is far above the length of any URL in use, and low enough for V8, which
 * ends the process instead of throwing an error when a string is split into 2²⁵ parts or has as many replacements.
 */
export const MAX_URL_LENGTH: number = 2 ** 24;
