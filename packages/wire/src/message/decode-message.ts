import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { isUint8Array } from "@x/sha256-prefix";
import { WireError } from "../error.ts";
import { typeError } from "../type-error.ts";
import { checkRecord } from "./check.ts";
import {
  type AnyType,
  emptyRecord,
  enumName,
  type Field,
  isKept,
  joinPath,
  type MessageType,
  type NamedField,
  tableOf,
  UNKNOWN,
} from "./field.ts";
import {
  type Budget,
  checkLength,
  type MessageLimits,
  newBudget,
  takeElement,
  takeValue,
} from "./limits.ts";
import { readTime } from "./time.ts";
import { wireTypeOf } from "./wire-type.ts";

function readEnum({ names, open }: Field<unknown>, number: number): unknown {
  return enumName(names!, number) ?? (open && number !== 0 ? number : UNKNOWN);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readText(bytes: Uint8Array, path: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new WireError("text-malformed", path);
  }
}

function readInt64(value: bigint | string, path: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new WireError("value-invalid", path);
  return number;
}

/** Reads one value of any type except `message`. `earlier` is the value that the field has so far. */
function readScalar(
  reader: BinaryReader,
  field: Field<unknown>,
  path: string,
  earlier: unknown,
): unknown {
  switch (field.kind) {
    case "int32":
      return reader.int32();
    case "uint32":
      return reader.uint32();
    case "int64":
      return readInt64(reader.int64(), path);
    case "uint64":
      return BigInt(reader.uint64());
    case "fixed64":
      return BigInt(reader.fixed64());
    case "bool":
      return reader.bool();
    case "string":
      return readText(reader.bytes(), path);
    case "bytes":
      return reader.bytes();
    case "duration":
    case "timestamp":
      return readTime(field.kind, reader.bytes(), path, earlier as number | null);
    default:
      return readEnum(field, reader.int32());
  }
}

/** A message that is being read, and the record it is read into. */
interface Reading {
  readonly type: AnyType;
  readonly record: Record<string, unknown>;
  readonly path: string;
  readonly budget: Budget;
}

/** The field with this number; `null` when there is no such field, or its wire type is another. */
function findField(type: AnyType, number: number, wireType: WireType): NamedField | null {
  for (const named of tableOf(type).all) {
    const { field } = named;
    if (field.number !== number) continue;
    return wireType === wireTypeOf(field) || isPacked(field, wireType) ? named : null;
  }
  return null;
}

/** Whether the values of a repeated number or enumeration are packed. */
function isPacked(field: Field<unknown>, wireType: WireType): boolean {
  return (
    field.repeated === true &&
    wireType === WireType.LengthDelimited &&
    wireTypeOf(field) === WireType.Varint
  );
}

/** Groups in groups are read no deeper than this. */
const MAX_DEPTH = 100;

/** Skips an unknown field. What is in a group counts. */
function skip(
  reader: BinaryReader,
  number: number,
  wireType: WireType,
  budget: Budget,
  depth = 0,
): void {
  if (wireType !== WireType.StartGroup) {
    reader.skip(wireType, number);
    return;
  }
  if (depth === MAX_DEPTH) throw new WireError("message-malformed");
  for (;;) {
    const [inner, innerType] = reader.tag();
    if (innerType === WireType.EndGroup) {
      if (inner !== number) throw new WireError("message-malformed");
      return;
    }
    takeValue(budget);
    skip(reader, inner, innerType, budget, depth + 1);
  }
}

