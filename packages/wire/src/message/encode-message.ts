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
import { writeTime } from "./time.ts";
import { BackwardWriter } from "./writer.ts";

/* The writer works backwards, so fields and values are written from the last to the first. */

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

/** Writes the fields in the order of their numbers, so that equal records give equal bytes. */
function writeRecord(writer: BackwardWriter, type: AnyType, record: Record<string, unknown>): void {
  const { byNumber } = tableOf(type);
  for (let i = byNumber.length - 1; i >= 0; i--) {
    const named = byNumber[i]!;
    writeField(writer, named, record[named.name]);
  }
}

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
