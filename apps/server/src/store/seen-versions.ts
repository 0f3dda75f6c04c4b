import { readFile, rename, writeFile } from "node:fs/promises";
import type { SeenVersion } from "./commit-log.ts";
import { StoreError } from "./error.ts";
import { isListName } from "./keys.ts";

/** The highest version seen of each list, whoever signed it. */
export type SeenVersions = ReadonlyMap<string, SeenVersion>;

function isSeenVersion(value: unknown): value is SeenVersion {
  if (typeof value !== "object" || value === null) return false;
  const { version, hash } = value as Partial<SeenVersion>;
  return Number.isSafeInteger(version) && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
}

/** The versions that a file remembers; none when there is no file. */
export async function readSeen(file: string): Promise<SeenVersions> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  try {
    const entries = Object.entries(JSON.parse(text));
    if (entries.every(([name, seen]) => isListName(name) && isSeenVersion(seen))) {
      return new Map(entries as [string, SeenVersion][]);
    }
  } catch {
    // Below.
  }
  throw new StoreError(
    "damaged",
    `The file ${file} is damaged: it does not say which versions were seen`,
  );
}

/** Adds a version to the file, unless the file has a higher one of the same list. */
export async function rememberSeen(file: string, list: string, seen: SeenVersion): Promise<void> {
  const all = await readSeen(file);
  if ((all.get(list)?.version ?? 0) >= seen.version) return;
  const text = JSON.stringify(Object.fromEntries([...all, [list, seen]].sort()), null, 2);
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${text}\n`);
  await rename(unfinished, file);
}
