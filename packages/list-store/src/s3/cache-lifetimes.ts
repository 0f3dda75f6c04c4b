import { isVersionKey, OBJECTS_FOLDER } from "../keys.ts";

/** The `Cache-Control` header of a file, for readers over plain HTTPS. */
export function cacheControl(key: string): string {
  const isImmutable = key.startsWith(OBJECTS_FOLDER) || isVersionKey(key);
  return isImmutable ? "max-age=31536000, immutable" : "max-age=60";
}
