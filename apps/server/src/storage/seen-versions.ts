import { changeFile } from "@x/command-line/node";
import { isListName, type LogEntry, type SeenVersion, StoreError } from "@x/list-store";
import { readRegularFile } from "@x/list-store/node";

/** The highest version seen for each list, no matter who signed it. */
export type SeenVersions = ReadonlyMap<string, SeenVersion>;

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isSeenVersion(value: unknown): value is SeenVersion {
  if (!isRecord(value)) return false;
  const { version, hash } = value as Partial<SeenVersion>;
  return Number.isSafeInteger(version) && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
}

/** What is remembered about a version. */
export function seenVersion({ manifest, hash }: Pick<LogEntry, "manifest" | "hash">): SeenVersion {
  const { version, retired } = manifest;
  return retired ? { version, hash, retired } : { version, hash };
}

/** The contents of a file without any versions. */
export const NOTHING_SEEN = "{}\n";

/** The versions recorded in a file, or `null` if there is no such file. */
export async function readSeen(file: string): Promise<SeenVersions | null> {
  let bytes: Uint8Array | null;
  try {
    bytes = await readRegularFile(file, `The file of seen versions ${file}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const read: unknown = JSON.parse(Buffer.from(bytes!).toString());
    // Values without any fields, such as `[]`, must not count as "nothing seen".
    const entries = isRecord(read) ? Object.entries(read) : null;
    if (entries?.every(([name, seen]) => isListName(name) && isSeenVersion(seen))) {
      return new Map(entries as [string, SeenVersion][]);
    }
  } catch {
    // Text that is not JSON gets the same error as other damaged contents.
  }
  throw new StoreError(
    "damaged",
    `The file ${file} is damaged: it does not say which versions were seen`,
  );
}

/**
 * Adds versions to the file, unless it has the same or a higher version of the same list. Several processes may do this
 * at the same time.
 */
export async function rememberSeen(file: string, versions: SeenVersions): Promise<void> {
  // Most of the time nothing is new, and the file need not be locked.
  if ((await merged(file, versions)) === null) return;
  await changeFile(file, () => merged(file, versions));
}

/** The text of the file with the higher versions added, or `null` if none of the versions is higher. */
async function merged(file: string, versions: SeenVersions): Promise<string | null> {
  const all = new Map(await readSeen(file));
  const higher = [...versions].filter(
    ([list, { version }]) => (all.get(list)?.version ?? 0) < version,
  );
  if (higher.length === 0) return null;
  const text = JSON.stringify(Object.fromEntries([...all, ...higher].sort()), null, 2);
  return `${text}\n`;
}
