import { FULL_HASH_BYTES, toHex } from "@x/sha256-prefix";
import { checkBytes } from "../check-arguments.ts";
import { PrefixListError } from "../error.ts";
import { MAX_CREATED } from "../limits.ts";
import type { LengthChecksum } from "../raw-hashes/checksum.ts";
import { viewOf } from "../raw-hashes/words.ts";
import { checkZero, invalid, isProven, truncated } from "./checks.ts";
import {
  DIFFERENCE_KIND,
  type FileContents,
  type FileKind,
  foreignAt,
  HEADER,
  LENGTH,
  LIST_KIND,
  SECTION,
  VERSION,
} from "./list-file-format.ts";
import { type ReadSection, readSections } from "./read-sections.ts";

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
