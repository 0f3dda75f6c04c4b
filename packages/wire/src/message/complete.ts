import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import { checkRules } from "./draft.ts";
import {
  type AnyType,
  absentValue,
  enumNumber,
  type Field,
  isInRange,
  joinPath,
  KINDS,
  type Kind,
  type NamedField,
  tableOf,
} from "./message-type.ts";
import { checkTime } from "./time.ts";

/** A record to be encoded. Fields without a value may be left out. */
export type MessageInput<Message> = {
  readonly [Name in keyof Message]?: ValueInput<Message[Name]> | undefined;
};

type ValueInput<Value> = Value extends Uint8Array
  ? Uint8Array
  : Value extends readonly (infer Element)[]
    ? readonly ValueInput<Element>[]
    : Value extends object
      ? MessageInput<Value>
      : Value;

/** Adds the fields that the caller left out, and checks that the record can be written. */
export function completeRecord(type: AnyType, message: unknown): Record<string, unknown> {
  return completeFields(type, message, "");
}

/** Returns the message with all its fields, or the same object if nothing was missing. */
function completeFields(type: AnyType, message: unknown, path: string): Record<string, unknown> {
  if (typeof message !== "object" || message === null) {
    throw typeError(path || "message", "a record", message);
  }
  const given = message as Record<string, unknown>;
  const { all } = tableOf(type);
  let record: Record<string, unknown> | null = null;
  for (let i = 0; i < all.length; i++) {
    const named = all[i]!;
    const { name } = named;
    const value = given[name];
    const completed = completeField(named, value, path);
    if (record === null && completed !== value) {
      record = {};
      for (const before of all.slice(0, i)) record[before.name] = given[before.name];
    }
    if (record !== null) record[name] = completed;
  }
  checkRules(type, record ?? given, path);
  return record ?? given;
}

function completeField(named: NamedField, value: unknown, path: string): unknown {
  const { name, field } = named;
  if (value === undefined) return absentValue(named);
  if (value === null && named.absent === null) return null;
  const at = joinPath(path, name);
  if (!field.repeated) return completeValue(field, value, at);
  if (!Array.isArray(value)) throw typeError(at, "an array", value);
  return completeArray(field, value, at);
}

/** Completes every record in an array. Returns the same array if nothing was missing. */
function completeArray(field: Field<unknown>, values: unknown[], path: string): unknown[] {
  let completed: unknown[] | null = null;
  for (let i = 0; i < values.length; i++) {
    const value = completeValue(field, values[i], path);
    if (completed === null && value !== values[i]) completed = values.slice(0, i);
    completed?.push(value);
  }
  return completed ?? values;
}

/** Checks one value, and completes it if it is a record. */
function completeValue(field: Field<unknown>, value: unknown, path: string): unknown {
  const { kind } = field;
  if (kind === "message") return completeFields(field.type!, value, path);
  if (kind === "enum") checkEnum(field, value, path);
  else if (kind === "bytes") {
    if (!isUint8Array(value)) throw typeError(path, "a Uint8Array", value);
  } else {
    const { type, called } = KINDS[kind];
    if (typeof value !== type) throw typeError(path, called, value);
    checkScalar(kind, value, path);
  }
  return value;
}

/** Throws when a value of the right type cannot be written, such as a number out of range. */
function checkScalar(kind: Kind, value: unknown, path: string): void {
  if (kind === "duration" || kind === "timestamp") checkTime(kind, value as number, path);
  else if (kind === "string") {
    // Half of a surrogate pair has no UTF-8 form.
    if (/\p{Surrogate}/u.test(value as string)) throw new WireError("text-malformed", path);
  } else if (kind !== "bool") {
    const isWhole = typeof value === "bigint" || Number.isInteger(value);
    if (!isWhole || !isInRange(kind, value as number)) throw rangeError(path, value);
  }
}

function checkEnum({ names, open }: Field<unknown>, value: unknown, path: string): void {
  if (open && typeof value === "number") {
    if (value !== (value | 0)) throw rangeError(path, value);
  } else if (typeof value !== "string") throw typeError(path, "the name of a value", value);
  else if (enumNumber(names!, value) === undefined) throw new WireError("value-invalid", path);
}

function rangeError(path: string, value: unknown): RangeError {
  return new RangeError(`${path} does not fit its field: ${String(value)}`);
}
