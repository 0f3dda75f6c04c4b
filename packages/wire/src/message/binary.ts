import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isUint8Array } from "@x/sha256-prefix";
import { WireError } from "../error.ts";
import { typeError } from "../type-error.ts";
import { checkRecord } from "./check.ts";
import { completeRecord, type MessageInput } from "./complete.ts";
import {
  type AnyType,
  emptyRecord,
  enumName,
  enumNumber,
  type Field,
  fieldOf,
  isAbsent,
  type MessageType,
} from "./field.ts";
import { type Budget, checkLength, type MessageLimits, newBudget, takeElement } from "./limits.ts";
import { readTime, writeTime } from "./time.ts";

function wireTypeOf({ kind }: Field<unknown>): WireType {
  switch (kind) {
    case "fixed64":
      return WireType.Bit64;
    case "string":
    case "bytes":
    case "message":
    case "duration":
    case "timestamp":
      return WireType.LengthDelimited;
    default:
      return WireType.Varint;
  }
}

/** Tells that an enumeration had a value without a name. */
const UNKNOWN: unique symbol = Symbol("unknown");

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

/** One value of any type but `message`. */
function readScalar(reader: BinaryReader, field: Field<unknown>, path: string): unknown {
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
      return readTime(field.kind, reader.bytes(), path);
    default:
      return readEnum(field, reader.int32());
  }
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

/** Where a message is being read to. */
interface Reading {
  readonly type: AnyType;
  readonly record: Record<string, unknown>;
  readonly path: string;
  readonly budget: Budget;
}

/** Reads what the bytes say into the record; gives whether some enumeration had a value without a name. */
function readInto(reading: Reading, bytes: Uint8Array): boolean {
  const { type, record, path } = reading;
  const names = Object.keys(type.fields);
  const reader = new BinaryReader(bytes);
  let sawUnknown = false;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const name = names.find((each) => fieldOf(type, each)?.number === number);
    const field = name === undefined ? null : fieldOf(type, name);
    const isPacked =
      field?.repeated === true &&
      wireType === WireType.LengthDelimited &&
      wireTypeOf(field) === WireType.Varint;
    if (name === undefined || field === null || !(isPacked || wireType === wireTypeOf(field))) {
      reader.skip(wireType, number);
      continue;
    }
    const at = join(path, name);
    if (isPacked) {
      const values = record[name] as unknown[];
      const packed = new BinaryReader(reader.bytes());
      while (packed.pos < packed.len) {
        const value = readScalar(packed, field, at);
        if (value === UNKNOWN) sawUnknown = true;
        else values.push(value);
      }
    } else if (field.kind === "message") {
      readField(reading, name, reader.bytes());
    } else {
      const value = readScalar(reader, field, at);
      if (value === UNKNOWN) sawUnknown = true;
      if (field.repeated) {
        if (field.kind !== "int32") takeElement(reading.budget, at);
        if (value !== UNKNOWN) (record[name] as unknown[]).push(value);
      } else {
        record[name] = value === UNKNOWN ? null : value;
      }
    }
    if (!field.repeated) clearOthers(type, record, name);
  }
  return sawUnknown;
}

/** Of fields that exclude each other, the last one read stays. */
function clearOthers(type: AnyType, record: Record<string, unknown>, name: string): void {
  if (!type.oneOf?.includes(name)) return;
  for (const other of type.oneOf as readonly string[]) if (other !== name) record[other] = null;
}

/** Reads a message in a message. One that is not repeated may come in parts, which are merged. */
function readField(parent: Reading, name: string, bytes: Uint8Array): void {
  const field = fieldOf(parent.type, name)!;
  const type = field.type!;
  const path = join(parent.path, name);
  const present = field.repeated ? null : parent.record[name];
  const record = (present ?? emptyRecord(type)) as Record<string, unknown>;
  if (field.repeated) takeElement(parent.budget, path);
  const sawUnknown = readInto({ type, record, path, budget: parent.budget }, bytes);
  if (!field.repeated) parent.record[name] = record;
  else if (!(sawUnknown && type.knownOnly)) (parent.record[name] as unknown[]).push(record);
}

