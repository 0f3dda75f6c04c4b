import { WireType } from "@bufbuild/protobuf/wire";
import { completeRecord, type MessageInput } from "./complete.ts";
import {
  type AnyType,
  enumNumber,
  type Field,
  isAbsent,
  type MessageType,
  type NamedField,
  tableOf,
  tagOf,
} from "./message-type.ts";
import { NANOS_PER_MILLISECOND, SECOND } from "./time.ts";

/**
 * Writes a record as a protobuf message. Fields without a value may be left out.
 *
 * Equal records give equal bytes, because fields are written in the order of their numbers.
 *
 * @throws {WireError} when the record breaks a rule of the protocol.
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
  message: MessageInput<NoInfer<Message>>,
): Uint8Array<ArrayBuffer> {
  const writer = new BackwardWriter();
  writeRecord(writer, type, completeRecord(type, message));
  return writer.finish();
}

/**
 * Returns the bytes of {@link encodeMessage} as parts in order. Each value of at least `largeBytes` bytes is a part
 * of its own and is not copied.
 */
export function encodeMessageParts<Message>(
  type: MessageType<Message>,
  message: MessageInput<NoInfer<Message>>,
  largeBytes: number,
): Uint8Array[] {
  const writer = new BackwardWriter(largeBytes);
  writeRecord(writer, type, completeRecord(type, message));
  return writer.finishParts();
}

/* The writer works backwards, so fields and values are written from the last to the first. */

/** Writes the fields in the order of their numbers, so that equal records give equal bytes. */
function writeRecord(writer: BackwardWriter, type: AnyType, record: Record<string, unknown>): void {
  const { byNumber } = tableOf(type);
  for (let i = byNumber.length - 1; i >= 0; i--) {
    const named = byNumber[i]!;
    writeField(writer, named, record[named.name]);
  }
}

function writeField(writer: BackwardWriter, named: NamedField, value: unknown): void {
  const { field, wireType } = named;
  const tag = tagOf(field.number, wireType);
  if (field.repeated) {
    const values = value as readonly unknown[];
    const isPacked = values.length > 0 && wireType === WireType.Varint && !field.unpacked;
    const end = writer.length;
    for (let i = values.length - 1; i >= 0; i--) {
      writeScalar(writer, field, values[i]);
      if (!isPacked) writer.varint(tag);
    }
    if (isPacked) {
      writer.varint(writer.length - end);
      writer.varint(tagOf(field.number, WireType.LengthDelimited));
    }
  } else if (value === null) {
    if (!field.explicit || field.kind !== "enum") return;
    writer.varint(0);
    writer.varint(tag);
  } else if (field.explicit || !isAbsent(named, value)) {
    writeScalar(writer, field, value);
    writer.varint(tag);
  }
}

function writeScalar(writer: BackwardWriter, field: Field<unknown>, value: unknown): void {
  switch (field.kind) {
    case "int32":
    case "uint32":
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
      writer.varint(value === true ? 1 : 0);
      break;
    case "string":
      writer.bytes(new TextEncoder().encode(value as string));
      break;
    case "bytes":
      writer.bytes(value as Uint8Array);
      break;
    case "enum":
      writer.int64(typeof value === "number" ? value : enumNumber(field.names!, value as string)!);
      break;
    default: {
      const end = writer.length;
      if (field.kind === "message") writeRecord(writer, field.type!, value as never);
      else writeTime(writer, value as number);
      writer.varint(writer.length - end);
    }
  }
}

/** Writes milliseconds as a Duration or Timestamp message. */
function writeTime(writer: BackwardWriter, milliseconds: number): void {
  const seconds = Math.floor(milliseconds / SECOND);
  const nanos = (milliseconds - seconds * SECOND) * NANOS_PER_MILLISECOND;
  if (nanos !== 0) {
    writer.varint(nanos);
    writer.varint(2 << 3);
  }
  if (seconds !== 0) {
    writer.int64(seconds);
    writer.varint(1 << 3);
  }
}

/*
 * Writes the values of protobuf messages from the last byte to the first, because the length of a nested message comes
 * before the message itself.
 */

const FIRST_LENGTH = 64;

export class BackwardWriter {
  readonly #largeBytes: number;
  #bytes = new Uint8Array(FIRST_LENGTH);
  /** The index of the first written byte. */
  #start = FIRST_LENGTH;
  /** The parts that follow `#bytes`, the last one first. */
  readonly #after: Uint8Array[] = [];
  #lengthAfter = 0;

  /** @param largeBytes values of at least this many bytes become parts of their own and are not copied. */
  constructor(largeBytes: number = Infinity) {
    this.#largeBytes = largeBytes;
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#start + this.#lengthAfter;
  }

  /** Returns all bytes written, if there are no large values. Do not use the writer afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#start);
  }

  /** Returns all bytes written, with each large value as a part. Do not use the writer afterwards. */
  finishParts(): Uint8Array[] {
    this.#endPart();
    return this.#after.reverse();
  }

  /** Ends the part that is being written. */
  #endPart(): void {
    const part = this.finish();
    if (part.length === 0) return;
    this.#after.push(part);
    this.#lengthAfter += part.length;
    this.#start = this.#bytes.length;
  }

  #makeRoom(count: number): void {
    if (this.#start >= count) return;
    const length = this.#bytes.length - this.#start;
    const bytes = new Uint8Array(Math.max(2 * this.#bytes.length, length + count));
    bytes.set(this.#bytes.subarray(this.#start), bytes.length - length);
    this.#bytes = bytes;
    this.#start = bytes.length - length;
  }

  raw(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** Writes an integer from 0 to 2³² − 1. */
  varint(value: number): void {
    const count =
      value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
    this.#makeRoom(count);
    this.#start -= count;
    let rest = value;
    let index = this.#start;
    while (rest >= 0x80) {
      this.#bytes[index++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[index] = rest;
  }

  /** Writes a safe integer. Negative integers take ten bytes. */
  int64(value: number): void {
    if (value >= 0 && value <= 0xffff_ffff) this.varint(value);
    else this.uint64(BigInt.asUintN(64, BigInt(value)));
  }

  uint64(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    while (rest >= 0x80n) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.raw(Uint8Array.from(bytes));
  }

  fixed64(value: bigint): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, value, true);
    this.raw(bytes);
  }

  /** Writes bytes, preceded by their length. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length < this.#largeBytes) this.raw(bytes);
    else {
      this.#endPart();
      this.#after.push(bytes);
      this.#lengthAfter += bytes.length;
    }
    this.varint(bytes.length);
  }
}
