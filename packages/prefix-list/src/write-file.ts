import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import { checkCreated, checkName } from "./check-facts.ts";
import {
  bodyHashBytes,
  DIFFERENCE_KIND,
  ENTRY,
  type FileContents,
  HEADER,
  MAGIC,
  type Section,
  VERSION,
} from "./file-layout.ts";
import { viewOf } from "./word.ts";

/** The octets of a file; {@link readFile} is the way back. */
export function writeFile(file: FileContents<Section>): Uint8Array<ArrayBuffer> {
  checkName(file.name);
  checkCreated(file.created);
  const name = new TextEncoder().encode(file.name);
  const entries = HEADER.name + name.length;
  const headerEnd = entries + ENTRY.end * file.sections.length;
  const body = headerEnd + FULL_HASH_BYTES;
  const bodyEnd = file.sections.reduce(
    (sum, { coded, rest }) => sum + coded.length + rest.length,
    body,
  );
  const octets = new Uint8Array(bodyEnd + bodyHashBytes(file.kind));
  const view = viewOf(octets);
  octets.set(MAGIC, HEADER.magic);
  view.setUint8(HEADER.version, VERSION);
  view.setUint8(HEADER.kind, file.kind);
  view.setUint16(HEADER.nameBytes, name.length);
  view.setUint8(HEADER.sectionCount, file.sections.length);
  view.setBigUint64(HEADER.created, BigInt(file.created));
  octets.set(file.checksum, HEADER.checksum);
  octets.set(file.oldChecksum, HEADER.oldChecksum);
  octets.set(name, HEADER.name);
  let entry = entries;
  let at = body;
  for (const { prefixBytes, parameter, count, coded, rest } of file.sections) {
    view.setUint8(entry + ENTRY.prefixBytes, prefixBytes);
    view.setUint8(entry + ENTRY.parameter, parameter);
    view.setUint32(entry + ENTRY.count, count);
    view.setUint32(entry + ENTRY.codedBytes, coded.length);
    entry += ENTRY.end;
    octets.set(coded, at);
    octets.set(rest, at + coded.length);
    at += coded.length + rest.length;
  }
  octets.set(fullHash(octets.subarray(0, headerEnd)), headerEnd);
  if (file.kind === DIFFERENCE_KIND) {
    octets.set(fullHash(octets.subarray(body, bodyEnd)), bodyEnd);
  }
  return octets;
}
