import { FULL_HASH_BYTES, fromHex, fullHash } from "@x/sha256-prefix";
import { checkCreated, checkName } from "../limits.ts";
import type { LengthChecksum } from "../raw-hashes/checksum.ts";
import { viewOf } from "../raw-hashes/words.ts";
import {
  bodyHashBytes,
  DIFFERENCE_KIND,
  type FileContents,
  HEADER,
  LENGTH,
  SECTION,
  type Section,
  VERSION,
  writeMagic,
} from "./list-file-format.ts";

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
