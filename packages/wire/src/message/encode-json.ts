import { toBase64 } from "./base64.ts";
import { completeRecord, type MessageInput } from "./complete.ts";
import {
  type AnyType,
  enumNumber,
  type Field,
  isLeftOut,
  type MessageType,
  tableOf,
} from "./message-type.ts";
import { formatDuration, formatTimestamp } from "./time.ts";

/** Options of {@link encodeJson}. */
export interface JsonOptions {
  /** Whether enumeration values are written as names, the default, or as numbers (`$alt=json;enum-encoding=int`). */
  readonly enums?: "names" | "numbers" | undefined;
}

/**
 * Writes a message in JSON, by the rules of ProtoJSON: bytes are standard base64 with padding, 64-bit integers are
 * strings, and absent fields are left out. In v4, fields that browsers check for are written even when they are zero or
 * empty.
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

/** Bytes that are written as base64. */
export interface Base64Part {
  readonly base64: Uint8Array;
}

/**
 * Returns the text of {@link encodeJson} as parts in order. Each value of at least `largeBytes` bytes is a part of
 * its own: the bytes themselves, to be written as standard base64 with padding.
 */
export function encodeJsonParts<Message>(
  type: MessageType<Message>,
  message: MessageInput<NoInfer<Message>>,
  options: JsonOptions & { readonly largeBytes: number },
): (string | Base64Part)[] {
  const parts: (string | Base64Part)[] = [];
  writeParts(toObject(type, completeRecord(type, message), options), parts);
  return parts;
}

/** Writes a value as `JSON.stringify` does, but makes each large value a part of its own. */
function writeParts(value: unknown, parts: (string | Base64Part)[]): void {
  function write(text: string): void {
    const last = parts.at(-1);
    if (typeof last === "string") parts[parts.length - 1] = last + text;
    else parts.push(text);
  }
  if (value instanceof LargeBytes) {
    write('"');
    parts.push({ base64: value.base64 });
    write('"');
  } else if (Array.isArray(value) && value.some((each) => typeof each === "object")) {
    value.forEach((each, i) => {
      write(i === 0 ? "[" : ",");
      writeParts(each, parts);
    });
    write("]");
  } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    write("{");
    Object.entries(value).forEach(([name, each], i) => {
      write(`${i === 0 ? "" : ","}${JSON.stringify(name)}:`);
      writeParts(each, parts);
    });
    write("}");
  } else write(JSON.stringify(value));
}

/** Marks a value that becomes a part of its own. */
class LargeBytes implements Base64Part {
  readonly base64: Uint8Array;

  constructor(base64: Uint8Array) {
    this.base64 = base64;
  }
}

interface WriterOptions extends JsonOptions {
  /** Values of at least this many bytes are not copied. */
  readonly largeBytes?: number;
}

function toObject(
  type: AnyType,
  record: Readonly<Record<string, unknown>>,
  options: WriterOptions,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const named of tableOf(type).all) {
    const { name, field } = named;
    const value = record[name];
    if (isLeftOut(named, value)) continue;
    json[name] = field.repeated
      ? (value as readonly unknown[]).map((each) => writeScalar(field, each, options))
      : writeScalar(field, value, options);
  }
  return json;
}

function writeScalar(field: Field<unknown>, value: unknown, options: WriterOptions): unknown {
  switch (field.kind) {
    case "int64":
    case "uint64":
    case "fixed64":
      return String(value);
    case "bytes": {
      const bytes = value as Uint8Array;
      const isLarge = bytes.length >= (options.largeBytes ?? Infinity);
      return isLarge ? new LargeBytes(bytes) : toBase64(bytes);
    }
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