/** Reads the bytes into the record. Returns whether there was an enumeration value without a name. */
function readInto(reading: Reading, bytes: Uint8Array): boolean {
  const { type, record } = reading;
  const reader = new BinaryReader(bytes);
  let sawUnknown = false;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    takeValue(reading.budget);
    const named = findField(type, number, wireType);
    if (named === null) {
      skip(reader, number, wireType, reading.budget);
      continue;
    }
    const { name, field } = named;
    if (field.kind === "message") readInner(reading, named, reader.bytes());
    else if (isPacked(field, wireType)) {
      const bytes = reader.bytes();
      const packed = new BinaryReader(bytes);
      if (field.kind === "int32") {
        const count = countVarints(bytes);
        takeValue(reading.budget, count);
        record[name] = readIntegers(packed, count, record[name] as number[]);
      }
      while (packed.pos < packed.len) {
        takeValue(reading.budget);
        takeElement(reading.budget, name);
        if (!readValue(reading, named, packed)) sawUnknown = true;
      }
    } else {
      if (field.repeated && field.kind !== "int32") takeElement(reading.budget, name);
      if (!readValue(reading, named, reader)) sawUnknown = true;
    }
    if (!field.repeated) clearOthers(type, record, name);
  }
  return sawUnknown;
}

/** The longest array that V8 keeps as one piece of memory when it is made with its length. */
const MAX_ARRAY = 2 ** 25;

/** Adds numbers to those before. An array that grows takes up to two and a half times the memory. */
function readIntegers(reader: BinaryReader, count: number, before: number[]): number[] {
  const isFirst = before.length === 0 && count <= MAX_ARRAY;
  const values = isFirst ? new Array<number>(count) : before;
  for (let i = values.length - (isFirst ? count : 0); reader.pos < reader.len; i++) {
    values[i] = reader.int32();
  }
  return values;
}

/** How many varints end in the bytes. */
function countVarints(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! < 0x80) count++;
  return count;
}

/** Reads one value of a field that is not a message. Returns `false` for an enumeration value without a name. */
function readValue(
  { record, path }: Reading,
  { name, field }: NamedField,
  reader: BinaryReader,
): boolean {
  const value = readScalar(reader, field, joinPath(path, name), record[name]);
  if (!field.repeated) record[name] = value === UNKNOWN ? null : value;
  else if (value !== UNKNOWN) (record[name] as unknown[]).push(value);
  return value !== UNKNOWN;
}

/** When fields exclude each other, the last one in the message counts. */
function clearOthers(type: AnyType, record: Record<string, unknown>, name: string): void {
  if (!type.oneOf?.includes(name)) return;
  for (const other of type.oneOf as readonly string[]) if (other !== name) record[other] = null;
}

/** Reads a nested message. A field that is not repeated may come in parts, which are merged. */
function readInner(parent: Reading, { name, field }: NamedField, bytes: Uint8Array): void {
  const type = field.type!;
  const path = joinPath(parent.path, name);
  const present = field.repeated ? null : parent.record[name];
  const record = (present ?? emptyRecord(type)) as Record<string, unknown>;
  if (field.repeated) takeElement(parent.budget, path);
  const sawUnknown = readInto({ type, record, path, budget: parent.budget }, bytes);
  if (!field.repeated) parent.record[name] = record;
  else if (isKept(type, record, sawUnknown)) (parent.record[name] as unknown[]).push(record);
}

/** Turns the errors of `@bufbuild/protobuf` into those of this package. */
function withOwnErrors(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) throw error;
    throw new WireError(error instanceof RangeError ? "truncated" : "message-malformed");
  }
}

/**
 * Reads a protobuf message.
 *
 * Unknown fields and enumeration values are skipped. `Uint8Array`s in the record share the memory of `bytes`.
 *
 * @throws {WireError} when the bytes are not such a message, or break a rule of the protocol.
 * @throws {TypeError} when `bytes` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { decodeMessage } from "@x/wire";
 * import { listHashLists } from "@x/wire/v5";
 *
 * decodeMessage(listHashLists.request, Uint8Array.of(0x08, 20)); // → { pageSize: 20, pageToken: "" }
 * ```
 */
export function decodeMessage<Message>(
  type: MessageType<Message>,
  bytes: Uint8Array,
  limits: MessageLimits = {},
): Message {
  if (!isUint8Array(bytes)) throw typeError("bytes", "a Uint8Array", bytes);
  checkLength(bytes.length, limits);
  const budget = newBudget(limits);
  const record = emptyRecord(type);
  // With a Node `Buffer`, all slices would be of that class too.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  withOwnErrors(() => readInto({ type, record, path: "", budget }, plain));
  checkRecord(type, record);
  return record as Message;
}
