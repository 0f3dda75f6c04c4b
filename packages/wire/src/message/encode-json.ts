import { toBase64 } from "./base64.ts";
import { completeRecord, type MessageInput } from "./complete.ts";
import {
  type AnyType,
  enumNumber,
  type Field,
  isAbsent,
  type MessageType,
  tableOf,
} from "./field.ts";
import { formatDuration, formatTimestamp } from "./time.ts";

/** Options of {@link encodeJson}. */
export interface JsonOptions {
  /** Whether enumeration values are names, or numbers as for `$alt=json;enum-encoding=int`; `"names"` by default. */
  readonly enums?: "names" | "numbers" | undefined;
}

function writeScalar(field: Field<unknown>, value: unknown, options: JsonOptions): unknown {
  switch (field.kind) {
    case "int64":
    case "uint64":
    case "fixed64":
      return String(value);
    case "bytes":
      return toBase64(value as Uint8Array);
    case "duration":
      return formatDuration(value as number);
    case "timestamp":
      return formatTimestamp(value as number);
    case "enum":
      return options.enums === "numbers" && typeof value === "string"
        ? enumNumber(field.names!, value)
        : value;
    case "message":
      return toObject(field.type!, value as Record<string, unknown>, options);
    default:
      return value;
  }
}

/** Whether ProtoJSON leaves the value out. */
function isLeftOut(field: Field<unknown>, value: unknown): boolean {
  if (field.repeated) return (value as readonly unknown[]).length === 0;
  return value === null || (!field.explicit && isAbsent(field, value));
}

function toObject(
  type: AnyType,
  record: Readonly<Record<string, unknown>>,
  options: JsonOptions,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const { name, field } of tableOf(type).all) {
    const value = record[name];
    if (isLeftOut(field, value)) continue;
    json[name] = field.repeated
      ? (value as readonly unknown[]).map((each) => writeScalar(field, each, options))
      : writeScalar(field, value, options);
  }
  return json;
}

/**
 * Writes a message in JSON, by the rules of ProtoJSON: bytes are standard base64 with padding, 64-bit
 * integers are text, and absent fields are left out.
 *
 * @throws {WireError} when the record breaks a rule of the protocol.
 * @throws {TypeError} when a field has a value of the wrong type.
 * @throws {RangeError} when a number does not fit its field.
 * @example
 * ```ts
 * import { encodeJson } from "@x/wire";
 * import { searchHashes } from "@x/wire/v5";
 *
 * encodeJson(searchHashes.response, { cacheDuration: 300_000 }); // → '{"cacheDuration":"300s"}'
 * ```
 */
export function encodeJson<Message>(
  type: MessageType<Message>,
  message: MessageInput<NoInfer<Message>>,
  options: JsonOptions = {},
): string {
  return JSON.stringify(toObject(type, completeRecord(type, message), options));
}
