import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import { checkRecord } from "./check.ts";
import { type AnyType, absentValue, enumNumber, type Field, joinPath, tableOf } from "./field.ts";
import { checkTime } from "./time.ts";

type ValueInput<Value> = Value extends Uint8Array
  ? Uint8Array
  : Value extends readonly (infer Element)[]
    ? readonly ValueInput<Element>[]
    : Value extends object
      ? MessageInput<Value>
      : Value;

/** A record to be encoded: absent fields may be left out. */
export type MessageInput<Message> = {
  readonly [Name in keyof Message]?: ValueInput<Message[Name]> | undefined;
};

const RANGES = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
} as const;
const MAX_UINT64 = 2n ** 64n - 1n;

function expectType(path: string, expected: string, value: unknown, isIt: boolean): void {
  if (!isIt) throw typeError(path, expected, value);
}

function expectRange(path: string, isIn: boolean, value: unknown): void {
  if (!isIn) throw new RangeError(`${path} does not fit its field: ${String(value)}`);
}

/** One value, checked. */
function completeValue(field: Field<unknown>, value: unknown, path: string): unknown {
  switch (field.kind) {
    case "int32":
    case "uint32":
    case "int64": {
      expectType(path, "a number", value, typeof value === "number");
      const [least, most] = RANGES[field.kind];
      const number = value as number;
      expectRange(path, Number.isInteger(number) && number >= least && number <= most, value);
      return value;
    }
    case "uint64":
    case "fixed64":
      expectType(path, "a bigint", value, typeof value === "bigint");
      expectRange(path, (value as bigint) >= 0n && (value as bigint) <= MAX_UINT64, value);
      return value;
    case "bool":
      expectType(path, "a boolean", value, typeof value === "boolean");
      return value;
    case "string":
      expectType(path, "a string", value, typeof value === "string");
      // Half of a surrogate pair has no UTF-8 form.
      if (/\p{Surrogate}/u.test(value as string)) throw new WireError("text-malformed", path);
      return value;
    case "bytes":
      expectType(path, "a Uint8Array", value, isUint8Array(value));
      return value;
    case "duration":
    case "timestamp":
      expectType(path, "a number of milliseconds", value, typeof value === "number");
      checkTime(field.kind, value as number, path);
      return value;
    case "enum":
      return completeEnum(field, value, path);
    default:
      return completeFields(field.type!, value, path);
  }
}

function completeEnum({ names, open }: Field<unknown>, value: unknown, path: string): unknown {
  if (open && typeof value === "number") {
    expectRange(path, Number.isInteger(value) && value === (value | 0), value);
    return value;
  }
  expectType(path, "the name of a value", value, typeof value === "string");
  if (enumNumber(names!, value as string) === undefined) throw new WireError("value-invalid", path);
  return value;
}

/** The array with complete values: the same array when they are complete already. */
function completeArray(field: Field<unknown>, values: unknown[], path: string): unknown[] {
  let completed: unknown[] | null = null;
  for (let i = 0; i < values.length; i++) {
    const value = completeValue(field, values[i], path);
    if (completed === null && value !== values[i]) completed = values.slice(0, i);
    completed?.push(value);
  }
  return completed ?? values;
}

/** The message with all fields: the same object when it has them already. */
function completeFields(type: AnyType, message: unknown, path: string): Record<string, unknown> {
  expectType(path || "message", "a record", message, typeof message === "object" && !!message);
  const given = message as Record<string, unknown>;
  const { all } = tableOf(type);
  let record: Record<string, unknown> | null = null;
  for (let i = 0; i < all.length; i++) {
    const { name, field } = all[i]!;
    const value = given[name];
    const completed = completeField(field, name, value, path);
    if (record === null && completed !== value) {
      record = {};
      for (const before of all.slice(0, i)) record[before.name] = given[before.name];
    }
    if (record !== null) record[name] = completed;
  }
  return record ?? given;
}

function completeField(field: Field<unknown>, name: string, value: unknown, path: string): unknown {
  if (value === undefined || (value === null && absentValue(field) === null)) {
    return absentValue(field);
  }
  const at = joinPath(path, name);
  if (!field.repeated) return completeValue(field, value, at);
  expectType(at, "an array", value, Array.isArray(value));
  return completeArray(field, value as unknown[], at);
}

/**
 * Adds the fields that the caller left out, and checks that the record can be written.
 */
export function completeRecord(type: AnyType, message: unknown): Record<string, unknown> {
  const record = completeFields(type, message, "");
  checkRecord(type, record);
  return record;
}
