import type { LogEntry } from "./entry.ts";
import type { Manifest } from "./manifest.ts";

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
