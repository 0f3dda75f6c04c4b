import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import {
  checkLength,
  type Draft,
  finishDraft,
  innerDraft,
  MAX_DEPTH,
  type MessageLimits,
  newDraft,
  putMessage,
  putValue,
  takeValues,
} from "./draft.ts";
import {
  type AnyType,
  enumValue,
  type Field,
  joinPath,
  type MessageType,
  type NamedField,
  tableOf,
  tagOf,
} from "./message-type.ts";
import { checkSeconds, NANOS_PER_MILLISECOND, SECOND, type TimeKind } from "./time.ts";

/**
 * Reads a protobuf message.
 *
 * Unknown fields and enumeration values are skipped, except unknown values for the types that name a list in v4 and for
 * the platforms of a v4 search.
 * `Uint8Array`s in the record share the memory of `bytes`.
 *
 * @throws {WireError} when the bytes are not a message of this type, exceed a limit, or break a rule of the protocol.
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
  const draft = newDraft(type, limits);
  // Slices of a Node `Buffer` are `Buffer`s too, but records have plain `Uint8Array`s.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  withOwnErrors(() => readInto(draft, plain));
  return finishDraft(type, draft);
}

/** Converts the errors of `@bufbuild/protobuf` to `WireError`s. */
function withOwnErrors(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) throw error;
    throw new WireError(error instanceof RangeError ? "truncated" : "message-malformed");
  }
}

function readInto(draft: Draft, bytes: Uint8Array): void {
  const { type, record } = draft;
  const { byTag } = tableOf(type);
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    takeValues(draft);
    const named = byTag.get(tagOf(number, wireType));
    if (named === undefined) {
      skip(draft, reader, number, wireType);
      continue;
    }
    const { name, field } = named;
    if (field.kind === "message") {
      // A message field that is not repeated may come in parts, which are merged.
      const inner = innerDraft(draft, named, field.repeated ? null : record[name]);
      readInto(inner, reader.bytes());
      putMessage(draft, named, inner);
    } else if (wireType === named.wireType) readValue(draft, named, reader);
    else readPacked(draft, named, reader.bytes());
    if (!field.repeated) clearOthers(type, record, name);
  }
}

/** When fields exclude each other, the last one in the message counts. */
function clearOthers(type: AnyType, record: Record<string, unknown>, name: string): void {
  if (!type.oneOf?.includes(name)) return;
  for (const other of type.oneOf as readonly string[]) if (other !== name) record[other] = null;
}

/** Skips an unknown field. The fields in a group count towards the limit for values, too. */
function skip(
  draft: Draft,
  reader: BinaryReader,
  number: number,
  wireType: WireType,
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
    takeValues(draft);
    skip(draft, reader, inner, innerType, depth + 1);
  }
}

/** Reads the packed values of a repeated number or enumeration. */
function readPacked(draft: Draft, named: NamedField, bytes: Uint8Array): void {
  const { record } = draft;
  const { name, field } = named;
  const reader = new BinaryReader(bytes);
  const count = countVarints(bytes);
  takeValues(draft, count);
  if (field.kind === "int32") {
    record[name] = readIntegers(reader, count, record[name] as number[]);
  }
  while (reader.pos < reader.len) readValue(draft, named, reader);
}

/**
 * Appends packed integers to those read before. The first array is created with its final length, because a growing
 * array would take up to two and a half times the memory.
 */
function readIntegers(reader: BinaryReader, count: number, before: number[]): number[] {
  const isFirst = before.length === 0;
  const values = isFirst ? new Array<number>(count) : before;
  for (let i = isFirst ? 0 : values.length; reader.pos < reader.len; i++) {
    values[i] = reader.int32();
  }
  return values;
}

/** The number of varints that end in the bytes. */
function countVarints(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! < 0x80) count++;
  return count;
}

function readValue(draft: Draft, named: NamedField, reader: BinaryReader): void {
  const path = joinPath(draft.path, named.name);
  putValue(draft, named, readScalar(reader, named.field, path, draft.record[named.name]));
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
      return enumValue(field, reader.int32());
  }
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

/**
 * Reads the milliseconds of a Duration or Timestamp message. `earlier` is the value of an earlier part of the field, or
 * `null`: the parts of a field are merged.
 */
function readTime(
  kind: TimeKind,
  bytes: Uint8Array,
  field: string,
  earlier: number | null,
): number {
  const reader = new BinaryReader(bytes);
  let seconds = Math.floor((earlier ?? 0) / SECOND);
  let nanos = ((earlier ?? 0) - seconds * SECOND) * NANOS_PER_MILLISECOND;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1 && wireType === 0) seconds = Number(reader.int64());
    else if (number === 2 && wireType === 0) nanos = reader.int32();
    else reader.skip(wireType, number);
  }
  checkSeconds(kind, seconds, nanos, field);
  return seconds * SECOND + Math.floor(nanos / NANOS_PER_MILLISECOND);
}
