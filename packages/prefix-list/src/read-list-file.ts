import { FULL_HASH_BYTES, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES, toHex } from "@x/sha256-prefix";
import { PrefixListError } from "./error.ts";
import { checkBytes, checkEntryCount, MAX_CREATED, MAX_LIST_BYTES } from "./limits.ts";
import {
  bodyHashBytes,
  checkZero,
  DIFFERENCE_KIND,
  type FileContents,
  type FileKind,
  foreignAt,
  HEADER,
  invalid,
  isProven,
  LENGTH,
  LIST_KIND,
  REMOVALS,
  restBytesOf,
  SECTION,
  type Section,
  truncated,
  VERSION,
} from "./list-file-format.ts";
import { type LengthChecksum, viewOf } from "./raw-hashes/raw-hashes.ts";
import { MAX_RICE_PARAMETER, MIN_RICE_PARAMETER } from "./rice-codes.ts";

/** The offsets of the parts of the header after the name, and of its end. */
interface Offsets {
  readonly lengths: number;
  readonly sections: number;
  readonly headerEnd: number;
}

function checkMagic(bytes: Uint8Array): void {
  const index = foreignAt(bytes);
  if (index < 0) return;
  if (index === bytes.length && index > 0) throw truncated(bytes);
  throw new PrefixListError("foreign", "These bytes are not a file of hash prefixes", index);
}

/**
 * Checks the hash of the header. Before the check, only the fields that determine the length of the header are used.
 */
function checkHeader(bytes: Uint8Array): Offsets {
  const view = viewOf(bytes);
  const lengths = HEADER.name + view.getUint16(HEADER.nameBytes);
  const lengthCount = view.getUint8(HEADER.oldLengthCount) + view.getUint8(HEADER.lengthCount);
  const sections = lengths + lengthCount * LENGTH.end;
  const headerEnd = sections + view.getUint8(HEADER.sectionCount) * SECTION.end;
  if (bytes.length < headerEnd + FULL_HASH_BYTES) throw truncated(bytes);
  if (!isProven(bytes, 0, headerEnd)) {
    throw new PrefixListError("header-damaged", "The header of the file is damaged", headerEnd);
  }
  return { lengths, sections, headerEnd };
}

function readName(bytes: Uint8Array, end: number): string {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    // The bytes are copied, because browsers do not decode text in shared memory.
    return decoder.decode(new Uint8Array(bytes.subarray(HEADER.name, end)));
  } catch {
    throw invalid("the name is not UTF-8", HEADER.name);
  }
}

/** Reads the fields for the `count` prefix lengths of one list, which begin at `at`. */
function readLengths(bytes: Uint8Array, at: number, count: number): LengthChecksum[] {
  const view = viewOf(bytes);
  return Array.from({ length: count }, (_, i) => {
    const from = at + i * LENGTH.end;
    checkZero(bytes, from + LENGTH.reserved, from + LENGTH.count);
    return {
      prefixBytes: view.getUint8(from + LENGTH.prefixBytes),
      count: view.getUint32(from + LENGTH.count),
      checksum: toHex(bytes.subarray(from + LENGTH.checksum, from + LENGTH.end)),
    };
  });
}

/** Reads the kind of the file, and throws unless it is the requested kind. */
function readKind(bytes: Uint8Array, asked: FileKind): FileKind {
  const kind = bytes[HEADER.kind];
  if (kind !== LIST_KIND && kind !== DIFFERENCE_KIND) {
    throw invalid(`the kind is ${kind}`, HEADER.kind);
  }
  if (kind !== asked) {
    const wrong = asked === LIST_KIND ? "not a list" : "not a difference";
    throw new PrefixListError("kind-wrong", `The file is ${wrong}`, HEADER.kind);
  }
  return kind;
}

