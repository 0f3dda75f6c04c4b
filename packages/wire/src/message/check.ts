import { WireError } from "../error.ts";
import { type AnyType, joinPath, tableOf } from "./message-type.ts";

type Values = Readonly<Record<string, unknown>>;

/** Throws when a record breaks a rule of its protocol. The records nested in it are not checked. */
export function checkRules(type: AnyType, values: Values, path: string): void {
  if (type.oneOf !== undefined) {
    const set = type.oneOf.filter((name) => values[name as string] !== null);
    if (set.length > 1) throw new WireError("fields-conflict", joinPath(path, String(set[1])));
  }
  const problem = type.check?.(values) ?? null;
  if (problem !== null) throw new WireError(problem[0], joinPath(path, problem[1]));
}

/** Throws when a record, or a record nested in it, breaks a rule of its protocol. */
export function checkRecord(type: AnyType, values: Values, path: string = ""): void {
  for (const { name, field } of tableOf(type).messages) {
    const value = values[name];
    const at = joinPath(path, name);
    if (field.repeated) {
      for (const each of value as readonly Values[]) checkRecord(field.type!, each, at);
    } else if (value !== null) checkRecord(field.type!, value as Values, at);
  }
  checkRules(type, values, path);
}
