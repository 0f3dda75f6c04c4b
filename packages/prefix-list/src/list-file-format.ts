import { FULL_HASH_BYTES, fromHex, fullHash, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { PrefixListError } from "./error.ts";
import { checkCreated, checkName } from "./limits.ts";
import { compareBytes, type LengthChecksum, viewOf } from "./raw-hashes/raw-hashes.ts";

/*
 * The common layout of list files and difference files. All numbers are unsigned, the most significant byte first.
 *
 *   the first fields, whose offsets are fixed: HEADER
 *   the name, UTF-8
 *   in a difference, for each prefix length of the old list and then of the new one: LENGTH
 *   for each section: SECTION
 *   SHA-256 of everything above
 *   for each section: the Rice codes of the first four bytes of the prefixes, or of the removals; then the other bytes
 *   of each prefix
 *   in a difference only: SHA-256 of the contents of all sections
 *
 * Every byte is checked: the header by its hash, the prefixes of a list by the checksum, and the sections of a
 * difference by the last hash.
 */

/**
 * The bytes that every file begins with. A transfer as text would change these bytes, so such a transfer is detected.
 */
const MAGIC: readonly number[] = [0x89, 0x48, 0x50, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a];
export const VERSION = 1;

/** The offsets of the first fields of the header. */
export const HEADER = {
  magic: 0,
  version: 8,
  kind: 9,
  /** The length of the name in bytes. */
  nameBytes: 10,
  sectionCount: 12,
  /** The number of prefix lengths in the old list, or 0 in a list file. */
  oldLengthCount: 13,
  /** The number of prefix lengths in the new list, or 0 in a list file. */
  lengthCount: 14,
  /** One zero byte. */
  reserved: 15,
  /** The time of the list in milliseconds since 1970-01-01T00:00Z. */
  created: 16,
  /** SHA-256 of all prefixes in ascending order. */
  checksum: 24,
  /** The checksum of the old list, or 0 in a list file. */
  oldChecksum: 56,
  /** The end of these fields, where the name begins. */
  name: 88,
} as const;

/** The offsets of the fields for one prefix length. */
export const LENGTH = {
  prefixBytes: 0,
  /** Three zero bytes. */
  reserved: 1,
  /** The number of prefixes of this length. */
  count: 4,
  /** SHA-256 of these prefixes in ascending order. */
  checksum: 8,
  /** The end of these fields. */
  end: 40,
} as const;

/** The offsets of the fields for one section. */
export const SECTION = {
  /** The prefix length in bytes, or {@link REMOVALS}. */
  prefixBytes: 0,
  riceParameter: 1,
  /** Two zero bytes. */
  reserved: 2,
  /** The number of encoded values, including the first one. */
  count: 4,
  /** The length of the codes in bytes. */
  codedBytes: 8,
  firstValue: 12,
  /** The end of these fields. */
  end: 16,
} as const;

export const LIST_KIND = 1;
export const DIFFERENCE_KIND = 2;
export type FileKind = typeof LIST_KIND | typeof DIFFERENCE_KIND;

/** The `prefixBytes` that marks the section of removals. */
export const REMOVALS = 0;

/** Ascending values and, for prefixes longer than four bytes, the bytes that follow each value. */
export interface Section {
  readonly prefixBytes: number;
  readonly riceParameter: number;
  readonly count: number;
  readonly firstValue: number;
  /** The Rice codes of the deltas. */
  readonly coded: Uint8Array;
  /** For each prefix, the bytes after the first four. */
  readonly rest: Uint8Array;
}

export interface FileContents<SomeSection extends Section> {
  readonly kind: FileKind;
  readonly name: string;
  readonly created: number;
  readonly checksum: string;
  /** The checksum of the old list, or 64 zeros in a list file. */
  readonly oldChecksum: string;
  readonly oldLengths: readonly LengthChecksum[];
  readonly lengths: readonly LengthChecksum[];
  readonly sections: readonly SomeSection[];
}

/** The number of bytes of a prefix after the first four. */
export function restBytesOf(prefixBytes: number): number {
  return prefixBytes === REMOVALS ? 0 : prefixBytes - MIN_PREFIX_BYTES;
}

/** The length of the hash of the body. A list file has no such hash, because the checksum verifies its body. */
export function bodyHashBytes(kind: FileKind): number {
  return kind === DIFFERENCE_KIND ? FULL_HASH_BYTES : 0;
}

function writeMagic(bytes: Uint8Array): void {
  bytes.set(MAGIC, HEADER.magic);
}

/** The index of the first byte that differs from those that every file begins with, or -1 when none does. */
export function foreignAt(bytes: Uint8Array): number {
  return MAGIC.findIndex((byte, i) => bytes[i] !== byte);
}

export function truncated(bytes: Uint8Array): PrefixListError {
  return new PrefixListError("truncated", "The file ends too early", bytes.length);
}

export function invalid(what: string, index: number): PrefixListError {
  return new PrefixListError("header-invalid", `In the header, ${what}`, index);
}

/** Whether the bytes from `from` to `end` match the hash that follows at `end`. */
export function isProven(bytes: Uint8Array, from: number, end: number): boolean {
  return compareBytes(bytes, end, fullHash(bytes.subarray(from, end)), 0, FULL_HASH_BYTES) === 0;
}

export function checkZero(bytes: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) if (bytes[i] !== 0) throw invalid("a reserved byte is not 0", i);
}

