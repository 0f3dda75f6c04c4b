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

/** A manifest has the hashes of the last versions before it that are multiples of 4, 16, 64 and so on. */
export const LINK_BASE = 4;

/** The hash of an older manifest, if this manifest has it; otherwise `undefined`. */
export function linkTo(
  { version, previous, earlier }: Manifest,
  older: number,
): string | undefined {
  return older === version - 1 ? previous! : earlier?.[older];
}

/** The field `earlier` for the version after an entry; `undefined` when it would be empty. */
export function earlierAfter({ manifest }: LogEntry): Readonly<Record<string, string>> | undefined {
  const earlier: Record<string, string> = {};
  for (let step = LINK_BASE; step <= manifest.version; step *= LINK_BASE) {
    const version = manifest.version - (manifest.version % step);
    const hash = version === manifest.version ? undefined : linkTo(manifest, version);
    if (hash !== undefined) earlier[version] = hash;
  }
  return Object.keys(earlier).length === 0 ? undefined : earlier;
}
