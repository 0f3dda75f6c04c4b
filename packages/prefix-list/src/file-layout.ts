import { FULL_HASH_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";

/*
 * The frame that lists and differences share. All numbers are unsigned, the most significant octet first.
 *
 *   the header, whose fields have fixed places: HEADER
 *   the name, UTF-8
 *   for each section an entry of fixed length: ENTRY
 *   SHA-256 of everything above
 *   for each section: the Rice codes of the first four octets of the prefixes, or of the removals; then of
 *   each prefix the octets after the fourth
 *   in a difference only: SHA-256 of what the sections hold, from the first to the last
 *
 * The header is proven by its own hash, and the prefixes of a list by theirs, so that no octet is unchecked.
 */

/** How every file begins: a transfer as text breaks it. */
export const MAGIC: readonly number[] = [0x89, 0x48, 0x50, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a];
export const VERSION = 1;

/** Where the fields of the header begin. */
export const HEADER = {
  magic: 0,
  version: 8,
  kind: 9,
  /** The octets of the name. */
  nameBytes: 10,
  sectionCount: 12,
  /** Three octets of 0. */
  reserved: 13,
  /** The time of the list in milliseconds since 1970-01-01T00:00Z. */
  created: 16,
  /** SHA-256 of all prefixes in ascending order. */
  checksum: 24,
  /** In a difference, the checksum of the list it applies to; in a list, 0. */
  oldChecksum: 56,
  /** Here the header ends. */
  name: 88,
} as const;

/** Where the fields of a section's entry begin, from the start of the entry. */
export const ENTRY = {
  /** The octets of a prefix, or {@link REMOVALS}. */
  prefixBytes: 0,
  parameter: 1,
  /** Two octets of 0. */
  reserved: 2,
  /** How many numbers are coded. */
  count: 4,
  /** The octets of their codes. */
  codedBytes: 8,
  /** Four octets of 0. */
  reservedToo: 12,
  /** Here the entry ends. */
  end: 16,
} as const;

export const LIST_KIND = 1;
export const DIFFERENCE_KIND = 2;
export type FileKind = typeof LIST_KIND | typeof DIFFERENCE_KIND;

/** The `prefixBytes` that marks the section of removals. */
export const REMOVALS = 0;

/** One run of ascending numbers, and for long prefixes what follows each. */
export interface Section {
  readonly prefixBytes: number;
  /** The Rice parameter. */
  readonly parameter: number;
  readonly count: number;
  /** The Rice codes. */
  readonly coded: Uint8Array;
  /** The octets after the fourth, of each prefix. */
  readonly rest: Uint8Array;
}

/** What a file says. */
export interface FileContents<SomeSection extends Section> {
  readonly kind: FileKind;
  readonly name: string;
  readonly created: number;
  readonly checksum: Uint8Array;
  readonly oldChecksum: Uint8Array;
  readonly sections: readonly SomeSection[];
}

/** The octets that follow the first four of a prefix. */
export function restBytes(prefixBytes: number): number {
  return prefixBytes === REMOVALS ? 0 : prefixBytes - MIN_PREFIX_BYTES;
}

/** A list needs no hash of its body: its checksum is one of what the body says. */
export function bodyHashBytes(kind: FileKind): number {
  return kind === DIFFERENCE_KIND ? FULL_HASH_BYTES : 0;
}
