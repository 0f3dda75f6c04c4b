import { type ByteReader, byteReader, checkBytes, concatBytes, varint } from "../bytes.ts";
import { OhttpError } from "../error.ts";
import { fieldCounter, knownFields, readKnownFields, readTerminatedFields } from "./fields.ts";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_FIELDS, type MessageLimits } from "./limits.ts";
import type { BinaryRequest, BinaryResponse, EncodeOptions, Field } from "./message.ts";

export interface Sections {
  readonly headers: readonly Field[];
  readonly content: Uint8Array;
  readonly trailers: readonly Field[];
}

/** Reads the sections of one message, in either framing. */
export interface SectionReader {
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
export function readSections(
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
export function encodeMessage(
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
export interface Framings {
  readonly known: number;
  readonly indeterminate: number;
}

/** A message that is being read, after its framing indicator. */
export interface OpenedMessage {
  readonly reader: ByteReader;
  readonly sections: SectionReader;
  /** Counts one more field. */
  readonly count: () => void;
}

/** Checks the length and the framing indicator of a message, and returns the readers for the rest of the message. */
export function openMessage(
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
