import { changeFile } from "@x/command-line/node";
import { isListName, type LogEntry, type SeenVersion, StoreError } from "@x/list-store";
import { readRegularFile } from "@x/list-store/node";

/** The highest version seen for each list, no matter who signed it. */
export type SeenVersions = ReadonlyMap<string, SeenList>;

export interface SeenList extends SeenVersion {
  /** Whether the list was private when a server last had it; not set by programs that have no API keys. */
  readonly private?: boolean;
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isSeenList(value: unknown): value is SeenList {
  if (!isRecord(value)) return false;
  const { version, hash, retired = true, private: mark = false } = value as Partial<SeenList>;
  if (retired !== true || typeof mark !== "boolean") return false;
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
    if (entries?.every(([name, seen]) => isListName(name) && isSeenList(seen))) {
      return new Map(entries as [string, SeenList][]);
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
 * Adds versions to the file, unless it has the same or a higher version of the same list, and says which lists are
 * private, if the versions say so. Several processes may do this at the same time.
 */
export async function rememberSeen(file: string, versions: SeenVersions): Promise<void> {
  // Most of the time nothing is new, and the file need not be locked.
  if ((await merged(file, versions)) === null) return;
  await changeFile(file, () => merged(file, versions));
}

/** The text of the file with these versions added, or `null` if nothing in it changes. */
async function merged(file: string, versions: SeenVersions): Promise<string | null> {
  const all = new Map(await readSeen(file));
  let isChanged = false;
  for (const [list, given] of versions) {
    const before = all.get(list);
    const isHigher = (before?.version ?? 0) < given.version;
    const wasPrivate = before?.private ?? false;
    const isPrivate = given.private ?? wasPrivate;
    if (!isHigher && isPrivate === wasPrivate) continue;
    const { version, hash, retired } = isHigher ? given : before!;
    const marks = { ...(retired && { retired }), ...(isPrivate && { private: true }) };
    all.set(list, { version, hash, ...marks });
    isChanged = true;
  }
  if (!isChanged) return null;
  const text = JSON.stringify(Object.fromEntries([...all].sort()), null, 2);
  return `${text}\n`;
}
