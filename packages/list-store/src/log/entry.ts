import { StoreError } from "../error.ts";
import { hashOf } from "../objects.ts";
import { type Manifest, parseManifest } from "./manifest.ts";

/** A manifest as it was read from the log. */
export interface LogEntry {
  readonly manifest: Manifest;
  /** The SHA-256 of the note, in lower-case hex. The next manifest contains this hash. */
  readonly hash: string;
  readonly note: Uint8Array;
}

/** Parses the note of a version. Throws `damaged`, `misplaced` or `newer-format`. Signatures are not verified. */
export async function parseEntry(
  note: Uint8Array,
  list: string,
  version: number,
): Promise<LogEntry> {
  const where = `Version ${version} of ${list}`;
  const manifest = parseManifest(note, where);
  if (manifest.list !== list) {
    throw new StoreError("misplaced", `${where} is a version of another list`, {
      list: manifest.list,
    });
  }
  if (manifest.version !== version) {
    throw new StoreError(
      "damaged",
      `${where} is damaged: it says it is version ${manifest.version}`,
    );
  }
  return { manifest, hash: await hashOf(note), note };
}

export function missingVersion(list: string, version: number): StoreError {
  return new StoreError("missing", `Version ${version} of ${list} is missing`);
}

export function missingList(list: string): StoreError {
  return new StoreError("missing", `The store has no list ${list}`);
}
