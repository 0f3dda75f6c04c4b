import { WireError } from "../error.ts";
import { typeError } from "../type-error.ts";
import { fromBase64 } from "./base64.ts";
import { checkRecord } from "./check.ts";
import { quoteLongIntegers } from "./exact-integers.ts";
import {
  type AnyType,
  absentValue,
  emptyRecord,
  enumName,
  enumNumber,
  type Field,
  fieldOf,
  isKept,
  joinPath,
  type MessageType,
  UNKNOWN,
} from "./field.ts";
import {
  type Budget,
  checkJsonValues,
  checkLength,
  type MessageLimits,
  newBudget,
  takeElement,
} from "./limits.ts";
import { parseDuration, parseTimestamp } from "./time.ts";

const INTEGER = /^-?\d{1,20}$/;
const RANGES = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)],
  uint64: [0n, 2n ** 64n - 1n],
  fixed64: [0n, 2n ** 64n - 1n],
} as const;

/** An integer that `JSON.parse` may have rounded. */
class InexactNumber extends WireError {}

function invalid(path: string): WireError {
  return new WireError("value-invalid", path);
}

/** An integer as a number or as text; 64 bits come as text. */
function readInteger(kind: keyof typeof RANGES, value: unknown, path: string): number | bigint {
  const isNumber = typeof value === "number" && Number.isInteger(value);
  if (!isNumber && !(typeof value === "string" && INTEGER.test(value))) throw invalid(path);
  if (isNumber && !Number.isSafeInteger(value)) throw new InexactNumber("value-invalid", path);
  const integer = BigInt(value as number | string);
  const [least, most] = RANGES[kind];
  if (integer < least || integer > most) throw invalid(path);
  return kind === "uint64" || kind === "fixed64" ? integer : Number(integer);
}

/** The name of an enumeration value, which is given as a name or as a number. */
function readEnum({ names, open }: Field<unknown>, value: unknown, path: string): unknown {
  if (typeof value !== "number" && typeof value !== "string") throw invalid(path);
  const number =
    typeof value === "string" && !INTEGER.test(value) ? enumNumber(names!, value) : Number(value);
  if (number === undefined) return UNKNOWN;
  if (number !== (number | 0)) throw invalid(path);
  return enumName(names!, number) ?? (open && number !== 0 ? number : UNKNOWN);
}

function readText(value: unknown, path: string): string {
  if (typeof value !== "string") throw invalid(path);
  if (/\p{Surrogate}/u.test(value)) throw new WireError("text-malformed", path);
  return value;
}

function readBytes(value: unknown, path: string): Uint8Array {
  if (typeof value !== "string") throw invalid(path);
  try {
    return fromBase64(value, path);
  } catch (error) {
    // Surrogates have an error of their own.
    readText(value, path);
    throw error;
  }
}

/** Reads one value of any type except `message`, from JSON or a URL's query; {@link UNKNOWN} for an unknown name. */
function readScalar(field: Field<unknown>, value: unknown, path: string): unknown {
  switch (field.kind) {
    case "bool":
      if (value === "true" || value === "false") return value === "true";
      if (typeof value !== "boolean") throw invalid(path);
      return value;
    case "string":
      return readText(value, path);
    case "bytes":
      return readBytes(value, path);
    case "duration":
      return parseDuration(readText(value, path), path);
    case "timestamp":
      return parseTimestamp(readText(value, path), path);
    case "enum":
      return readEnum(field, value, path);
    case "message":
      throw invalid(path);
    default:
      return readInteger(field.kind, value, path);
  }
}

/** Turns `max_update_entries` into `maxUpdateEntries`: readers of ProtoJSON accept both. */
export function fieldName(key: string): string {
  if (!key.includes("_")) return key;
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Sets one value of a field that is not a message, or adds one element to a repeated field. Returns `false` for
 * an enumeration value without a name, which is skipped.
 */
export function setValue(
  record: Record<string, unknown>,
  name: string,
  field: Field<unknown>,
  value: unknown,
  path: string,
): boolean {
  const read = readScalar(field, value, path);
  if (field.repeated) {
    if (read !== UNKNOWN) (record[name] as unknown[]).push(read);
  } else {
    record[name] = read === UNKNOWN ? null : read;
  }
  return read !== UNKNOWN;
}

/** Fills the record from a JSON value. Returns whether there was an enumeration value without a name. */
function readObject(
  type: AnyType,
  record: Record<string, unknown>,
  json: unknown,
  path: string,
  budget: Budget,
): boolean {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw invalid(path);
  let sawUnknown = false;
  for (const [key, value] of Object.entries(json)) {
    const name = fieldName(key);
    const field = fieldOf(type, name);
    if (field === null) continue;
    const at = joinPath(path, name);
    if (value === null) {
      record[name] = absentValue(field);
      continue;
    }
    if (field.repeated && !Array.isArray(value)) throw invalid(at);
    const values = field.repeated ? (value as unknown[]) : [value];
    if (field.repeated) record[name] = [];
    for (const each of values) {
      if (field.repeated && field.kind !== "int32") takeElement(budget, at);
      if (field.kind !== "message") {
        if (!setValue(record, name, field, each, at)) sawUnknown = true;
        continue;
      }
      const inner = emptyRecord(field.type!);
      const innerUnknown = readObject(field.type!, inner, each, at, budget);
      if (!field.repeated) record[name] = inner;
      else if (isKept(field.type!, inner, innerUnknown)) (record[name] as unknown[]).push(inner);
    }
  }
  return sawUnknown;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError("json-malformed");
  }
}

/**
 * Reads a message in JSON, by the rules of ProtoJSON.
 *
 * Field names are in lowerCamelCase or as in the `.proto` file, enumeration values are names or numbers,
 * bytes are base64 in either alphabet, 64-bit integers are text or numbers, durations are like `"300s"`, and
 * times are like `"2026-11-22T10:00:00Z"`. Integers are never rounded. Unknown fields and names are skipped.
 *
 * @throws {WireError} when the text is not such a message, or breaks a rule of the protocol.
 * @throws {TypeError} when `text` is not a string.
 * @example
 * ```ts
 * import { decodeJson } from "@x/wire";
 * import { listHashLists } from "@x/wire/v5";
 *
 * decodeJson(listHashLists.request, '{"pageSize": 20}'); // → { pageSize: 20, pageToken: "" }
 * ```
 */
export function decodeJson<Message>(
  type: MessageType<Message>,
  text: string,
  limits: MessageLimits = {},
): Message {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  checkLength(text.length, limits);
  checkJsonValues(text, limits);
  try {
    return readMessage(type, text, limits);
  } catch (error) {
    if (!(error instanceof InexactNumber)) throw error;
  }
  try {
    return readMessage(type, quoteLongIntegers(text), limits);
  } catch (error) {
    // It is written as a fraction or with an exponent.
    if (error instanceof InexactNumber) throw invalid(error.field);
    throw error;
  }
}

function readMessage<Message>(
  type: MessageType<Message>,
  text: string,
  limits: MessageLimits,
): Message {
  const json = parse(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new WireError("json-malformed");
  }
  const record = emptyRecord(type);
  readObject(type, record, json, "", newBudget(limits));
  checkRecord(type, record);
  return record as Message;
}
