import { type ByteReader, concatBytes, varint } from "../bytes.ts";
import { OhttpError } from "../error.ts";

/** A header or trailer field, as its name in lower case and its value. */
export type Field = readonly [name: string, value: string];

/** The parts that requests and responses have in common. */
interface Message {
  /** The header fields, in their order. A name may occur several times. */
  readonly headers?: readonly Field[];
  /** The content. By default, there is none. */
  readonly content?: Uint8Array;
  /** The trailer fields, in their order. */
  readonly trailers?: readonly Field[];
}

/** A request (RFC 9292 §3.4). */
export interface BinaryRequest extends Message {
  readonly method: string;
  /** The scheme, such as `"https"`, which may be empty for `OPTIONS *` and `CONNECT`. */
  readonly scheme: string;
  /** The host and port, or an empty string when a `host` field has them. */
  readonly authority: string;
  /** The path and the query. */
  readonly path: string;
}

/** A response (RFC 9292 §3.5). */
export interface BinaryResponse extends Message {
  /** The final status, from 200 to 599. */
  readonly status: number;
  /** The informational responses before the final one. */
  readonly informational?: readonly InformationalResponse[];
}

/** An informational response, with a status from 100 to 199. */
export interface InformationalResponse {
  readonly status: number;
  readonly headers: readonly Field[];
}

export interface EncodeOptions {
  /** Zeros are added until the message has a multiple of this many bytes (RFC 9292 §3.8). The default, 1, adds none. */
  readonly padTo?: number;
}

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// Matches a field value that is not allowed, because it has NUL, CR or LF, or blanks at an end (RFC 9110 §5.5, RFC 9113
// §8.2.1).
const WRONG_VALUE = /[\0\r\n]|^[\t ]|[\t ]$/;

/** Decodes each byte of a field as one character, because values may have bytes that are not UTF-8. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The bytes of a text in which each character stands for one byte. Characters above U+00FF throw `error`. */
export function latin1Bytes(text: string, error: "field-value-wrong" | "path-wrong"): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) throw new OhttpError(error);
    bytes[i] = code;
  }
  return bytes;
}

function checkField([name, value]: Field): Field {
  if (!NAME.test(name)) throw new OhttpError("field-name-wrong");
  if (WRONG_VALUE.test(value)) throw new OhttpError("field-value-wrong");
  return [name, value];
}

function fieldLine(field: Field): Uint8Array {
  const [name, value] = checkField(field);
  const [key, text] = [name, value].map((one) => latin1Bytes(one, "field-value-wrong")) as [
    Uint8Array,
    Uint8Array,
  ];
  return concatBytes([varint(key.length), key, varint(text.length), text]);
}

/** Encodes a field section of known length (RFC 9292 §3.6). */
export function knownFields(fields: readonly Field[]): Uint8Array {
  const lines = concatBytes(fields.map(fieldLine));
  return concatBytes([varint(lines.length), lines]);
}

/** Returns a function that counts the fields of a message, and throws `too-many-fields` after `most` fields. */
export function fieldCounter(most: number): () => void {
  let left = most;
  return () => {
    if (left-- === 0) throw new OhttpError("too-many-fields");
  };
}

function readField(name: Uint8Array, reader: ByteReader): Field {
  return checkField([latin1(name), latin1(reader.lengthAndBytes())]);
}

/** Reads the field lines of a section of known length until its end. */
export function readKnownFields(reader: ByteReader, count: () => void): Field[] {
  const fields: Field[] = [];
  while (!reader.isAtEnd()) {
    count();
    fields.push(readField(reader.lengthAndBytes(), reader));
  }
  return fields;
}

/** Reads field lines until the terminator, which is a zero. */
export function readTerminatedFields(reader: ByteReader, count: () => void): Field[] {
  const fields: Field[] = [];
  for (let length = reader.number(); length !== 0; length = reader.number()) {
    count();
    fields.push(readField(reader.take(length), reader));
  }
  return fields;
}

/** The limits for reading a message. */
export interface MessageLimits {
  /** The maximum length of the message in bytes, including padding. The default is 1 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of fields in all sections together. The default is 200. */
  readonly maxFields?: number;
}

export const DEFAULT_MAX_BYTES: number = 2 ** 20;
export const DEFAULT_MAX_FIELDS = 200;
