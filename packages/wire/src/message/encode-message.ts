import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { completeRecord, type MessageInput } from "./complete.ts";
import {
  type AnyType,
  enumNumber,
  type Field,
  fieldOf,
  isAbsent,
  type MessageType,
} from "./field.ts";
import { writeTime } from "./time.ts";
import { wireTypeOf } from "./wire-type.ts";

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

/** Writes the fields in the order of their numbers, so that equal records give equal bytes. */
function writeRecord(writer: BinaryWriter, type: AnyType, record: Record<string, unknown>): void {
  const fields = Object.keys(type.fields).map((name) => ({ name, field: fieldOf(type, name)! }));
  fields.sort((a, b) => a.field.number - b.field.number);
  for (const { name, field } of fields) writeField(writer, field, record[name]);
}

/**
 * Writes a record as a protobuf message. Fields that are left out are absent.
 *
 * Equal records give equal bytes, because fields are written in the order of their numbers.
 *
 * @throws {WireError} when the record breaks a rule of the protocol, so {@link decodeMessage} can
 * read all that is written.
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
  const writer = new BinaryWriter();
  writeRecord(writer, type, completeRecord(type, message));
  return writer.finish();
}
