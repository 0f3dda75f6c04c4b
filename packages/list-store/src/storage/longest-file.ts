import { OBJECTS_FOLDER } from "../keys.ts";

/**
 * Maximum lengths in bytes. An object may hold the entries of a whole list. Other files, such as manifests and hints,
 * are short.
 */
const MAX_OBJECT_BYTES = 2 ** 30;
const MAX_OTHER_BYTES = 2 ** 20;

/** The maximum number of bytes to read from a file if the caller allows `most`. */
export function longestFile(key: string, most: number = Infinity): number {
  return Math.min(most, key.startsWith(OBJECTS_FOLDER) ? MAX_OBJECT_BYTES : MAX_OTHER_BYTES);
}
