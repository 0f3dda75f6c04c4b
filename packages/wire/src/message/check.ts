import { WireError } from "../error.ts";
import { type AnyType, fieldOf } from "./field.ts";

/** Throws when a record, or a record nested in it, breaks a rule of its protocol. */
export function checkRecord(type: AnyType, record: unknown, path: string = ""): void {
  const values = record as Readonly<Record<string, unknown>>;
  const prefix = path === "" ? "" : `${path}.`;
  for (const name of Object.keys(type.fields)) {
    const field = fieldOf(type, name)!;
    if (field.kind !== "message") continue;
    const value = values[name];
    const inner = field.repeated ? (value as readonly unknown[]) : value === null ? [] : [value];
    for (const each of inner) checkRecord(field.type!, each, `${prefix}${name}`);
  }
  const set = (type.oneOf ?? []).filter((name) => values[name as string] !== null);
  if (set.length > 1) throw new WireError("fields-conflict", `${prefix}${String(set[1])}`);
  const problem = type.check?.(values) ?? null;
  if (problem !== null) throw new WireError(problem[0], `${prefix}${problem[1]}`);
}