/** Reads and checks the contents of a file that {@link writeFrame} wrote, but does not decode its sections. */
export function readFrame(
  bytes: Uint8Array,
  asked: FileKind,
  maxEntries: number,
): FileContents<ReadSection> {
  checkBytes("bytes", bytes);
  checkMagic(bytes);
  if (bytes.length < HEADER.name) throw truncated(bytes);
  const view = viewOf(bytes);
  const version = view.getUint8(HEADER.version);
  if (version !== VERSION) {
    const message = `The file has version ${version} of the format, not ${VERSION}`;
    throw new PrefixListError("version-unknown", message, HEADER.version);
  }
  const offsets = checkHeader(bytes);
  const kind = readKind(bytes, asked);
  checkZero(bytes, HEADER.reserved, HEADER.created);
  const created = Number(view.getBigUint64(HEADER.created));
  if (created > MAX_CREATED) {
    throw invalid("the time is later than a Date can represent", HEADER.created);
  }
  if (kind === LIST_KIND) {
    checkZero(bytes, HEADER.oldLengthCount, HEADER.reserved);
    checkZero(bytes, HEADER.oldChecksum, HEADER.name);
  }
  const oldLengths = readLengths(bytes, offsets.lengths, view.getUint8(HEADER.oldLengthCount));
  const newLengthsAt = offsets.lengths + oldLengths.length * LENGTH.end;
  return {
    kind,
    name: readName(bytes, offsets.lengths),
    created,
    checksum: toHex(bytes.subarray(HEADER.checksum, HEADER.oldChecksum)),
    oldChecksum: toHex(bytes.subarray(HEADER.oldChecksum, HEADER.name)),
    oldLengths,
    lengths: readLengths(bytes, newLengthsAt, view.getUint8(HEADER.lengthCount)),
    sections: readSections(bytes, kind, offsets.sections, offsets.headerEnd, maxEntries),
  };
}

/** A section that was read from a file. */
export interface ReadSection extends Section {
  /** The offset of its codes in the file. */
  readonly offset: number;
}

/** Reads the description of a section at `at`. The prefix length must be greater than `previous`. */
function readSection(bytes: Uint8Array, at: number, previous: number) {
  const view = viewOf(bytes);
  const prefixBytes = view.getUint8(at + SECTION.prefixBytes);
  const riceParameter = view.getUint8(at + SECTION.riceParameter);
  const count = view.getUint32(at + SECTION.count);
  const codedBytes = view.getUint32(at + SECTION.codedBytes);
  const firstValue = view.getUint32(at + SECTION.firstValue);
  checkZero(bytes, at + SECTION.reserved, at + SECTION.count);
  const isLegal = prefixBytes === REMOVALS || prefixBytes >= MIN_PREFIX_BYTES;
  if (!isLegal || prefixBytes > MAX_PREFIX_BYTES || prefixBytes <= previous) {
    throw invalid("a prefix length is out of order or out of range", at + SECTION.prefixBytes);
  }
  if (riceParameter < MIN_RICE_PARAMETER || riceParameter > MAX_RICE_PARAMETER) {
    throw invalid(
      `a Rice parameter is not from ${MIN_RICE_PARAMETER} to ${MAX_RICE_PARAMETER}`,
      at + SECTION.riceParameter,
    );
  }
  // Each code takes at least one 0 bit and `riceParameter` bits for the remainder.
  if (count === 0 || (count - 1) * (riceParameter + 1) > codedBytes * 8) {
    throw invalid("a count does not fit its codes", at + SECTION.count);
  }
  return { prefixBytes, riceParameter, count, codedBytes, firstValue };
}

/**
 * Reads the sections that the header describes from `from` to `headerEnd`. Throws unless the sections and, in a
 * difference, the hash of the body fill the rest of the file exactly. No memory is allocated for their entries.
 */
function readSections(
  bytes: Uint8Array,
  kind: FileKind,
  from: number,
  headerEnd: number,
  maxEntries: number,
): ReadSection[] {
  const sections: ReadSection[] = [];
  const body = headerEnd + FULL_HASH_BYTES;
  let offset = body;
  let memory = 0;
  let prefixes = 0;
  let previous = kind === LIST_KIND ? REMOVALS : -1;
  for (let at = from; at < headerEnd; at += SECTION.end) {
    const { codedBytes, ...facts } = readSection(bytes, at, previous);
    const { prefixBytes, count } = facts;
    previous = prefixBytes;
    memory += count * Math.max(prefixBytes, MIN_PREFIX_BYTES);
    if (memory > MAX_LIST_BYTES) throw invalid("a count is too large", at + SECTION.count);
    if (prefixBytes !== REMOVALS) prefixes += count;
    checkEntryCount(Math.max(prefixes, count), maxEntries, at + SECTION.count);
    const restAt = offset + codedBytes;
    const end = restAt + count * restBytesOf(prefixBytes);
    if (end > bytes.length) throw truncated(bytes);
    const coded = bytes.subarray(offset, restAt);
    sections.push({ ...facts, offset, coded, rest: bytes.subarray(restAt, end) });
    offset = end;
  }
  const end = offset + bodyHashBytes(kind);
  if (end > bytes.length) throw truncated(bytes);
  if (end < bytes.length) {
    throw new PrefixListError("body-damaged", "Bytes follow the end of the file", end);
  }
  if (kind === DIFFERENCE_KIND && !isProven(bytes, body, offset)) {
    throw new PrefixListError("body-damaged", "The body of the file is damaged", offset);
  }
  return sections;
}
