import { fullHash, isOctets, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { checkCreated, checkName, MAX_CREATED, MAX_LIST_BYTES } from "./check-facts.ts";
import { compareOctets } from "./compare.ts";
import { PrefixListError } from "./error.ts";
import { MAX_RICE_PARAMETER } from "./rice.ts";
import { viewOf } from "./word.ts";

/*
 * The frame that lists and differences share. All numbers are unsigned, the most significant octet first.
 *
 *   0   8  89 48 50 4C 0D 0A 1A 0A: a transfer as text breaks it
 *   8   1  version, 1
 *   9   1  kind: 1 a list, 2 a difference
 *  10   2  octets of the name, N
 *  12   1  number of sections, S
 *  13   3  0
 *  16   8  time of the list in milliseconds since 1970-01-01T00:00Z
 *  24  32  SHA-256 of all prefixes in ascending order
 *  56  32  in a difference, the same of the list it applies to; in a list, 0
 *  88   N  name, UTF-8
 *     16S  sections, each: octets of a prefix, or 0 for removals (1), Rice parameter (1), 0 (2), count (4),
 *          coded octets C (4), 0 (4)
 *      32  SHA-256 of everything above
 *          for each section: C octets of Rice codes of the first four octets of the prefixes, or of the
 *          removals; then the other octets of each prefix
 *      32  in a difference only: SHA-256 of what the sections hold, from the first to the last
 *
 * The header is proven by its own hash, and the prefixes of a list by theirs, so that no octet is unchecked.
 */

export const LIST_KIND = 1;
export const DIFFERENCE_KIND = 2;
export type FileKind = typeof LIST_KIND | typeof DIFFERENCE_KIND;

/** The `prefixBytes` that marks the section of removals. */
export const REMOVALS = 0;

const MAGIC = [0x89, 0x48, 0x50, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a];
const VERSION = 1;
const FIXED_BYTES = 88;
const SECTION_BYTES = 16;
const HASH_BYTES = 32;

/** One run of ascending numbers, and for long prefixes what follows each. */
export interface Section {
  readonly prefixBytes: number;
  readonly parameter: number;
  readonly count: number;
  /** The Rice codes. */
  readonly coded: Uint8Array;
  /** The octets after the fourth, of each prefix. */
  readonly rest: Uint8Array;
}

/** A section that was read, and the octet of the file at which its codes begin. */
export interface ReadSection extends Section {
  readonly offset: number;
}

export interface File {
  readonly kind: FileKind;
  readonly name: string;
  readonly created: number;
  readonly checksum: Uint8Array;
  readonly oldChecksum: Uint8Array;
  readonly sections: readonly Section[];
}

export interface ReadFile extends File {
  readonly sections: readonly ReadSection[];
}

/** The octets that follow the first four of a prefix. */
export function restBytes(prefixBytes: number): number {
  return prefixBytes === REMOVALS ? 0 : prefixBytes - MIN_PREFIX_BYTES;
}

/** A list needs no hash of its body: its checksum is one of what the body says. */
function bodyHashBytes(kind: FileKind): number {
  return kind === DIFFERENCE_KIND ? HASH_BYTES : 0;
}

export function writeFile(file: File): Uint8Array<ArrayBuffer> {
  checkName(file.name);
  checkCreated(file.created);
  const name = new TextEncoder().encode(file.name);
  const hashed = FIXED_BYTES + name.length + SECTION_BYTES * file.sections.length;
  const body = file.sections.reduce((sum, { coded, rest }) => sum + coded.length + rest.length, 0);
  const bodyEnd = hashed + HASH_BYTES + body;
  const octets = new Uint8Array(bodyEnd + bodyHashBytes(file.kind));
  const view = viewOf(octets);
  octets.set(MAGIC);
  view.setUint8(8, VERSION);
  view.setUint8(9, file.kind);
  view.setUint16(10, name.length);
  view.setUint8(12, file.sections.length);
  view.setBigUint64(16, BigInt(file.created));
  octets.set(file.checksum, 24);
  octets.set(file.oldChecksum, 56);
  octets.set(name, FIXED_BYTES);
  let entry = FIXED_BYTES + name.length;
  let at = hashed + HASH_BYTES;
  for (const { prefixBytes, parameter, count, coded, rest } of file.sections) {
    view.setUint8(entry, prefixBytes);
    view.setUint8(entry + 1, parameter);
    view.setUint32(entry + 4, count);
    view.setUint32(entry + 8, coded.length);
    entry += SECTION_BYTES;
    octets.set(coded, at);
    octets.set(rest, at + coded.length);
    at += coded.length + rest.length;
  }
  octets.set(fullHash(octets.subarray(0, hashed)), hashed);
  if (file.kind === DIFFERENCE_KIND) {
    octets.set(fullHash(octets.subarray(hashed + HASH_BYTES, bodyEnd)), bodyEnd);
  }
  return octets;
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
  return new PrefixListError(
    "header-invalid",
    `The header of the file is invalid: ${what}`,
    offset,
  );
}

/** Whether the octets from `from` to `end` have the hash that stands at `end`. */
function isProven(octets: Uint8Array, from: number, end: number): boolean {
  return compareOctets(octets, end, fullHash(octets.subarray(from, end)), 0, HASH_BYTES) === 0;
}

/** The header's hash is looked at before anything in the header is believed but its own length. */
function checkHeader(octets: Uint8Array, hashed: number): void {
  if (octets.length < hashed + HASH_BYTES) throw truncated(octets);
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

/** The sections, whose lengths add up to exactly the octets there are; no memory is taken for them. */
function readSections(
  octets: Uint8Array,
  kind: FileKind,
  table: number,
  count: number,
): ReadSection[] {
  const view = viewOf(octets);
  const sections: ReadSection[] = [];
  const body = table + count * SECTION_BYTES + HASH_BYTES;
  let at = body;
  let volume = 0;
  let previous = kind === LIST_KIND ? REMOVALS : -1;
  for (let i = 0; i < count; i++) {
    const entry = table + i * SECTION_BYTES;
    const prefixBytes = view.getUint8(entry);
    const parameter = view.getUint8(entry + 1);
    const entries = view.getUint32(entry + 4);
    const coded = view.getUint32(entry + 8);
    checkZero(octets, entry + 2, entry + 4);
    checkZero(octets, entry + 12, entry + SECTION_BYTES);
    const legal = prefixBytes === REMOVALS || prefixBytes >= MIN_PREFIX_BYTES;
    if (!legal || prefixBytes > MAX_PREFIX_BYTES || prefixBytes <= previous) {
      throw invalid("a length of prefixes is out of order or out of range", entry);
    }
    previous = prefixBytes;
    if (parameter > MAX_RICE_PARAMETER) throw invalid("a Rice parameter is above 31", entry + 1);
    // Each code takes a bit of unary at least, and its low bits.
    if (entries === 0 || entries * (parameter + 1) > coded * 8) {
      throw invalid("a count does not fit its codes", entry + 4);
    }
    volume += entries * Math.max(prefixBytes, MIN_PREFIX_BYTES);
    if (volume > MAX_LIST_BYTES) throw invalid("a count is larger than a list may be", entry + 4);
    const rest = entries * restBytes(prefixBytes);
    if (octets.length - at < coded + rest) throw truncated(octets);
    sections.push({
      prefixBytes,
      parameter,
      count: entries,
      offset: at,
      coded: octets.subarray(at, at + coded),
      rest: octets.subarray(at + coded, at + coded + rest),
    });
    at += coded + rest;
  }
  const end = at + bodyHashBytes(kind);
  if (end > octets.length) throw truncated(octets);
  if (end < octets.length) {
    throw new PrefixListError("body-damaged", "Octets follow the end of the file", end);
  }
  checkBody(octets, kind, body, at);
  return sections;
}

export function readFile(octets: Uint8Array, kind: FileKind): ReadFile {
  if (!isOctets(octets)) throw new TypeError("a file must be a Uint8Array");
  checkMagic(octets);
  if (octets.length < FIXED_BYTES) throw truncated(octets);
  const view = viewOf(octets);
  const version = view.getUint8(8);
  if (version !== VERSION) {
    const message = `Version ${version} of the file is not known, only ${VERSION}`;
    throw new PrefixListError("version-unknown", message, 8);
  }
  const nameBytes = view.getUint16(10);
  const sectionCount = view.getUint8(12);
  const table = FIXED_BYTES + nameBytes;
  checkHeader(octets, table + sectionCount * SECTION_BYTES);
  if (view.getUint8(9) !== kind) {
    const [expected, found] = kind === LIST_KIND ? ["list", "difference"] : ["difference", "list"];
    throw new PrefixListError("kind-wrong", `Expected a ${expected}, found a ${found}`, 9);
  }
  checkZero(octets, 13, 16);
  const created = Number(view.getBigUint64(16));
  if (created > MAX_CREATED) throw invalid("the time is beyond what a Date can stand for", 16);
  if (kind === LIST_KIND) checkZero(octets, 56, FIXED_BYTES);
  return {
    kind,
    name: readName(octets, FIXED_BYTES, nameBytes),
    created,
    checksum: octets.slice(24, 56),
    oldChecksum: octets.slice(56, FIXED_BYTES),
    sections: readSections(octets, kind, table, sectionCount),
  };
}