function writeLength(bytes: Uint8Array, at: number, length: LengthChecksum): void {
  const view = viewOf(bytes);
  view.setUint8(at + LENGTH.prefixBytes, length.prefixBytes);
  view.setUint32(at + LENGTH.count, length.count);
  bytes.set(fromHex(length.checksum), at + LENGTH.checksum);
}

function writeSection(bytes: Uint8Array, at: number, section: Section): void {
  const view = viewOf(bytes);
  view.setUint8(at + SECTION.prefixBytes, section.prefixBytes);
  view.setUint8(at + SECTION.riceParameter, section.riceParameter);
  view.setUint32(at + SECTION.count, section.count);
  view.setUint32(at + SECTION.codedBytes, section.coded.length);
  view.setUint32(at + SECTION.firstValue, section.firstValue);
}

/** Returns the bytes of a file, which {@link readFrame} can read. */
export function writeFrame(file: FileContents<Section>): Uint8Array<ArrayBuffer> {
  checkName(file.name);
  checkCreated(file.created);
  const name = new TextEncoder().encode(file.name);
  const lengths = [...file.oldLengths, ...file.lengths];
  const lengthsAt = HEADER.name + name.length;
  const sectionsAt = lengthsAt + lengths.length * LENGTH.end;
  const headerEnd = sectionsAt + file.sections.length * SECTION.end;
  const body = headerEnd + FULL_HASH_BYTES;
  const bodyEnd = file.sections.reduce(
    (sum, { coded, rest }) => sum + coded.length + rest.length,
    body,
  );
  const bytes = new Uint8Array(bodyEnd + bodyHashBytes(file.kind));
  const view = viewOf(bytes);
  writeMagic(bytes);
  view.setUint8(HEADER.version, VERSION);
  view.setUint8(HEADER.kind, file.kind);
  view.setUint16(HEADER.nameBytes, name.length);
  view.setUint8(HEADER.sectionCount, file.sections.length);
  view.setUint8(HEADER.oldLengthCount, file.oldLengths.length);
  view.setUint8(HEADER.lengthCount, file.lengths.length);
  view.setBigUint64(HEADER.created, BigInt(file.created));
  bytes.set(fromHex(file.checksum), HEADER.checksum);
  bytes.set(fromHex(file.oldChecksum), HEADER.oldChecksum);
  bytes.set(name, HEADER.name);
  for (const [i, length] of lengths.entries()) {
    writeLength(bytes, lengthsAt + i * LENGTH.end, length);
  }
  let at = body;
  for (const [i, section] of file.sections.entries()) {
    writeSection(bytes, sectionsAt + i * SECTION.end, section);
    bytes.set(section.coded, at);
    bytes.set(section.rest, at + section.coded.length);
    at += section.coded.length + section.rest.length;
  }
  bytes.set(fullHash(bytes.subarray(0, headerEnd)), headerEnd);
  if (file.kind === DIFFERENCE_KIND) {
    bytes.set(fullHash(bytes.subarray(body, bodyEnd)), bodyEnd);
  }
  return bytes;
}
