/** Matches a message of Node's file system, such as `EACCES: permission denied, open '/lists/mw'`. */
const OF_FILE_SYSTEM = /^E[A-Z0-9]+: (.*), [a-z]+(?: '(.*?)'(?: -> '.*')?)?$/s;

/**
 * Why a storage failed, in words. If the error names a file, the text begins with its path: `/lists/mw: permission
 * denied`.
 */
export function storageReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [, reason, path] = OF_FILE_SYSTEM.exec(message) ?? [];
  if (reason === undefined) return message;
  return path === undefined ? reason : `${path}: ${reason}`;
}
