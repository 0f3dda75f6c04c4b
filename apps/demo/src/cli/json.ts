import { isPlain, UNSAFE } from "../text/unsafe-characters.ts";

/** One line of JSON, in which no character is raw that a terminal obeys or does not show. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (isPlain(json)) return json;
  return json.replace(UNSAFE, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
