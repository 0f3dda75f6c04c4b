/** Functions that make the fields of message tables: one for each type of field. */

import type { EnumNames, Field, MessageType } from "./field.ts";

type Options = Pick<Field<unknown>, "explicit" | "unpacked">;

const EXPLICIT: Options = { explicit: true };

export function int32(number: number): Field<number> {
  return { number, kind: "int32" };
}

export function int32s(number: number, options: Options = {}): Field<readonly number[]> {
  return { ...options, number, kind: "int32", repeated: true };
}

export function uint32(number: number): Field<number> {
  return { number, kind: "uint32" };
}

export function int64(number: number): Field<number> {
  return { number, kind: "int64" };
}

export function uint64(number: number): Field<bigint> {
  return { number, kind: "uint64" };
}

export function fixed64(number: number): Field<bigint> {
  return { number, kind: "fixed64" };
}

export function bool(number: number): Field<boolean> {
  return { number, kind: "bool" };
}

export function string(number: number): Field<string> {
  return { number, kind: "string" };
}

export function strings(number: number): Field<readonly string[]> {
  return { number, kind: "string", repeated: true };
}

export function bytes(number: number): Field<Uint8Array> {
  return { number, kind: "bytes" };
}

export function manyBytes(number: number): Field<readonly Uint8Array[]> {
  return { number, kind: "bytes", repeated: true };
}

export function duration(number: number): Field<number | null> {
  return { number, kind: "duration" };
}

export function timestamp(number: number): Field<number | null> {
  return { number, kind: "timestamp" };
}

/** An enumeration; values without a name are skipped. */
export function oneName<Name extends string>(
  number: number,
  names: Readonly<Record<Name, number>>,
): Field<Name | null> {
  return { number, kind: "enum", names };
}

/** An enumeration whose values without a name stay numbers, so that an answer can repeat them. */
export function nameOrNumber<Name extends string>(
  number: number,
  names: Readonly<Record<Name, number>>,
): Field<Name | number | null> {
  return { number, kind: "enum", names, open: true };
}

export function manyNames<Name extends string>(
  number: number,
  names: Readonly<Record<Name, number>>,
  options: Options = {},
): Field<readonly Name[]> {
  return { ...options, number, kind: "enum", names: names as EnumNames, repeated: true };
}

export function message<Message>(
  number: number,
  type: MessageType<Message>,
): Field<Message | null> {
  return { number, kind: "message", type };
}

export function messages<Message>(
  number: number,
  type: MessageType<Message>,
): Field<readonly Message[]> {
  return { number, kind: "message", type, repeated: true };
}

/** The same field, written even when it is zero or empty. */
export function explicit<Value>(field: Field<Value>): Field<Value> {
  return { ...field, ...EXPLICIT };
}
