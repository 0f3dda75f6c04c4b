import { type ByteReader, byteReader, checkBytes, concatBytes, varint } from "./bytes.ts";
import { OhttpError } from "./error.ts";

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

/** The limits for reading a message. */
export interface MessageLimits {
  /** The maximum length of the message in bytes, including padding. The default is 1 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of fields in all sections together. The default is 200. */
  readonly maxFields?: number;
}

const DEFAULT_MAX_BYTES: number = 2 ** 20;
const DEFAULT_MAX_FIELDS = 200;

const REQUEST_FRAMINGS = { known: 0, indeterminate: 2 } as const;

const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SCHEME = /^(?:[A-Za-z][A-Za-z0-9+.-]*)?$/;
const AUTHORITY = /^[!-"$-.0->A-~]*$/;
const PATH = /^\/[!-"$-~]*$/;

type Control = Pick<BinaryRequest, "method" | "scheme" | "authority" | "path">;

function checkControl<T extends Control>(request: T): T {
  const { method, scheme, authority, path } = request;
  if (!METHOD.test(method)) throw new OhttpError("method-wrong");
  if (!SCHEME.test(scheme)) throw new OhttpError("scheme-wrong");
  if (!AUTHORITY.test(authority)) throw new OhttpError("authority-wrong");
  const isOther = (method === "OPTIONS" && path === "*") || (method === "CONNECT" && path === "");
  if (!PATH.test(path) && !isOther) throw new OhttpError("path-wrong");
  return request;
}

/**
 * Returns a request as a binary HTTP message of known length.
 *
 * @throws {OhttpError} when the request breaks a rule of RFC 9292.
 * @example
 * ```ts
 * import { decodeRequest, encodeRequest } from "@x/ohttp/binary-http";
 *
 * const get = { method: "GET", scheme: "https", authority: "example.com", path: "/" };
 * const bytes = encodeRequest(get);
 * bytes.length; // → 25
 * decodeRequest(bytes).authority; // → "example.com"
 * ```
 * @see RFC 9292 §3.1, §3.4
 */
export function encodeRequest(
  request: BinaryRequest,
  options: EncodeOptions = {},
): Uint8Array<ArrayBuffer> {
  const { method, scheme, authority, path } = checkControl(request);
  const control = [method, scheme, authority, path].map((text) => {
    const bytes = latin1Bytes(text, "path-wrong");
    return concatBytes([varint(bytes.length), bytes]);
  });
  return encodeMessage([varint(REQUEST_FRAMINGS.known), ...control], request, options);
}

/**
 * Reads a request from a binary HTTP message of known or indeterminate length. Its `content` may share the memory of
 * the message.
 *
 * @throws {OhttpError} when the message breaks a rule of RFC 9292, or exceeds a limit.
 * @see RFC 9292 §3.1, §3.2, §3.4
 */
export function decodeRequest(
  message: Uint8Array,
  limits: MessageLimits = {},
): Required<BinaryRequest> {
  const { reader, sections } = openMessage(message, REQUEST_FRAMINGS, limits);
  const text = () => latin1(reader.lengthAndBytes());
  const control = checkControl({ method: text(), scheme: text(), authority: text(), path: text() });
  const headers = reader.isAtEnd() ? [] : sections.fields();
  return { ...control, ...readSections(reader, sections, headers) };
}

const RESPONSE_FRAMINGS = { known: 1, indeterminate: 3 } as const;

function isInformational(status: number): boolean {
  return status >= 100 && status <= 199;
}

function isFinal(status: number): boolean {
  return status >= 200 && status <= 599;
}

/**
 * Returns a response as a binary HTTP message of known length.
 *
 * @throws {OhttpError} when the response breaks a rule of RFC 9292.
 * @example
 * ```ts
 * import { decodeResponse, encodeResponse } from "@x/ohttp/binary-http";
 *
 * const bytes = encodeResponse({ status: 200, headers: [["content-type", "text/plain"]] });
 * decodeResponse(bytes).headers; // → [["content-type", "text/plain"]]
 * ```
 * @see RFC 9292 §3.1, §3.5
 */
export function encodeResponse(
  response: BinaryResponse,
  options: EncodeOptions = {},
): Uint8Array<ArrayBuffer> {
  const { status, informational = [] } = response;
  if (!isFinal(status)) throw new OhttpError("status-wrong");
  const control: Uint8Array[] = [varint(RESPONSE_FRAMINGS.known)];
  for (const { status, headers } of informational) {
    if (!isInformational(status)) throw new OhttpError("status-wrong");
    control.push(varint(status), knownFields(headers));
  }
  return encodeMessage([...control, varint(status)], response, options);
}

/**
 * Reads a response from a binary HTTP message of known or indeterminate length. Its `content` may share the memory of
 * the message.
 *
 * @throws {OhttpError} when the message breaks a rule of RFC 9292, or exceeds a limit.
 * @see RFC 9292 §3.1, §3.2, §3.5
 */
export function decodeResponse(
  message: Uint8Array,
  limits: MessageLimits = {},
): Required<BinaryResponse> {
  const { reader, sections, count } = openMessage(message, RESPONSE_FRAMINGS, limits);
  const informational: InformationalResponse[] = [];
  let status = reader.number();
  while (isInformational(status)) {
    // An informational response without fields is counted, too: otherwise, there would be no limit.
    count();
    informational.push({ status, headers: sections.fields() });
    status = reader.number();
  }
  if (!isFinal(status)) throw new OhttpError("status-wrong");
  const headers = reader.isAtEnd() ? [] : sections.fields();
  return { status, informational, ...readSections(reader, sections, headers) };
}

interface Sections {
  readonly headers: readonly Field[];
  readonly content: Uint8Array;
  readonly trailers: readonly Field[];
}

/** Reads the sections of one message, in either framing. */
interface SectionReader {
  readonly fields: () => Field[];
  readonly content: () => Uint8Array;
}

/** A reader of sections whose lengths are written before them. */
function knownSections(reader: ByteReader, count: () => void): SectionReader {
  return {
    fields: () => readKnownFields(byteReader(reader.lengthAndBytes()), count),
    content: () => reader.lengthAndBytes(),
  };
}

/** A reader of sections that end with a zero. */
function terminatedSections(reader: ByteReader, count: () => void): SectionReader {
  return {
    fields: () => readTerminatedFields(reader, count),
    content() {
      const chunks: Uint8Array[] = [];
      for (let length = reader.number(); length !== 0; length = reader.number()) {
        chunks.push(reader.take(length));
      }
      return concatBytes(chunks);
    },
  };
}

/**
 * Reads the sections after the control data. Empty sections at the end may be left out, and zeros may follow (RFC 9292
 * §3.8).
 */
function readSections(
  reader: ByteReader,
  sections: SectionReader,
  headers: readonly Field[],
): Sections {
  const content = reader.isAtEnd() ? new Uint8Array() : sections.content();
  const trailers = reader.isAtEnd() ? [] : sections.fields();
  if (reader.rest().some((byte) => byte !== 0)) throw new OhttpError("padding-wrong");
  return { headers, content, trailers };
}

/** Encodes a message of known length from its control data and sections. Empty sections at the end are left out. */
function encodeMessage(
  control: readonly Uint8Array[],
  { headers = [], content = new Uint8Array(), trailers = [] }: BinaryRequest | BinaryResponse,
  { padTo = 1 }: EncodeOptions,
): Uint8Array<ArrayBuffer> {
  if (!Number.isSafeInteger(padTo) || padTo < 1) {
    throw new RangeError("padTo must be a positive whole number");
  }
  const sections = [
    knownFields(headers),
    concatBytes([varint(content.length), content]),
    knownFields(trailers),
  ];
  while (sections.at(-1)?.length === 1) sections.pop();
  const message = concatBytes([...control, ...sections]);
  const padding = (padTo - (message.length % padTo)) % padTo;
  // A reader treats the first zeros of the padding as the lengths of the sections that were left out, which are then
  // empty.
  return padding === 0 ? message : concatBytes([message, new Uint8Array(padding)]);
}

/** The framing indicators of one kind of message (RFC 9292 §3). */
interface Framings {
  readonly known: number;
  readonly indeterminate: number;
}

/** A message that is being read, after its framing indicator. */
interface OpenedMessage {
  readonly reader: ByteReader;
  readonly sections: SectionReader;
  /** Counts one more field. */
  readonly count: () => void;
}

/** Checks the length and the framing indicator of a message, and returns the readers for the rest of the message. */
function openMessage(
  message: Uint8Array,
  { known, indeterminate }: Framings,
  { maxBytes = DEFAULT_MAX_BYTES, maxFields = DEFAULT_MAX_FIELDS }: MessageLimits,
): OpenedMessage {
  checkBytes("message", message);
  if (message.length > maxBytes) throw new OhttpError("too-long");
  const reader = byteReader(message);
  const count = fieldCounter(maxFields);
  const framing = reader.number();
  if (framing !== known && framing !== indeterminate) throw new OhttpError("framing-unknown");
  const open = framing === known ? knownSections : terminatedSections;
  return { reader, sections: open(reader, count), count };
}

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// Matches a field value that is not allowed, because it has NUL, CR or LF, or spaces at an end (RFC 9110 §5.5, RFC 9113
// §8.2.1).
const WRONG_VALUE = /[\0\r\n]|^[\t ]|[\t ]$/;

/** Decodes each byte of a field as one character, because values may have bytes that are not UTF-8. */
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The bytes of a text in which each character stands for one byte. Characters above U+00FF throw `error`. */
function latin1Bytes(text: string, error: "field-value-wrong" | "path-wrong"): Uint8Array {
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
function knownFields(fields: readonly Field[]): Uint8Array {
  const lines = concatBytes(fields.map(fieldLine));
  return concatBytes([varint(lines.length), lines]);
}

/** Returns a function that counts the fields of a message, and throws `too-many-fields` after `most` fields. */
function fieldCounter(most: number): () => void {
  let left = most;
  return () => {
    if (left-- === 0) throw new OhttpError("too-many-fields");
  };
}

function readField(name: Uint8Array, reader: ByteReader): Field {
  return checkField([latin1(name), latin1(reader.lengthAndBytes())]);
}

/** Reads the field lines of a section of known length until its end. */
function readKnownFields(reader: ByteReader, count: () => void): Field[] {
  const fields: Field[] = [];
  while (!reader.isAtEnd()) {
    count();
    fields.push(readField(reader.lengthAndBytes(), reader));
  }
  return fields;
}

/** Reads field lines until the terminator, which is a zero. */
function readTerminatedFields(reader: ByteReader, count: () => void): Field[] {
  const fields: Field[] = [];
  for (let length = reader.number(); length !== 0; length = reader.number()) {
    count();
    fields.push(readField(reader.take(length), reader));
  }
  return fields;
}
