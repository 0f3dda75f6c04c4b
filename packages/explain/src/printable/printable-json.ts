import { isPlain, UNSAFE_CHARACTERS } from "./unsafe-characters.ts";

/**
 * A value as one line of JSON that is safe to show, because unsafe characters are escaped. `JSON.parse` restores the
 * value.
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
