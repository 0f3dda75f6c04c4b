import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import { fromBase64 } from "./base64.ts";
import {
  checkJsonValues,
  checkLength,
  type Draft,
  endOfText,
  finishDraft,
  innerDraft,
  type MessageLimits,
  newDraft,
  putMessage,
  putValue,
} from "./draft.ts";
import {
  absentValue,
  enumNumber,
  enumValue,
  type Field,
  isInRange,
  joinPath,
  type Kind,
  type MessageType,
  type NamedField,
  tableOf,
  UNKNOWN,
} from "./message-type.ts";
import { parseDuration, parseTimestamp } from "./time.ts";

/**
 * Reads a message in JSON, by the rules of ProtoJSON.
 *
 * Field names are in lowerCamelCase or as in the `.proto` file, enumeration values are names or numbers, bytes are
 * base64 in either alphabet, 64-bit integers are strings or numbers, durations are like `"300s"`, and times are like
 * `"2026-11-22T10:00:00Z"`. Integers are never rounded. Unknown fields and enumeration values are skipped, except
 * unknown numbers for the types that name a list in v4 and for the platforms of a v4 search.
 *
 * @throws {WireError} when the text is not a message of this type, exceeds a limit, or breaks a rule of the protocol.
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
    return readMessage(type, text);
  } catch (error) {
    if (!(error instanceof InexactNumber)) throw error;
  }
  try {
    return readMessage(type, quoteLongIntegers(text));
  } catch (error) {
    // The number has a fraction or an exponent, so `quoteLongIntegers` left it unquoted.
    if (error instanceof InexactNumber) throw invalid(error.field);
    throw error;
  }
}

const INTEGER = /^-?\d{1,20}$/;
/** The error for an integer that `JSON.parse` may have rounded. */
class InexactNumber extends WireError {}

function readMessage<Message>(type: MessageType<Message>, text: string): Message {
  const json = parse(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new WireError("json-malformed");
  }
  const draft = newDraft(type);
  readObject(draft, json);
  return finishDraft(type, draft);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError("json-malformed");
  }
}

function readObject(draft: Draft, json: unknown): void {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw invalid(draft.path);
  const { byName } = tableOf(draft.type);
  for (const [key, value] of Object.entries(json)) {
    const named = byName.get(key);
    if (named === undefined) continue;
    const { name, field } = named;
    const path = joinPath(draft.path, name);
    if (value === null || field.repeated) draft.record[name] = absentValue(named);
    if (value === null) continue;
    if (!field.repeated) readField(draft, named, value, path);
    else if (Array.isArray(value)) for (const each of value) readField(draft, named, each, path);
    else throw invalid(path);
  }
}

function readField(draft: Draft, named: NamedField, value: unknown, path: string): void {
  if (named.field.kind === "message") {
    const inner = innerDraft(draft, named);
    readObject(inner, value);
    putMessage(draft, named, inner);
  } else putValue(draft, named, readScalar(named.field, value, path));
}

/**
 * Reads one value of any type except `message`, from JSON or a URL's query. Returns {@link UNKNOWN} for an unknown
 * enumeration value.
 */
export function readScalar(field: Field<unknown>, value: unknown, path: string): unknown {
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

/** Reads an integer, given as a number or as a string. */
function readInteger(kind: Kind, value: unknown, path: string): number | bigint {
  const isNumber = typeof value === "number" && Number.isInteger(value);
  if (!isNumber && !(typeof value === "string" && INTEGER.test(value))) throw invalid(path);
  if (isNumber && !Number.isSafeInteger(value)) throw new InexactNumber("value-invalid", path);
  // Adding 0 turns −0 into 0.
  const integer = isNumber ? value + 0 : BigInt(value as string);
  if (!isInRange(kind, integer)) throw invalid(path);
  return kind === "uint64" || kind === "fixed64" ? BigInt(integer) : Number(integer);
}

/** Reads an enumeration value, given as a name or as a number, and returns what {@link enumValue} returns for it. */
function readEnum(field: Field<unknown>, value: unknown, path: string): unknown {
  if (typeof value !== "number" && typeof value !== "string") throw invalid(path);
  const number =
    typeof value === "string" && !INTEGER.test(value)
      ? enumNumber(field.names!, value)
      : Number(value);
  if (number === undefined) return UNKNOWN;
  if (number !== (number | 0)) throw invalid(path);
  return enumValue(field, number);
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
    // `readText` throws a more specific error for lone surrogates.
    readText(value, path);
    throw error;
  }
}

function invalid(path: string): WireError {
  return new WireError("value-invalid", path);
}

const QUOTE = 0x22;
/** Integers with fewer digits are exact in a double. */
const MIN_DIGITS = 16;
const INTEGER_AT = /-?\d+(?![\d.eE])/y;

/**
 * Puts long integers in quotation marks, because `JSON.parse` would round them. ProtoJSON accepts integers as strings,
 * too.
 *
 * @param json JSON that can be parsed.
 */
function quoteLongIntegers(json: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfText(json, i);
    else if (startsNumber(code)) {
      INTEGER_AT.lastIndex = i;
      const found = INTEGER_AT.exec(json)?.[0] ?? "";
      if (found.length >= MIN_DIGITS) {
        pieces.push(json.slice(kept, i), '"', found, '"');
        kept = i + found.length;
      }
      i = endOfNumber(json, i);
    }
  }
  return pieces.join("") + json.slice(kept);
}

function startsNumber(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

/** The index of the last character of a number. */
function endOfNumber(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && /[\d.eE+-]/.test(json[i]!)) i++;
  return i - 1;
}
