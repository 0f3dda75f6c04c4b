import {
  FULL_HASH_BYTES,
  fullHash,
  isUint8Array,
  MAX_PREFIX_BYTES,
  MIN_PREFIX_BYTES,
} from "@x/sha256-prefix";
import { MAX_CREATED, MAX_LIST_BYTES } from "./check-facts.ts";
import { compareOctets } from "./compare.ts";
import { PrefixListError } from "./error.ts";
import {
  bodyHashBytes,
  DIFFERENCE_KIND,
  ENTRY,
  type FileContents,
  type FileKind,
  HEADER,
  LIST_KIND,
  MAGIC,
  REMOVALS,
  restBytes,
  type Section,
  VERSION,
} from "./file-layout.ts";
import { MAX_RICE_PARAMETER } from "./rice.ts";
import { typeError } from "./type-error.ts";
import { viewOf } from "./word.ts";

/** A section that was read, and the octet of the file at which its codes begin. */
export interface ReadSection extends Section {
  readonly offset: number;
}

function checkMagic(octets: Uint8Array): void {
  for (let i = 0; i < MAGIC.length; i++) {
    if (i === octets.length && i > 0) throw truncated(octets);
    if (octets[i] !== MAGIC[i]) {
      throw new PrefixListError("foreign", "These octets are not a file of prefixes", i);
    }
  }
}

function truncated(octets: Uint8Array): PrefixListError {
  return new PrefixListError("truncated", "The file ends too early", octets.length);
}

function invalid(what: string, offset: number): PrefixListError {
  return new PrefixListError("header-invalid", `In the header ${what}`, offset);
}

/** Whether the octets from `from` to `end` have the hash that stands at `end`. */
function isProven(octets: Uint8Array, from: number, end: number): boolean {
  return compareOctets(octets, end, fullHash(octets.subarray(from, end)), 0, FULL_HASH_BYTES) === 0;
}

/** The header's hash is looked at before anything in the header is believed but its own length. */
function checkHeader(octets: Uint8Array, hashed: number): void {
  if (octets.length < hashed + FULL_HASH_BYTES) throw truncated(octets);
  if (!isProven(octets, 0, hashed)) {
    throw new PrefixListError("header-damaged", "The header of the file is damaged", hashed);
  }
}

function checkBody(octets: Uint8Array, kind: FileKind, from: number, end: number): void {
  if (kind === DIFFERENCE_KIND && !isProven(octets, from, end)) {
    throw new PrefixListError("body-damaged", "The body of the file is damaged", end);
  }
}

function readName(octets: Uint8Array, at: number, length: number): string {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(octets.subarray(at, at + length));
  } catch {
    throw invalid("the name is not UTF-8", at);
  }
}

function checkZero(octets: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++)
    if (octets[i] !== 0) throw invalid("a reserved octet is not 0", i);
}

/** What the entry of a section says. */
interface Entry {
  readonly prefixBytes: number;
  readonly parameter: number;
  readonly count: number;
  readonly codedBytes: number;
}

/** The entry at `at`, whose prefixes have to be longer than `previous`. */
function readEntry(octets: Uint8Array, at: number, previous: number): Entry {
  const view = viewOf(octets);
  const prefixBytes = view.getUint8(at + ENTRY.prefixBytes);
  const parameter = view.getUint8(at + ENTRY.parameter);
  const count = view.getUint32(at + ENTRY.count);
  const codedBytes = view.getUint32(at + ENTRY.codedBytes);
  checkZero(octets, at + ENTRY.reserved, at + ENTRY.count);
  checkZero(octets, at + ENTRY.reservedToo, at + ENTRY.end);
  const legal = prefixBytes === REMOVALS || prefixBytes >= MIN_PREFIX_BYTES;
  if (!legal || prefixBytes > MAX_PREFIX_BYTES || prefixBytes <= previous) {
    throw invalid("a length of prefixes is out of order or out of range", at + ENTRY.prefixBytes);
  }
  if (parameter > MAX_RICE_PARAMETER) {
    throw invalid("a Rice parameter is above 31", at + ENTRY.parameter);
  }
  // Each code takes a bit of unary at least, and its low bits.
  if (count === 0 || count * (parameter + 1) > codedBytes * 8) {
    throw invalid("a count does not fit its codes", at + ENTRY.count);
  }
  return { prefixBytes, parameter, count, codedBytes };
}

/** The sections, whose lengths add up to exactly the octets there are; no memory is taken for them. */
function readSections(
  octets: Uint8Array,
  kind: FileKind,
  entries: number,
  sectionCount: number,
): ReadSection[] {
  const sections: ReadSection[] = [];
  const body = entries + sectionCount * ENTRY.end + FULL_HASH_BYTES;
  let offset = body;
  let volume = 0;
  let previous = kind === LIST_KIND ? REMOVALS : -1;
  for (let i = 0; i < sectionCount; i++) {
    const at = entries + i * ENTRY.end;
    const { prefixBytes, parameter, count, codedBytes } = readEntry(octets, at, previous);
    previous = prefixBytes;
    volume += count * Math.max(prefixBytes, MIN_PREFIX_BYTES);
    if (volume > MAX_LIST_BYTES) {
      throw invalid("a count is larger than a list may be", at + ENTRY.count);
    }
    const restAt = offset + codedBytes;
    const end = restAt + count * restBytes(prefixBytes);
    if (end > octets.length) throw truncated(octets);
    const coded = octets.subarray(offset, restAt);
    sections.push({
      prefixBytes,
      parameter,
      count,
      offset,
      coded,
      rest: octets.subarray(restAt, end),
    });
    offset = end;
  }
  const end = offset + bodyHashBytes(kind);
  if (end > octets.length) throw truncated(octets);
  if (end < octets.length) {
    throw new PrefixListError("body-damaged", "Octets follow the end of the file", end);
  }
  checkBody(octets, kind, body, offset);
  return sections;
}

/** What a file says; {@link writeFile} wrote it, or it is refused. */
export function readFile(octets: Uint8Array, kind: FileKind): FileContents<ReadSection> {
  if (!isUint8Array(octets)) throw typeError("octets", "a Uint8Array", octets);
  checkMagic(octets);
  if (octets.length < HEADER.name) throw truncated(octets);
  const view = viewOf(octets);
  const version = view.getUint8(HEADER.version);
  if (version !== VERSION) {
    const message = `Version ${version} of the file is not known, only ${VERSION}`;
    throw new PrefixListError("version-unknown", message, HEADER.version);
  }
  const nameBytes = view.getUint16(HEADER.nameBytes);
  const sectionCount = view.getUint8(HEADER.sectionCount);
  const entries = HEADER.name + nameBytes;
  checkHeader(octets, entries + sectionCount * ENTRY.end);
  if (view.getUint8(HEADER.kind) !== kind) {
    const asked = kind === LIST_KIND ? "list" : "difference";
    throw new PrefixListError("kind-wrong", `The file is no ${asked}`, HEADER.kind);
  }
  checkZero(octets, HEADER.reserved, HEADER.created);
  const created = Number(view.getBigUint64(HEADER.created));
  if (created > MAX_CREATED) {
    throw invalid("the time is beyond what a Date can stand for", HEADER.created);
  }
  if (kind === LIST_KIND) checkZero(octets, HEADER.oldChecksum, HEADER.name);
  return {
    kind,
    name: readName(octets, HEADER.name, nameBytes),
    created,
    checksum: octets.slice(HEADER.checksum, HEADER.oldChecksum),
    oldChecksum: octets.slice(HEADER.oldChecksum, HEADER.name),
    sections: readSections(octets, kind, entries, sectionCount),
  };
}
