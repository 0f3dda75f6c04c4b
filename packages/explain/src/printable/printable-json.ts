import { isPlain, UNSAFE_CHARACTERS } from "./unsafe-characters.ts";

/**
 * A value as one line of JSON in which unsafe characters are escaped, so that it can be shown. Parsing it gives
 * the value back.
 *
 * @example
 * ```ts
 * import { printableJson } from "@x/explain/printable";
 *
 * printableJson({ url: "\u202e" }); // → '{"url":"\\u202e"}'
 * ```
 */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (isPlain(json)) return json;
  return json.replace(UNSAFE_CHARACTERS, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
