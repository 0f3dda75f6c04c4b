const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/** The index of the closing quotation mark of the JSON string that begins at `start`. */
export function endOfText(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json.charCodeAt(i) !== QUOTE) {
    i += json.charCodeAt(i) === BACKSLASH ? 2 : 1;
  }
  return i;
}

/**
 * Returns whether JSON has more than `most` values: objects, arrays, and the values in them. An empty object or array
 * counts twice. Call this function before you parse JSON that you do not trust: the function allocates no memory,
 * whereas `JSON.parse` makes an array for each character of `[[[[…`. For text that is not JSON, the result is
 * meaningless.
 *
 * @example
 * ```ts
 * import { hasMoreJsonValues } from "@x/wire";
 *
 * hasMoreJsonValues('{"urls": ["http://a/?[,]", "http://b/"]}', 3); // → true
 * hasMoreJsonValues('{"urls": ["http://a/?[,]", "http://b/"]}', 4); // → false
 * ```
 */
export function hasMoreJsonValues(json: string, most: number): boolean {
  let count = 1;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfText(json, i);
    else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) count++;
    if (count > most) return true;
  }
  return count > most;
}

/**
 * Whether JSON has more than `most` objects, arrays and strings, including the names of members. `JSON.parse` allocates
 * memory for each of them, whereas numbers in an array take only a few bytes.
 */
export function hasMoreJsonParts(json: string, most: number): boolean {
  let count = 0;
  for (let i = 0; i < json.length && count <= most; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfText(json, i);
    if (code === QUOTE || code === OPENING_BRACKET || code === OPENING_BRACE) count++;
  }
  return count > most;
}