/** Runs a reader of `@bufbuild/protobuf`, whose errors say less than ours. */
function withOwnErrors(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) throw error;
    throw new WireError(error instanceof RangeError ? "truncated" : "message-malformed");
  }
}

/**
 * The record of a protobuf message.
 *
 * Fields and enumeration values that are not known are skipped. Fields of bytes share the memory of `bytes`.
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
  const record = emptyRecord(type);
  // A Node Buffer would hand its class on to all the fields of bytes.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  withOwnErrors(() => readInto({ type, record, path: "", budget: newBudget() }, plain));
  checkRecord(type, record);
  return record as Message;
}

function writeScalar(writer: BinaryWriter, field: Field<unknown>, value: unknown): void {
  switch (field.kind) {
    case "int32":
      writer.int32(value as number);
      break;
    case "uint32":
      writer.uint32(value as number);
      break;
    case "int64":
      writer.int64(value as number);
      break;
    case "uint64":
      writer.uint64(value as bigint);
      break;
    case "fixed64":
      writer.fixed64(value as bigint);
      break;
    case "bool":
      writer.bool(value as boolean);
      break;
    case "string":
      writer.string(value as string);
      break;
    case "bytes":
      writer.bytes(value as Uint8Array);
      break;
    case "enum":
      writer.int32(typeof value === "number" ? value : enumNumber(field.names!, value as string)!);
      break;
    default:
      writer.fork();
      if (field.kind === "message") writeRecord(writer, field.type!, value as never);
      else writeTime(writer, value as number);
      writer.join();
  }
}

function writeField(writer: BinaryWriter, field: Field<unknown>, value: unknown): void {
  const wireType = wireTypeOf(field);
  if (field.repeated) {
    const values = value as readonly unknown[];
    if (values.length > 0 && wireType === WireType.Varint && !field.unpacked) {
      writer.tag(field.number, WireType.LengthDelimited).fork();
      for (const each of values) writeScalar(writer, field, each);
      writer.join();
    } else {
      for (const each of values) {
        writeScalar(writer.tag(field.number, wireType), field, each);
      }
    }
  } else if (value === null) {
    if (field.explicit && field.kind === "enum") writer.tag(field.number, wireType).int32(0);
  } else if (field.explicit || !isAbsent(field, value)) {
    writeScalar(writer.tag(field.number, wireType), field, value);
  }
}

/** Writes the fields in the order of their numbers, which makes equal records equal bytes. */
function writeRecord(writer: BinaryWriter, type: AnyType, record: Record<string, unknown>): void {
  const fields = Object.keys(type.fields).map((name) => ({ name, field: fieldOf(type, name)! }));
  fields.sort((a, b) => a.field.number - b.field.number);
  for (const { name, field } of fields) writeField(writer, field, record[name]);
}

/**
 * The protobuf message of a record. Fields that are left out are absent.
 *
 * Equal records give equal bytes: fields stand in the order of their numbers.
 *
 * @throws {WireError} when the record breaks a rule of the protocol: whatever this function writes,
 * {@link decodeMessage} reads.
 * @throws {TypeError} when a field has a value of the wrong type.
 * @throws {RangeError} when a number does not fit its field.
 * @example
 * ```ts
 * import { encodeMessage } from "@x/wire";
 * import { listHashLists } from "@x/wire/v5";
 *
 * encodeMessage(listHashLists.request, { pageSize: 20 }); // → Uint8Array.of(0x08, 20)
 * ```
 */
export function encodeMessage<Message>(
  type: MessageType<Message>,
  message: MessageInput<Message>,
): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writeRecord(writer, type, completeRecord(type, message));
  return writer.finish();
}
