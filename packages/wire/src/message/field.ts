/*
 * A message type is a table: it gives the number and the type of the field for each name in the record. Each format
 * has one reader and one writer that follow these tables. The only code of a message type is its checks.
 */

import type { WireErrorCode } from "../error.ts";

/** The type of one value of a field. The comment says what the record holds for it. */
export type Kind =
  /** `number` */
  | "int32"
  /** `number` */
  | "uint32"
  /** `number`, a safe integer */
  | "int64"
  /** `bigint` */
  | "uint64"
  /** `bigint`; eight bytes on the wire */
  | "fixed64"
  /** `boolean` */
  | "bool"
  /** `string` */
  | "string"
  /** `Uint8Array` */
  | "bytes"
  /** the name of the value; `null` when it has none */
  | "enum"
  /** a record; `null` when there is none */
  | "message"
  /** milliseconds as a `number`; `null` when there are none */
  | "duration"
  /** milliseconds since 1970-01-01T00:00Z as a `number`; `null` when there are none */
  | "timestamp";

/** The names of an enumeration's values. When a value has two, the first one is written. */
export type EnumNames = Readonly<Record<string, number>>;

/** How a field is read and written. */
export interface Field<Value> {
  readonly number: number;
  readonly kind: Kind;
  readonly repeated?: boolean;
  /** Written even when it is zero or empty: readers of proto2 ask whether the field is there. */
  readonly explicit?: boolean;
  /** Of a repeated enumeration or number: written with one tag for each value, as proto2 does. */
  readonly unpacked?: boolean;
  /** Of a message. */
  // biome-ignore lint/suspicious/noExplicitAny: records of all messages stand here
  readonly type?: MessageType<any>;
  /** Of an enumeration. */
  readonly names?: EnumNames;
  /** Of an enumeration: a value without a name is kept as a number. */
  readonly open?: boolean;
  /** Never set: it ties the field to the type of its value. */
  readonly value?: Value;
}

/** The problem with a record, and the field it is in. */
export type Problem = readonly [code: WireErrorCode, field: string];

/** How one kind of message is read and written. */
export interface MessageType<Message> {
  readonly fields: { readonly [Name in keyof Message]-?: Field<Message[Name]> };
  /** The fields of which at most one may be set. */
  readonly oneOf?: readonly (keyof Message)[];
  /** As an element of a repeated field, it is dropped when one of its enumerations has no value with a name. */
  readonly knownOnly?: boolean;
  /** The rules that the types do not say. */
  readonly check?: (message: Message) => Problem | null;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of any message
export type AnyType = MessageType<any>;

/** The field called `name`, or `null`. Inherited names such as `constructor` do not count. */
export function fieldOf(type: AnyType, name: string): Field<unknown> | null {
  return Object.hasOwn(type.fields, name) ? (type.fields[name] as Field<unknown>) : null;
}

/** The number that an enumeration's value has, or `undefined`. */
export function enumNumber(names: EnumNames, name: string): number | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/** The name that an enumeration's number is written with, or `undefined`. */
export function enumName(names: EnumNames, number: number): string | undefined {
  return Object.keys(names).find((name) => names[name] === number);
}

/** The value in a record when the field is absent. */
export function absentValue(field: Field<unknown>): unknown {
  if (field.repeated) return [];
  switch (field.kind) {
    case "bool":
      return false;
    case "string":
      return "";
    case "bytes":
      return new Uint8Array(0);
    case "uint64":
    case "fixed64":
      return 0n;
    case "int32":
    case "uint32":
    case "int64":
      return 0;
    default:
      return null;
  }
}

/** Whether a value is the one that an absent field has. */
export function isAbsent(field: Field<unknown>, value: unknown): boolean {
  if (field.kind === "bytes") return (value as Uint8Array).length === 0;
  return value === absentValue(field);
}

/** A record of which no field is set. */
export function emptyRecord(type: AnyType): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const name of Object.keys(type.fields)) record[name] = absentValue(fieldOf(type, name)!);
  return record;
}

/** The path of a field in a message that stands at `path` itself. */
export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/**
 * Whether an element of a repeated field is to be kept: of some messages, those are dropped in which an enumeration
 * had a value without a name, or has none.
 */
export function isKept(
  type: AnyType,
  record: Readonly<Record<string, unknown>>,
  sawUnknown: boolean,
): boolean {
  if (!type.knownOnly) return true;
  const lacksName = Object.keys(type.fields).some(
    (name) => fieldOf(type, name)!.kind === "enum" && record[name] === null,
  );
  return !sawUnknown && !lacksName;
}

/** Readers return this for an enumeration's value without a name. */
export const UNKNOWN: unique symbol = Symbol("unknown");
