import { FULL_HASH_BYTES, MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { PrefixListError } from "../error.ts";
import { checkEntryCount, MAX_LIST_BYTES } from "../limits.ts";
import { viewOf } from "../raw-hashes/words.ts";
import { MAX_RICE_PARAMETER, MIN_RICE_PARAMETER } from "../rice/delta-codes.ts";
import { checkZero, invalid, isProven, truncated } from "./checks.ts";
import {
  bodyHashBytes,
  DIFFERENCE_KIND,
  type FileKind,
  LIST_KIND,
  REMOVALS,
  restBytesOf,
  SECTION,
  type Section,
} from "./list-file-format.ts";

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
export function readSections(
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
