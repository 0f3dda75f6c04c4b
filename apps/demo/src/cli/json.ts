const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/** One line of JSON, in which no character is raw that a terminal obeys or does not show. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (PLAIN.test(json)) return json;
  return json.replace(INVISIBLE, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
