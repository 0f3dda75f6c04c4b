/*
 * A path says where the entries of a JSON document are: `data[].url` is the member `url` of each element of the array
 * `data`. `[]` stands for each element of an array, and `*` for any name, such as the identifiers of records.
 */

/** A step of a path: the name of a member, each element of an array, or any member. */
export type PathStep = string | typeof ELEMENT | typeof ANY;
export const ELEMENT: unique symbol = Symbol("[]");
export const ANY: unique symbol = Symbol("*");

/** Whether a name of a column is a path into a JSON document, and not just the name of a field. */
export function isPath(column: string): boolean {
  return column.includes("[]") || column.includes(".") || column === "*";
}

/** Reads a path. Names may not contain dots. */
export function parsePath(path: string): readonly PathStep[] {
  return path.split(".").flatMap((part) => {
    const name = part.replace(/(?:\[\])+$/, "");
    const elements = Array<PathStep>((part.length - name.length) / 2).fill(ELEMENT);
    if (name === "") return elements;
    return [name === "*" ? ANY : name, ...elements];
  });
}

/** The opposite of {@link parsePath}. */
export function formatPath(steps: readonly PathStep[]): string {
  return steps
    .map((step, i) => {
      if (step === ELEMENT) return "[]";
      return `${i === 0 ? "" : "."}${step === ANY ? "*" : String(step)}`;
    })
    .join("");
}
