/** Functions that define and modify the fields of message types. */

import type { Field, MessageType } from "./message-type.ts";

type Maker<Value> = (number: number) => Field<Value>;

export const int32: Maker<number> = (number) => ({ number, kind: "int32" });
export const uint32: Maker<number> = (number) => ({ number, kind: "uint32" });
export const int64: Maker<number> = (number) => ({ number, kind: "int64" });
export const uint64: Maker<bigint> = (number) => ({ number, kind: "uint64" });
export const fixed64: Maker<bigint> = (number) => ({ number, kind: "fixed64" });
export const bool: Maker<boolean> = (number) => ({ number, kind: "bool" });
export const string: Maker<string> = (number) => ({ number, kind: "string" });
export const bytes: Maker<Uint8Array> = (number) => ({ number, kind: "bytes" });
/** The value is in milliseconds. */
export const duration: Maker<number | null> = (number) => ({ number, kind: "duration" });
/** The value is in milliseconds since 1970-01-01T00:00Z. */
export const timestamp: Maker<number | null> = (number) => ({ number, kind: "timestamp" });

/** An enumeration; values without a name are skipped. */
export function oneName<Name extends string>(
  number: number,
  names: Readonly<Record<Name, number>>,
): Field<Name | null> {
  return { number, kind: "enum", names };
}

/** An enumeration that keeps values without a name as numbers, so that an answer can repeat them. */
export function nameOrNumber<Name extends string>(
  number: number,
  names: Readonly<Record<Name, number>>,
): Field<Name | number | null> {
  return { number, kind: "enum", names, open: true };
}

export function message<Message>(
  number: number,
  type: MessageType<Message>,
): Field<Message | null> {
  return { number, kind: "message", type };
}

/** Turns a field into a repeated field with values of the same type. */
export function many<Value>(field: Field<Value>): Field<readonly NonNullable<Value>[]> {
  return { ...(field as Field<never>), repeated: true };
}

/** Makes a repeated field that is written with one tag for each value. */
export function unpacked<Value>(field: Field<Value>): Field<Value> {
  return { ...field, unpacked: true };
}

/** Makes a field that is written even when it is zero or empty. */
export function explicit<Value>(field: Field<Value>): Field<Value> {
  return { ...field, explicit: true };
}
